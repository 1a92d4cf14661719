-- Tenants, the module registry and which tenant has which module.
create table tenants (
    id uuid not null constraint tenants_pkey primary key,
    slug text not null constraint tenants_slug_check check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
    display_name text not null constraint tenants_display_name_check check (char_length(display_name) between 1 and 200),
    default_language text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz
);
create unique index tenants_live_slug_key on tenants (slug) where deleted_at is null;
create index tenants_created_at_idx on tenants (created_at, id) where deleted_at is null;

alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenant_own on tenants for select to svc_tenant using (id = (select app_tenant_id()));
create policy widget_own on tenants for select to svc_widget using (id = (select app_tenant_id()));
create policy operator_all on tenants to svc_operator using (true) with check (true);
create policy vendor_all on tenants for select to svc_vendor using (true);
create policy system_all on tenants for select to svc_system using (true);
grant select on tenants to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert on tenants to svc_operator;
grant update (slug, display_name, default_language, updated_at, deleted_at) on tenants to svc_operator;

create table modules (
    id text not null constraint modules_pkey primary key
        constraint modules_id_check check (id ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    name text not null,
    description text not null,
    category text not null,
    is_always_on boolean not null default false,
    internal_only boolean not null default false,
    position integer not null
);
alter table modules enable row level security;
alter table modules force row level security;
-- Internal modules do not exist for a tenant.
create policy tenant_public on modules for select to svc_tenant using (not internal_only);
create policy operator_all on modules to svc_operator using (true) with check (true);
create policy vendor_all on modules for select to svc_vendor using (true);
create policy system_all on modules for select to svc_system using (true);
grant select on modules to svc_operator, svc_vendor, svc_tenant, svc_system;
grant insert, update on modules to svc_operator;

create table tenant_modules (
    tenant_id uuid not null constraint tenant_modules_tenant_id_fkey references tenants (id),
    module_id text not null constraint tenant_modules_module_id_fkey references modules (id),
    enabled_at timestamptz not null default now(),
    constraint tenant_modules_pkey primary key (tenant_id, module_id)
);
call protect_tenant_table('tenant_modules');
grant select on tenant_modules to svc_operator, svc_vendor, svc_tenant, svc_system;
grant insert, delete on tenant_modules to svc_operator, svc_vendor, svc_tenant;

insert into modules (id, name, description, category, is_always_on, internal_only, position) values
    ('chatbots', 'Chatbots', 'Chatbots that answer from the tenant''s documents.', 'core', true, false, 1),
    ('branding', 'Branding', 'Colours, texts and allowed origins of the widget.', 'core', true, false, 2),
    ('feedback', 'Feedback', 'Ratings and comments of visitors.', 'insight', false, false, 3),
    ('analytics', 'Analytics', 'Figures on questions and answers.', 'insight', false, false, 4),
    ('knowledge_hub', 'Knowledge hub', 'Search over the sources of the tenant''s chatbots.', 'knowledge', false, false, 5),
    ('audit_export', 'Audit export', 'Export of the platform audit log.', 'operations', false, true, 6);
