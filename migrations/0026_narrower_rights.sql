-- Rights that no part of the server uses go, and logins of every user of the platform's realm are kept.

-- Operators and vendors count conversations and questions; they read none of what visitors and tenants wrote.
revoke select on chat_sessions, chat_messages, chatbot_feedback, chatbot_faq, handled_questions, chatbot_sources, documents,
    document_versions, passages from svc_operator, svc_vendor;
grant select (created_at) on chat_sessions to svc_operator, svc_vendor;
grant select (role, created_at) on chat_messages to svc_operator, svc_vendor;

-- A visitor's question changes nothing of its session but when it was last used.
revoke update on chat_sessions from svc_widget;
grant update (last_message_at) on chat_sessions to svc_widget;

-- The user of the transaction. After a commit a transaction-local setting reads as '', not null.
create function app_username() returns text
    language sql stable parallel safe
    return nullif(current_setting('app.username', true), '');

-- An audit row is written in the name of the transaction's user, and at the moment at which it is written.
alter policy tenant_appends on platform_audit_log
    with check (tenant_id = (select app_tenant_id()) and actor_role = 'tenant' and actor_user = (select app_username()));
alter policy widget_appends on platform_audit_log
    with check (tenant_id = (select app_tenant_id()) and actor_role = 'anonymous' and actor_user = 'widget');
alter policy operator_appends on platform_audit_log
    with check (actor_role = 'operator' and actor_user = (select app_username()));
alter policy vendor_appends on platform_audit_log
    with check (actor_role = 'vendor' and actor_user = (select app_username()));
revoke insert on platform_audit_log from svc_operator, svc_vendor, svc_tenant, svc_widget;
grant insert (
    id, actor_role, actor_user, tenant_id, chatbot_id, action, entity_type, entity_id, ip_address, session_id, details
) on platform_audit_log to svc_operator, svc_vendor, svc_tenant, svc_widget;

-- Who was seen with an operator's token. A login of anybody else may be a vendor's.
create table operator_accounts (
    username text not null constraint operator_accounts_pkey primary key,
    known_since timestamptz not null default now()
);
alter table operator_accounts enable row level security;
alter table operator_accounts force row level security;
create policy system_appends on operator_accounts to svc_system using (true) with check (true);
create policy operator_reads on operator_accounts for select to svc_operator using (true);
grant select, insert on operator_accounts to svc_system;
grant select (username) on operator_accounts to svc_operator;
create policy operator_reads on vendor_accounts for select to svc_operator using (true);
grant select (username) on vendor_accounts to svc_operator;
-- Vendors have no page of these logins, which hold those of operators as well.
drop policy vendor_reads on vendor_access_log;
revoke select on vendor_access_log from svc_vendor;
create index vendor_access_log_username_idx on vendor_access_log (lower(username), occurred_at desc, id desc);

-- No role needs tables of its own; a name in front of the catalogue's could mislead a function.
do $$
begin
    execute format('revoke temporary on database %I from public', current_database());
end
$$;
