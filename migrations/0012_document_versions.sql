-- Every version of a document that was ever indexed; the newest is the one whose passages stand. Bookmarks, summaries
-- and facets of the planned search module name versions.
create table document_versions (
    id uuid not null constraint document_versions_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    document_id uuid not null,
    version integer not null,
    title text not null,
    content_hash text not null,
    passage_count integer not null,
    created_at timestamptz not null default now(),
    constraint document_versions_document_version_key unique (tenant_id, document_id, version),
    constraint document_versions_document_fkey foreign key (tenant_id, chatbot_id, document_id)
        references documents (tenant_id, chatbot_id, id) on delete cascade
);
call protect_tenant_table('document_versions');
grant select on document_versions to svc_operator, svc_vendor, svc_tenant, svc_system;
grant insert on document_versions to svc_tenant;

insert into document_versions (id, tenant_id, chatbot_id, document_id, version, title, content_hash, passage_count, created_at)
select gen_random_uuid(), tenant_id, chatbot_id, id, version, title, content_hash, passage_count, updated_at from documents;
