-- Websites that a chatbot reads: a source with an address, the pages that were found there, and who may read which host.
alter table chatbot_sources
    drop constraint chatbot_sources_kind_check,
    add constraint chatbot_sources_kind_check
        check (kind in ('faq_seed', 'files', 'faq', 'upload', 'api', 'website'));

create table websites (
    source_id uuid not null constraint websites_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    url text not null,
    include text[] not null default '{}',
    exclude text[] not null default '{}',
    max_pages integer not null,
    max_depth integer not null,
    schedule text not null constraint websites_schedule_check check (schedule in ('manual', 'hourly', 'daily', 'weekly')),
    is_paused boolean not null default false,
    -- The tenant has seen the pages that were found and wants them read.
    is_approved boolean not null default false,
    -- What the site shows to prove whose it is.
    token text not null,
    proven_by text constraint websites_proven_by_check check (proven_by in ('snippet', 'meta_tag', 'file', 'operator')),
    proven_at timestamptz,
    state text not null default 'checking' constraint websites_state_check
        check (state in ('checking', 'unproven', 'previewing', 'previewed', 'reading', 'ready', 'failed')),
    code text constraint websites_code_check check (code ~ '^[a-z_0-9]+$'),
    detail text,
    job_id uuid,
    requested_by text,
    -- Of the job that runs: what it has learned about the site, and what it has done so far.
    prepared_by uuid,
    origin text,
    robots text,
    missing_hash text,
    fetched_bytes bigint not null default 0,
    pages_added integer not null default 0,
    pages_changed integer not null default 0,
    pages_removed integer not null default 0,
    started_at timestamptz,
    synced_at timestamptz,
    next_sync_at timestamptz,
    constraint websites_source_fkey foreign key (tenant_id, chatbot_id, source_id)
        references chatbot_sources (tenant_id, chatbot_id, id)
);
create index websites_chatbot_idx on websites (tenant_id, chatbot_id);
create index websites_due_idx on websites (next_sync_at) where next_sync_at is not null;
call protect_tenant_table('websites');
grant select, insert, delete on websites to svc_tenant;
grant update (
    include, exclude, max_pages, max_depth, schedule, is_paused, is_approved, proven_by, proven_at, state, code, detail, job_id,
    requested_by, prepared_by, origin, robots, missing_hash, fetched_bytes, pages_added, pages_changed, pages_removed, started_at,
    synced_at, next_sync_at
) on websites to svc_tenant;
grant select (source_id, tenant_id, next_sync_at) on websites to svc_system;

-- A page stays when it is gone for the moment: it is removed when a second look finds nothing either.
create table website_pages (
    id uuid not null constraint website_pages_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    source_id uuid not null,
    url text not null,
    depth integer not null,
    state text not null default 'waiting' constraint website_pages_state_check
        check (state in ('waiting', 'found', 'ready', 'left_out', 'failed', 'missing')),
    code text constraint website_pages_code_check check (code ~ '^[a-z_0-9]+$'),
    detail text,
    title text not null default '',
    etag text,
    last_modified text,
    content_hash text,
    reader_version integer,
    -- The job that looked at it last.
    job_id uuid,
    missing_since timestamptz,
    checked_at timestamptz,
    changed_at timestamptz,
    created_at timestamptz not null default now(),
    constraint website_pages_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint website_pages_source_url_key unique (tenant_id, source_id, url),
    constraint website_pages_source_fkey foreign key (tenant_id, chatbot_id, source_id)
        references chatbot_sources (tenant_id, chatbot_id, id)
);
create index website_pages_missing_idx on website_pages (missing_since) where missing_since is not null;
call protect_tenant_table('website_pages');
grant select, insert, delete on website_pages to svc_tenant;
grant update (
    depth, state, code, detail, title, etag, last_modified, content_hash, reader_version, job_id, missing_since, checked_at, changed_at
) on website_pages to svc_tenant;
grant select (tenant_id, source_id, missing_since) on website_pages to svc_system;

-- What a preview fetched, until the page is read or the preview is old.
create table website_bodies (
    page_id uuid not null constraint website_bodies_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    file_type text not null,
    body bytea not null,
    created_at timestamptz not null default now(),
    constraint website_bodies_page_fkey foreign key (tenant_id, chatbot_id, page_id)
        references website_pages (tenant_id, chatbot_id, id)
);
create index website_bodies_tenant_idx on website_bodies (tenant_id, page_id);
create index website_bodies_created_idx on website_bodies (created_at);
call protect_tenant_table('website_bodies');
grant select, insert, delete on website_bodies to svc_tenant;
grant select (created_at), delete on website_bodies to svc_system;

-- Hosts that an operator lets a tenant read without a proof.
create table allowed_hosts (
    tenant_id uuid not null constraint allowed_hosts_tenant_id_fkey references tenants (id),
    host text not null constraint allowed_hosts_host_check check (char_length(host) between 1 and 253),
    allowed_by text not null,
    created_at timestamptz not null default now(),
    constraint allowed_hosts_pkey primary key (tenant_id, host)
);
call protect_tenant_table('allowed_hosts');
grant select on allowed_hosts to svc_tenant, svc_operator, svc_vendor;
grant insert, delete on allowed_hosts to svc_operator;
