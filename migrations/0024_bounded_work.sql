-- A chatbot whose language changed gets the words of its passages again in the background. Until that is done, stale_words holds
-- the languages that words of some passages may still be in, and words_done the last passage, in the order of ids, whose words
-- are of the chatbot's language.
alter table chatbots
    add column stale_words text[] not null default '{}',
    add column words_done uuid,
    add column collection_dropped_at timestamptz;
create index chatbots_stale_words_idx on chatbots (tenant_id, id) where stale_words <> '{}';
grant update (stale_words, words_done, collection_dropped_at) on chatbots to svc_tenant;

-- Passages of chatbots that were deactivated long ago. They have no words and no vector index: when a chatbot is provisioned
-- again, its passages go back to a collection of their own. What was uploaded exists nowhere else, so it is never dropped.
create table kept_passages (
    id uuid not null,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    document_id uuid not null,
    ordinal integer not null,
    heading text not null,
    anchor text,
    content text not null,
    embedding vector not null,
    constraint kept_passages_pkey primary key (tenant_id, chatbot_id, id),
    constraint kept_passages_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
create index kept_passages_document_idx on kept_passages (tenant_id, chatbot_id, document_id);
call protect_tenant_table('kept_passages');
grant select on kept_passages to svc_system;
grant select, insert, delete on kept_passages to svc_tenant;

-- Drops the collection of a chatbot of the transaction's tenant; does nothing when there is none. A collection that holds a
-- passage stays. Dropping locks the table of all passages for a moment: when searches keep it from that, the call fails soon
-- and is made again later, so that nobody waits behind it.
create function drop_collection(p_chatbot uuid) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
    v_tenant uuid;
    v_name constant text := 'passages_' || replace(p_chatbot::text, '-', '');
    v_holds boolean;
begin
    select tenant_id into v_tenant from public.chatbots where id = p_chatbot;
    if v_tenant is null or v_tenant is distinct from public.app_tenant_id() then
        raise exception 'chatbot % is not of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
    if to_regclass(format('public.%I', v_name)) is null then
        return;
    end if;
    -- Row security holds for the owner, too, who would see no passage.
    execute format('alter table public.%I no force row level security', v_name);
    execute format('select exists (select from public.%I)', v_name) into v_holds;
    if v_holds then
        raise exception 'the collection of chatbot % holds passages', p_chatbot using errcode = 'object_in_use';
    end if;
    execute format('drop table public.%I', v_name);
end
$$;
revoke execute on function drop_collection(uuid) from public;
grant execute on function drop_collection(uuid) to svc_tenant;

-- As own_sessions_that_say(text), from at most so many messages, each with its session. Whoever gets that many knows that there
-- may be more.
create function own_sessions_that_say(p_pattern text, p_most integer) returns setof uuid
    language plpgsql stable security definer rows 100 set search_path = pg_catalog, public, pg_temp as $$
begin
    -- Planned for its own pattern.
    return query execute
        'select m.session_id from public.chat_messages m
         where m.tenant_id = public.app_tenant_id() and m.content ilike $1
         limit $2'
        using p_pattern, p_most;
end
$$;
revoke execute on function own_sessions_that_say(text, integer) from public;
grant execute on function own_sessions_that_say(text, integer) to svc_tenant;
