-- What a chatbot knows: sources, their documents, and the passages in the chatbot's own collection.
create table chatbot_sources (
    id uuid not null constraint chatbot_sources_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    kind text not null constraint chatbot_sources_kind_check check (kind in ('faq_seed', 'files')),
    name text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint chatbot_sources_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint chatbot_sources_tenant_id_chatbot_id_name_key unique (tenant_id, chatbot_id, kind, name),
    constraint chatbot_sources_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
call protect_tenant_table('chatbot_sources');
grant select on chatbot_sources to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert, update, delete on chatbot_sources to svc_tenant;

create table documents (
    id uuid not null constraint documents_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    source_id uuid not null,
    path text not null,
    title text not null,
    content_hash text not null,
    version integer not null default 1,
    passage_count integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint documents_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint documents_source_path_key unique (tenant_id, source_id, path),
    constraint documents_source_fkey foreign key (tenant_id, chatbot_id, source_id)
        references chatbot_sources (tenant_id, chatbot_id, id)
);
call protect_tenant_table('documents');
grant select on documents to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert, update, delete on documents to svc_tenant;

-- One partition per chatbot is its vector collection: a global index with a chatbot filter would
-- lose nearly every hit. There is no foreign key to documents, because attaching a partition would
-- then lock that table; instead each partition checks tenant and chatbot, and a document's passages
-- are replaced and removed in the document's own transaction.
create table passages (
    id uuid not null,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    document_id uuid not null,
    ordinal integer not null,
    heading text not null,
    anchor text,
    content text not null,
    embedding vector not null,
    keywords tsvector not null,
    constraint passages_pkey primary key (chatbot_id, id)
) partition by list (chatbot_id);
create index passages_document_idx on passages (tenant_id, chatbot_id, document_id, ordinal);
call protect_tenant_table('passages');
grant select on passages to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert, delete on passages to svc_tenant;

-- The full-text configuration of a language tag.
create function text_search_config(p_language text) returns regconfig
    language sql immutable parallel safe
    return case split_part(p_language, '-', 1)
        when 'de' then 'pg_catalog.german'::regconfig
        when 'en' then 'pg_catalog.english'::regconfig
        when 'es' then 'pg_catalog.spanish'::regconfig
        when 'fr' then 'pg_catalog.french'::regconfig
        when 'it' then 'pg_catalog.italian'::regconfig
        when 'nl' then 'pg_catalog.dutch'::regconfig
        when 'pt' then 'pg_catalog.portuguese'::regconfig
        else 'pg_catalog.simple'::regconfig
    end;

-- Makes the collection of a chatbot of the transaction's tenant; does nothing when it stands.
-- The partition is reached through its parent only: no role has rights on it.
create function provision_collection(p_chatbot uuid, p_dimensions integer) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_tenant uuid;
    v_name constant text := 'passages_' || replace(p_chatbot::text, '-', '');
begin
    select tenant_id into v_tenant from public.chatbots where id = p_chatbot;
    if v_tenant is null or v_tenant is distinct from public.app_tenant_id() then
        raise exception 'chatbot % is not of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
    if to_regclass(format('public.%I', v_name)) is not null then
        return;
    end if;
    execute format('create table public.%I (like public.passages including defaults)', v_name);
    execute format('alter table public.%I add constraint %I check (chatbot_id = %L and tenant_id = %L)',
        v_name, v_name || '_own_check', p_chatbot, v_tenant);
    execute format('alter table public.%I enable row level security', v_name);
    execute format('alter table public.%I force row level security', v_name);
    execute format(
        'create index %I on public.%I using hnsw ((embedding::public.vector(%s)) public.vector_cosine_ops)',
        v_name || '_hnsw', v_name, p_dimensions);
    execute format('create index %I on public.%I using gin (keywords)', v_name || '_words', v_name);
    execute format('alter table public.passages attach partition public.%I for values in (%L)', v_name, p_chatbot);
end
$$;
revoke execute on function provision_collection(uuid, integer) from public;
grant execute on function provision_collection(uuid, integer) to svc_tenant;
