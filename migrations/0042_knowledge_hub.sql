-- The knowledge hub: a search over everything that a tenant's chatbots know. Bookmarks, history and saved searches belong to one
-- user; nobody else reads them, no colleague, no administrator and no operator.

-- The owner may be no superuser, and must see every row here.
alter table modules no force row level security;
alter table tenant_modules no force row level security;
alter table platform_audit_log no force row level security;
alter table platform_audit_log_archive no force row level security;

-- Whether a tenant's administrators switch the module themselves.
alter table modules add column self_service boolean not null default true;
update modules set self_service = false where id = 'knowledge_hub';

-- Operators decide about this module from now on: what tenants switched on themselves is off again. The latest row of the audit log
-- that names the module says who did.
delete from tenant_modules tm
where tm.module_id = 'knowledge_hub'
  and 'tenant' = (
      select l.actor_role
      from (
          select occurred_at, actor_role, tenant_id, action, entity_id, details from platform_audit_log
          union all
          select occurred_at, actor_role, tenant_id, action, entity_id, details from platform_audit_log_archive
      ) l
      where l.tenant_id = tm.tenant_id
        and (l.action = 'tenant_module.activated' and l.entity_id = tm.module_id
             or l.action = 'tenant_module.bulk_assigned' and l.details -> 'after' -> 'module_ids' ? tm.module_id)
      order by l.occurred_at desc
      limit 1
  );

alter table modules force row level security;
alter table tenant_modules force row level security;
alter table platform_audit_log force row level security;
alter table platform_audit_log_archive force row level security;

-- Row security of a table whose rows belong to one user of one tenant.
create procedure protect_user_table(p_table regclass)
    language plpgsql as $$
declare
    v_own constant text := 'tenant_id = (select app_tenant_id())
        and realm = (select current_setting(''app.realm'', true))
        and user_id = (select current_setting(''app.username'', true))';
begin
    execute format('alter table %s enable row level security', p_table);
    execute format('alter table %s force row level security', p_table);
    execute format('create policy user_own on %s to svc_tenant using (%s) with check (%s)', p_table, v_own, v_own);
end
$$;
revoke execute on procedure protect_user_table(regclass) from public;

-- A bookmark keeps its title when the document is gone.
create table kh_bookmarks (
    id uuid not null constraint kh_bookmarks_pkey primary key,
    tenant_id uuid not null constraint kh_bookmarks_tenant_id_fkey references tenants (id),
    realm text not null,
    user_id text not null constraint kh_bookmarks_user_id_check check (char_length(user_id) <= 255),
    -- A version of a document.
    document_id uuid not null,
    title text not null,
    note text constraint kh_bookmarks_note_check check (char_length(note) <= 2000),
    created_at timestamptz not null default now(),
    constraint kh_bookmarks_user_document_key unique (tenant_id, realm, user_id, document_id)
);
call protect_user_table('kh_bookmarks');
grant select, insert, delete on kh_bookmarks to svc_tenant;
grant update (note) on kh_bookmarks to svc_tenant;

create table kh_search_history (
    id bigint generated always as identity constraint kh_search_history_pkey primary key,
    tenant_id uuid not null constraint kh_search_history_tenant_id_fkey references tenants (id),
    realm text not null,
    user_id text not null constraint kh_search_history_user_id_check check (char_length(user_id) <= 255),
    query text not null,
    result_count integer not null,
    searched_at timestamptz not null default now(),
    clicked_doc_ids uuid[] not null default '{}'
);
create index kh_search_history_user_idx on kh_search_history (tenant_id, realm, user_id, searched_at desc, id desc);
create index kh_search_history_searched_idx on kh_search_history (searched_at);
call protect_user_table('kh_search_history');
-- Old searches are removed without being read.
create policy system_retention on kh_search_history to svc_system using (true) with check (true);
grant select, insert, delete on kh_search_history to svc_tenant;
grant update (clicked_doc_ids) on kh_search_history to svc_tenant;
grant select (id, searched_at), delete on kh_search_history to svc_system;

create table kh_saved_searches (
    id uuid not null constraint kh_saved_searches_pkey primary key,
    tenant_id uuid not null constraint kh_saved_searches_tenant_id_fkey references tenants (id),
    realm text not null,
    user_id text not null constraint kh_saved_searches_user_id_check check (char_length(user_id) <= 255),
    name text not null constraint kh_saved_searches_name_check check (char_length(name) between 1 and 255),
    query text not null,
    filters jsonb not null default '{}',
    created_at timestamptz not null default now()
);
create index kh_saved_searches_user_idx on kh_saved_searches (tenant_id, realm, user_id, created_at desc);
call protect_user_table('kh_saved_searches');
grant select, insert, delete on kh_saved_searches to svc_tenant;

-- The summary of a version of a document. It goes with the version, and when a newer version comes.
alter table document_versions add constraint document_versions_tenant_id_id_key unique (tenant_id, id);
create table kh_document_summaries (
    document_id uuid not null constraint kh_document_summaries_pkey primary key,
    tenant_id uuid not null,
    summary text not null,
    language text not null constraint kh_document_summaries_language_check check (char_length(language) <= 16),
    generated_at timestamptz not null default now(),
    model_version text not null constraint kh_document_summaries_model_version_check check (char_length(model_version) <= 64),
    constraint kh_document_summaries_version_fkey foreign key (tenant_id, document_id)
        references document_versions (tenant_id, id) on delete cascade
);
create index kh_document_summaries_tenant_idx on kh_document_summaries (tenant_id, document_id);
alter table kh_document_summaries enable row level security;
alter table kh_document_summaries force row level security;
create policy tenant_own on kh_document_summaries to svc_tenant
    using (tenant_id = (select app_tenant_id())) with check (tenant_id = (select app_tenant_id()));
grant select, insert, delete on kh_document_summaries to svc_tenant;

-- The owner may be no superuser, and row security is forced on the table.
create policy owner_insights on kh_search_history for select to current_user using (true);

-- What a tenant's people look for in vain: queries without a result or without a click that at least three people of the
-- transaction's tenant sent within the last p_days, without their names.
create function knowledge_insights(p_days integer)
    returns table (query text, searches bigint, people bigint, without_result bigint, without_click bigint, last_searched_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select lower(btrim(h.query)), count(*), count(distinct (h.realm, h.user_id)),
           count(*) filter (where h.result_count = 0),
           count(*) filter (where h.result_count > 0 and h.clicked_doc_ids = '{}'), max(h.searched_at)
    from public.kh_search_history h
    where h.tenant_id = public.app_tenant_id() and h.searched_at >= now() - make_interval(days => p_days)
      and (h.result_count = 0 or h.clicked_doc_ids = '{}')
    group by 1
    having count(distinct (h.realm, h.user_id)) >= 3
    order by count(*) filter (where h.result_count = 0) desc, count(*) desc, 1
    limit 100
$$;
revoke execute on function knowledge_insights(integer) from public;
grant execute on function knowledge_insights(integer) to svc_tenant;
