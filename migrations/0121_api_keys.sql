-- Keys with which a tenant's own programs call the API. A key itself is not stored: only its HMAC, and the letters that it begins
-- with, by which it is looked up before its tenant is known.
alter table tenants add column api_keys_allowed boolean not null default true;
grant update (api_keys_allowed) on tenants to svc_operator;

create table api_keys (
    id uuid not null constraint api_keys_pkey primary key,
    tenant_id uuid not null constraint api_keys_tenant_id_fkey references tenants (id),
    name text not null constraint api_keys_name_check check (char_length(name) between 1 and 100),
    prefix text not null constraint api_keys_prefix_key unique
        constraint api_keys_prefix_check check (prefix ~ '^[0-9A-Za-z]{8}$'),
    hash bytea not null constraint api_keys_hash_check check (octet_length(hash) = 32),
    scopes text[] not null constraint api_keys_scopes_check check (cardinality(scopes) > 0),
    -- All chatbots when null. No foreign keys: the id of a chatbot that is gone opens nothing.
    chatbot_ids uuid[] constraint api_keys_chatbot_ids_check check (cardinality(chatbot_ids) > 0),
    -- Networks; every address when empty.
    allowed_addresses text[] not null default '{}',
    expires_at timestamptz,
    created_by text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    last_used_at timestamptz,
    revoked_at timestamptz
);
-- The audit log names a key by its name.
create unique index api_keys_live_name_key on api_keys (tenant_id, name) where revoked_at is null;
create index api_keys_tenant_id_idx on api_keys (tenant_id, created_at desc, id);
call protect_tenant_table('api_keys');
grant select (
    id, tenant_id, name, prefix, scopes, chatbot_ids, allowed_addresses, expires_at, created_by, created_at, updated_at,
    last_used_at, revoked_at
) on api_keys to svc_tenant;
grant insert on api_keys to svc_tenant;
grant update (name, scopes, chatbot_ids, allowed_addresses, expires_at, updated_at, revoked_at) on api_keys to svc_tenant;
grant select (tenant_id, expires_at, last_used_at, revoked_at) on api_keys to svc_operator, svc_vendor;
grant select, update (last_used_at) on api_keys to svc_system;

-- The secret that these HMACs are made with. Only the server itself reads it.
create table server_secrets (
    name text not null constraint server_secrets_pkey primary key,
    secret bytea not null constraint server_secrets_secret_check check (octet_length(secret) = 32)
);
insert into server_secrets (name, secret)
values ('api_keys', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
alter table server_secrets enable row level security;
alter table server_secrets force row level security;
create policy system_reads on server_secrets for select to svc_system using (true);
grant select on server_secrets to svc_system;
