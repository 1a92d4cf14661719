-- Answers of calls with an Idempotency-Key, which a repeated call gets again within 24 hours. Principal and key are hashes. The
-- answer is encrypted with a secret that only the caller's key gives, because it may have secrets that are stored nowhere else.
create table idempotency_keys (
    -- Null for operators and vendors.
    tenant_id uuid
        constraint idempotency_keys_tenant_fkey references tenants (id),
    principal_sha256 bytea not null
        constraint idempotency_keys_principal_check check (octet_length(principal_sha256) = 32),
    key_sha256 bytea not null
        constraint idempotency_keys_key_check check (octet_length(key_sha256) = 32),
    request_sha256 bytea not null
        constraint idempotency_keys_request_check check (octet_length(request_sha256) = 32),
    created_at timestamptz not null default now(),
    -- Null while the call runs.
    finished_at timestamptz,
    -- Null when the answer was too large to be kept.
    answer bytea,
    constraint idempotency_keys_key unique nulls not distinct (tenant_id, principal_sha256, key_sha256)
);
create index idempotency_keys_created_idx on idempotency_keys (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy tenant_own on idempotency_keys to svc_tenant
    using (tenant_id = (select app_tenant_id())) with check (tenant_id = (select app_tenant_id()));
create policy platform_own on idempotency_keys to svc_operator, svc_vendor
    using (tenant_id is null) with check (tenant_id is null);
create policy system_all on idempotency_keys to svc_system using (true) with check (true);
grant select, insert, delete on idempotency_keys to svc_operator, svc_vendor, svc_tenant;
grant update (request_sha256, created_at, finished_at, answer) on idempotency_keys to svc_operator, svc_vendor, svc_tenant;
grant select (created_at), delete on idempotency_keys to svc_system;
