-- The knowledge hub: one process makes the summary of a version at a time, and sources are counted by how often they are opened.

-- Who makes the summary of a version. A lease that ran out belongs to a process that is gone.
create table kh_summary_leases (
    tenant_id uuid not null,
    document_id uuid not null,
    holder uuid not null,
    held_until timestamptz not null,
    constraint kh_summary_leases_pkey primary key (tenant_id, document_id),
    constraint kh_summary_leases_version_fkey foreign key (tenant_id, document_id)
        references document_versions (tenant_id, id) on delete cascade
);
alter table kh_summary_leases enable row level security;
alter table kh_summary_leases force row level security;
create policy tenant_own on kh_summary_leases to svc_tenant
    using (tenant_id = (select app_tenant_id())) with check (tenant_id = (select app_tenant_id()));
grant select, insert, delete on kh_summary_leases to svc_tenant;
grant update (holder, held_until) on kh_summary_leases to svc_tenant;

-- How often the people of the transaction's tenant opened documents of a source from searches of the last p_days: numbers, without
-- names, queries and documents.
create function knowledge_opened_sources(p_days integer)
    returns table (source_id uuid, opened bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select d.source_id, count(*)
    from public.kh_search_history h
    cross join lateral unnest(h.clicked_doc_ids) clicked (version_id)
    join public.document_versions v on v.tenant_id = h.tenant_id and v.id = clicked.version_id
    join public.documents d on d.tenant_id = v.tenant_id and d.id = v.document_id
    where h.tenant_id = public.app_tenant_id() and h.searched_at >= now() - make_interval(days => p_days)
    group by d.source_id
$$;
revoke execute on function knowledge_opened_sources(integer) from public;
grant execute on function knowledge_opened_sources(integer) to svc_tenant;
