-- The platform audit log: every role appends within its own reach, only operators and vendors
-- read, and no role changes or removes a row.
create table platform_audit_log (
    id uuid not null constraint platform_audit_log_pkey primary key,
    occurred_at timestamptz not null default clock_timestamp(),
    actor_role text not null constraint platform_audit_log_actor_role_check
        check (actor_role in ('operator', 'vendor', 'tenant', 'anonymous')),
    actor_user text not null,
    actor_idp_id text,
    tenant_id uuid,
    chatbot_id uuid,
    action text not null,
    entity_type text not null,
    entity_id text not null,
    ip_address text,
    session_id text,
    details jsonb not null default '{}'
);
create index platform_audit_log_recent_idx on platform_audit_log (occurred_at desc, id desc);
create index platform_audit_log_tenant_idx on platform_audit_log (tenant_id, occurred_at desc);
create index platform_audit_log_action_idx on platform_audit_log (action, occurred_at desc);
create index platform_audit_log_entity_idx on platform_audit_log (entity_id, occurred_at desc);

alter table platform_audit_log enable row level security;
alter table platform_audit_log force row level security;
create policy tenant_appends on platform_audit_log for insert to svc_tenant
    with check (tenant_id = (select app_tenant_id()) and actor_role = 'tenant');
create policy widget_appends on platform_audit_log for insert to svc_widget
    with check (tenant_id = (select app_tenant_id()) and actor_role = 'anonymous');
create policy operator_appends on platform_audit_log for insert to svc_operator with check (actor_role = 'operator');
create policy vendor_appends on platform_audit_log for insert to svc_vendor with check (actor_role = 'vendor');
create policy operator_reads on platform_audit_log for select to svc_operator using (true);
create policy vendor_reads on platform_audit_log for select to svc_vendor using (true);
grant insert on platform_audit_log to svc_operator, svc_vendor, svc_tenant, svc_widget;
grant select on platform_audit_log to svc_operator, svc_vendor;
