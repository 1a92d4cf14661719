-- Templates that chatbots are made from; they belong to the platform, not to a tenant.
create table chatbot_templates (
    id text not null constraint chatbot_templates_pkey primary key
        constraint chatbot_templates_id_check check (id ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    language text not null,
    status text not null default 'active'
        constraint chatbot_templates_status_check check (status in ('active', 'deactivated')),
    version integer not null default 1,
    name text not null,
    description text not null default '',
    suggested_system_prompt text not null default '',
    welcome_message text not null default '',
    suggested_questions text[] not null default '{}',
    fallback_message text not null default '',
    faq_seed jsonb not null default '[]',
    branding_defaults jsonb not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
alter table chatbot_templates enable row level security;
alter table chatbot_templates force row level security;
create policy tenant_active on chatbot_templates for select to svc_tenant using (status = 'active');
create policy operator_all on chatbot_templates to svc_operator using (true) with check (true);
create policy vendor_all on chatbot_templates to svc_vendor using (true) with check (true);
create policy system_all on chatbot_templates for select to svc_system using (true);
grant select on chatbot_templates to svc_operator, svc_vendor, svc_tenant, svc_system;
grant insert, update on chatbot_templates to svc_operator, svc_vendor;
