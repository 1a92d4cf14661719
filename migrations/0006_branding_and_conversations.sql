-- Branding, and what visitors asked, were told and thought of it.
create table tenant_branding (
    tenant_id uuid not null constraint tenant_branding_pkey primary key
        constraint tenant_branding_tenant_id_fkey references tenants (id),
    fields jsonb not null default '{}',
    custom_css text constraint tenant_branding_custom_css_check check (octet_length(custom_css) <= 20480),
    allowed_origins text[] not null default '{}'
        constraint tenant_branding_allowed_origins_check check (cardinality(allowed_origins) <= 20),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
call protect_tenant_table('tenant_branding');
grant select on tenant_branding to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
-- Only an operator writes custom_css.
grant insert (tenant_id, fields, allowed_origins), update (fields, allowed_origins, updated_at)
    on tenant_branding to svc_tenant;
grant insert, update on tenant_branding to svc_operator;

create table chatbot_branding (
    tenant_id uuid not null,
    chatbot_id uuid not null,
    fields jsonb not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint chatbot_branding_pkey primary key (tenant_id, chatbot_id),
    constraint chatbot_branding_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
call protect_tenant_table('chatbot_branding');
grant select on chatbot_branding to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert, update on chatbot_branding to svc_operator, svc_tenant;

create table chat_sessions (
    id uuid not null constraint chat_sessions_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    created_at timestamptz not null default now(),
    last_message_at timestamptz not null default now(),
    constraint chat_sessions_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint chat_sessions_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
create index chat_sessions_recent_idx on chat_sessions (tenant_id, chatbot_id, last_message_at desc);
call protect_tenant_table('chat_sessions');
grant select on chat_sessions to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert, update on chat_sessions to svc_widget;

create table chat_messages (
    id uuid not null constraint chat_messages_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    session_id uuid not null,
    position bigint generated always as identity,
    role text not null constraint chat_messages_role_check check (role in ('user', 'assistant')),
    content text not null,
    sources jsonb not null default '[]',
    citations jsonb not null default '[]',
    answered boolean not null default true,
    filtered boolean not null default false,
    created_at timestamptz not null default now(),
    constraint chat_messages_tenant_id_chatbot_id_id_key unique (tenant_id, chatbot_id, id),
    constraint chat_messages_session_fkey foreign key (tenant_id, chatbot_id, session_id)
        references chat_sessions (tenant_id, chatbot_id, id)
);
create index chat_messages_session_idx on chat_messages (tenant_id, session_id, position);
call protect_tenant_table('chat_messages');
grant select on chat_messages to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
grant insert on chat_messages to svc_widget;

create table chatbot_feedback (
    id uuid not null constraint chatbot_feedback_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    session_id uuid not null,
    message_id uuid not null,
    rating text not null constraint chatbot_feedback_rating_check check (rating in ('up', 'down')),
    category text constraint chatbot_feedback_category_check
        check (category in ('incorrect', 'incomplete', 'irrelevant', 'outdated', 'tone', 'other')),
    comment text constraint chatbot_feedback_comment_check check (char_length(comment) <= 2000),
    created_at timestamptz not null default now(),
    constraint chatbot_feedback_category_rating_check check (category is null or rating = 'down'),
    constraint chatbot_feedback_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id),
    constraint chatbot_feedback_session_fkey foreign key (tenant_id, chatbot_id, session_id)
        references chat_sessions (tenant_id, chatbot_id, id),
    constraint chatbot_feedback_message_fkey foreign key (tenant_id, chatbot_id, message_id)
        references chat_messages (tenant_id, chatbot_id, id)
);
create index chatbot_feedback_list_idx on chatbot_feedback (tenant_id, chatbot_id, created_at desc, id);
call protect_tenant_table('chatbot_feedback');
grant select on chatbot_feedback to svc_operator, svc_vendor, svc_tenant, svc_system;
grant insert on chatbot_feedback to svc_widget;
