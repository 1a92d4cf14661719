-- Background work of tenants. A worker of any process takes a job for a lease, which it extends while it works. A job whose worker
-- died is taken again when its lease has run out. Every transaction of a job first checks that the worker still holds the lease.
create table jobs (
    id uuid not null constraint jobs_pkey primary key,
    tenant_id uuid not null constraint jobs_tenant_id_fkey references tenants (id),
    chatbot_id uuid not null,
    kind text not null,
    payload jsonb not null default '{}',
    state text not null default 'queued'
        constraint jobs_state_check check (state in ('queued', 'running', 'done', 'failed', 'canceled')),
    is_large boolean not null default false,
    done integer not null default 0,
    total integer,
    attempts integer not null default 0,
    run_after timestamptz not null default now(),
    worker uuid,
    leased_until timestamptz,
    error text,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    constraint jobs_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint jobs_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id),
    constraint jobs_lease_check check ((state = 'running') = (worker is not null and leased_until is not null)),
    constraint jobs_finished_check check ((state in ('done', 'failed', 'canceled')) = (finished_at is not null))
);
create index jobs_open_idx on jobs (tenant_id, is_large, run_after, id) where state in ('queued', 'running');
create index jobs_started_idx on jobs (tenant_id, started_at);
create index jobs_finished_idx on jobs (finished_at) where finished_at is not null;
call protect_tenant_table('jobs');
grant select on jobs to svc_tenant, svc_system;
grant insert on jobs to svc_tenant;
grant update (state, done, total, attempts, run_after, worker, leased_until, error, started_at, finished_at)
    on jobs to svc_tenant, svc_system;
grant delete on jobs to svc_system;

-- Sources that a tenant fills.
alter table chatbot_sources
    drop constraint chatbot_sources_kind_check,
    add constraint chatbot_sources_kind_check check (kind in ('faq_seed', 'files', 'faq', 'upload', 'api'));

-- What is stored outside of the database. A row is written before its first byte and erased after its last, so that no crash
-- leaves bytes that nobody knows of: whatever has a time in erase_after is erased then.
create table originals (
    id uuid not null constraint originals_pkey primary key,
    tenant_id uuid not null constraint originals_tenant_id_fkey references tenants (id),
    erase_after timestamptz,
    created_at timestamptz not null default now(),
    constraint originals_tenant_id_id_key unique (tenant_id, id)
);
create index originals_erase_idx on originals (erase_after) where erase_after is not null;
call protect_tenant_table('originals');
grant select on originals to svc_system;
grant select, insert, update (erase_after), delete on originals to svc_tenant;
grant delete on originals to svc_system;

-- Files that tenants upload. An ordinary file becomes one document, an archive one for each file in it. The documents stay
-- until the new content has been read.
create table uploads (
    id uuid not null constraint uploads_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    source_id uuid not null,
    external_id text not null constraint uploads_external_id_check check (char_length(external_id) between 1 and 500),
    file_type text not null constraint uploads_file_type_check check (file_type ~ '^[a-z.]+$'),
    content_hash text not null constraint uploads_content_hash_check check (content_hash ~ '^[0-9a-f]{64}$'),
    bytes bigint not null,
    original_id uuid not null,
    state text not null default 'waiting'
        constraint uploads_state_check check (state in ('waiting', 'reading', 'ready', 'failed')),
    code text constraint uploads_code_check check (code ~ '^[a-z_]+$'),
    detail text,
    skipped jsonb not null default '[]',
    job_id uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint uploads_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint uploads_source_external_id_key unique (tenant_id, source_id, external_id),
    constraint uploads_source_fkey foreign key (tenant_id, chatbot_id, source_id)
        references chatbot_sources (tenant_id, chatbot_id, id),
    constraint uploads_original_fkey foreign key (tenant_id, original_id) references originals (tenant_id, id),
    constraint uploads_code_state_check check (code is null or state = 'failed')
);
create index uploads_original_idx on uploads (tenant_id, original_id);
call protect_tenant_table('uploads');
grant select, insert, delete on uploads to svc_tenant;
grant update (file_type, content_hash, bytes, original_id, state, code, detail, skipped, job_id, updated_at) on uploads to svc_tenant;

alter table documents
    add column upload_id uuid,
    add constraint documents_upload_fkey foreign key (tenant_id, chatbot_id, upload_id)
        references uploads (tenant_id, chatbot_id, id);
create index documents_upload_idx on documents (tenant_id, upload_id) where upload_id is not null;
create index documents_content_hash_idx on documents (tenant_id, chatbot_id, content_hash);
