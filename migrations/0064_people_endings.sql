-- The people of a deleted tenant are signed out and deactivated at the identity provider. That is wanted in the transaction that
-- deletes the tenant, and done after it.
create table people_endings (
    tenant_id uuid not null constraint people_endings_pkey primary key
        constraint people_endings_tenant_id_fkey references tenants (id),
    actor_realm text not null,
    actor_user text not null,
    ip_address text,
    session_id text,
    wanted_at timestamptz not null default now(),
    done_at timestamptz
);
create index people_endings_open_idx on people_endings (tenant_id) where done_at is null;
call protect_tenant_table('people_endings');
grant select, insert, update (done_at) on people_endings to svc_operator;
grant select (tenant_id, wanted_at, done_at) on people_endings to svc_system;
