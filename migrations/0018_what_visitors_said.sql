-- What tenants do with what visitors said: read and erase conversations, work off feedback and unanswered questions, and
-- answer them with questions and answers of their own.

create index chat_sessions_tenant_recent_idx on chat_sessions (tenant_id, last_message_at desc, id desc);
create index chat_messages_unanswered_idx on chat_messages (tenant_id, chatbot_id, position desc)
    where role = 'assistant' and not answered;

-- Who worked a rating off, and when; both are null while it is open.
alter table chatbot_feedback
    add column handled_at timestamptz,
    add column handled_by text,
    add constraint chatbot_feedback_handled_check check ((handled_at is null) = (handled_by is null));
grant update (handled_at, handled_by) on chatbot_feedback to svc_tenant;

-- What makes two questions the same: their words, whatever the case and the spaces. A hash, so that what is remembered
-- of a question holds nothing of its text.
create function question_key(p_question text) returns text
    language sql stable parallel safe
    return encode(sha256(convert_to(lower(regexp_replace(btrim(p_question), '\s+', ' ', 'g')), 'UTF8')), 'hex');

-- Questions without an answer that somebody dealt with; asked again later, they are open again.
create table handled_questions (
    tenant_id uuid not null,
    chatbot_id uuid not null,
    question_key text not null,
    handled_at timestamptz not null default now(),
    handled_by text not null,
    constraint handled_questions_pkey primary key (tenant_id, chatbot_id, question_key),
    constraint handled_questions_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
call protect_tenant_table('handled_questions');
grant select on handled_questions to svc_operator, svc_vendor, svc_tenant, svc_system;
grant insert, update, delete on handled_questions to svc_tenant;

-- A tenant's own questions and answers of a chatbot. Each is a document of the chatbot's source of the kind 'faq' once it
-- is indexed.
create table chatbot_faq (
    id uuid not null constraint chatbot_faq_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    question text not null,
    answer text not null,
    state text not null default 'pending'
        constraint chatbot_faq_state_check check (state in ('pending', 'ready', 'failed')),
    created_by text not null,
    created_at timestamptz not null default now(),
    constraint chatbot_faq_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint chatbot_faq_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
create index chatbot_faq_waiting_idx on chatbot_faq (created_at) where state <> 'ready';
call protect_tenant_table('chatbot_faq');
grant select on chatbot_faq to svc_operator, svc_vendor, svc_tenant, svc_system;
grant insert, delete, update (state) on chatbot_faq to svc_tenant;

alter table chatbot_sources
    drop constraint chatbot_sources_kind_check,
    add constraint chatbot_sources_kind_check check (kind in ('faq_seed', 'files', 'faq'));

-- How long a document's passages are together. The owner may be no superuser, and row security is forced.
alter table documents add column characters integer not null default 0;
create policy owner_fills on documents to current_user using (true) with check (true);
create policy owner_fills on passages for select to current_user using (true);
update documents d
set characters = p.characters
from (
    select tenant_id, chatbot_id, document_id, sum(char_length(content))::integer as characters
    from passages
    group by tenant_id, chatbot_id, document_id
) p
where p.tenant_id = d.tenant_id and p.chatbot_id = d.chatbot_id and p.document_id = d.id;
drop policy owner_fills on documents;
drop policy owner_fills on passages;

-- Erases one session of the transaction's tenant as erase_chat_session does, and tells whose it was; no row when the tenant
-- has no such session.
create function erase_own_chat_session(
    p_session uuid, out chatbot uuid, out messages bigint, out feedback bigint, out filter_rows bigint
) returns setof record
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    select s.chatbot_id into chatbot
    from public.chat_sessions s
    where s.tenant_id = public.app_tenant_id() and s.id = p_session;
    if not found then
        return;
    end if;
    select e.messages, e.feedback, e.filter_rows into messages, feedback, filter_rows
    from public.erase_chat_session(public.app_tenant_id(), chatbot, p_session) e;
    return next;
end
$$;
revoke execute on function erase_own_chat_session(uuid) from public;
grant execute on function erase_own_chat_session(uuid) to svc_tenant;
