-- Changes of people at the identity provider. A change is committed here before the provider is called, and settled together
-- with its audit row.
create table people_changes (
    id uuid not null constraint people_changes_pkey primary key,
    tenant_id uuid not null constraint people_changes_tenant_id_fkey references tenants (id),
    action text not null,
    -- None while the provider has not named the person of an invitation.
    person_id uuid,
    username text not null,
    -- The change that is wanted: ids, names of fields and roles, hashes of texts.
    wanted jsonb not null,
    before jsonb not null,
    actor_role text not null constraint people_changes_actor_role_check check (actor_role in ('operator', 'tenant')),
    actor_realm text not null,
    actor_user text not null,
    ip_address text,
    session_id text,
    outcome text constraint people_changes_outcome_check check (outcome in ('done', 'failed')),
    begun_at timestamptz not null default now(),
    settled_at timestamptz,
    constraint people_changes_settled_check check ((outcome is null) = (settled_at is null))
);
create index people_changes_open_idx on people_changes (tenant_id, begun_at) where outcome is null;
create index people_changes_settled_idx on people_changes (settled_at) where settled_at is not null;
call protect_tenant_table('people_changes');
grant select, insert, update (outcome, settled_at, person_id) on people_changes to svc_tenant, svc_operator;
grant select (id, tenant_id, outcome, begun_at, settled_at), delete on people_changes to svc_system;

-- One change of a tenant's people at a time, so that the last administrator stays. Conflicts are counted here.
create table people_locks (
    tenant_id uuid not null constraint people_locks_pkey primary key
        constraint people_locks_tenant_id_fkey references tenants (id),
    holder uuid,
    held_until timestamptz,
    conflicts integer not null default 0,
    conflicts_since timestamptz not null default now()
);
call protect_tenant_table('people_locks');
grant select, insert, update (holder, held_until, conflicts, conflicts_since) on people_locks to svc_tenant, svc_operator;

-- When a token of a person was last seen, to the hour.
create table people_activity (
    tenant_id uuid not null constraint people_activity_tenant_id_fkey references tenants (id),
    realm text not null,
    username text not null,
    last_active_at timestamptz not null,
    constraint people_activity_pkey primary key (tenant_id, realm, username)
);
call protect_tenant_table('people_activity');
grant select, insert, update (last_active_at), delete on people_activity to svc_tenant;
grant select on people_activity to svc_operator;

-- Names of removed people, which the audit log still holds. Names are unique over all tenants, so no row is a tenant's.
create table retired_usernames (
    username_hash text not null constraint retired_usernames_pkey primary key,
    retired_at timestamptz not null default now()
);
alter table retired_usernames enable row level security;
alter table retired_usernames force row level security;
create policy system_all on retired_usernames to svc_system using (true) with check (true);
grant select, insert, delete on retired_usernames to svc_system;

-- What belongs to a person goes with the person, in a transaction in the name of that person.
grant delete on user_preferences to svc_tenant;
