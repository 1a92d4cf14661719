-- Chatbots. Slug and template never change: no role may update those columns.
create table chatbots (
    id uuid not null constraint chatbots_pkey primary key,
    tenant_id uuid not null constraint chatbots_tenant_id_fkey references tenants (id),
    slug text not null constraint chatbots_slug_check check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
    name text not null constraint chatbots_name_check check (char_length(name) between 1 and 200),
    description text not null default '',
    language text not null,
    status text not null default 'active'
        constraint chatbots_status_check check (status in ('active', 'deactivated')),
    template_id text constraint chatbots_template_id_fkey references chatbot_templates (id),
    template_version integer,
    template_snapshot jsonb,
    system_prompt text not null default '',
    welcome_message text not null default '',
    suggested_questions text[] not null default '{}',
    fallback_message text not null default '',
    vector_collection text not null,
    provisioning text not null default 'pending'
        constraint chatbots_provisioning_check check (provisioning in ('pending', 'ready', 'failed')),
    embedding_model text,
    embedding_dimensions integer,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deactivated_at timestamptz,
    constraint chatbots_tenant_id_id_key unique (tenant_id, id),
    constraint chatbots_tenant_id_slug_key unique (tenant_id, slug),
    constraint chatbots_snapshot_check check ((template_id is null) = (template_snapshot is null))
);
call protect_tenant_table('chatbots');
-- provision_collection runs as the owner and asks whose chatbot it is.
create policy owner_reads on chatbots for select to current_user using (true);
grant select on chatbots to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert on chatbots to svc_tenant;
grant update (
    name, description, language, status, template_version, template_snapshot, system_prompt, welcome_message,
    suggested_questions, fallback_message, provisioning, embedding_model, embedding_dimensions, updated_at,
    deactivated_at
) on chatbots to svc_tenant;
grant update (provisioning, embedding_model, embedding_dimensions, updated_at) on chatbots to svc_system;
