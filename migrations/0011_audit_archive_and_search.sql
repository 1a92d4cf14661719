-- Retention of the audit log, search in its details, and the logins of vendors.

-- Rows over two years old; the reader sees only the live table (specification, Limits).
create table platform_audit_log_archive (
    like platform_audit_log including defaults including constraints,
    archived_at timestamptz not null default now(),
    constraint platform_audit_log_archive_pkey primary key (id)
);
create index platform_audit_log_archive_tenant_idx on platform_audit_log_archive (tenant_id, occurred_at desc);
alter table platform_audit_log_archive enable row level security;
alter table platform_audit_log_archive force row level security;
create policy owner_moves on platform_audit_log to current_user using (true) with check (true);
create policy owner_moves on platform_audit_log_archive to current_user using (true) with check (true);

-- Moves at most p_batch rows that are older than 730 days, oldest first, and tells how many. The age is no parameter:
-- no runtime role may take a younger row out of the log.
create function archive_audit_log(p_batch integer) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_moved bigint;
begin
    with expired as (
        select id from public.platform_audit_log
        where occurred_at < now() - interval '730 days'
        order by occurred_at, id
        limit p_batch
        for update skip locked
    ), moved as (
        delete from public.platform_audit_log l using expired e where l.id = e.id returning l.*
    )
    insert into public.platform_audit_log_archive select moved.* from moved;
    get diagnostics v_moved = row_count;
    return v_moved;
end
$$;
revoke execute on function archive_audit_log(integer) from public;
grant execute on function archive_audit_log(integer) to svc_system;

-- json_search: a case-insensitive substring of the details' text.
create extension if not exists pg_trgm;
create index platform_audit_log_details_idx on platform_audit_log using gin ((details::text) gin_trgm_ops);

-- Every filter of the reader has an index that ends in the list's order.
create index platform_audit_log_chatbot_idx on platform_audit_log (chatbot_id, occurred_at desc, id desc)
    where chatbot_id is not null;
create index platform_audit_log_user_idx on platform_audit_log (actor_user, occurred_at desc, id desc);
create index platform_audit_log_role_idx on platform_audit_log (actor_role, occurred_at desc, id desc);
create index platform_audit_log_type_idx on platform_audit_log (entity_type, occurred_at desc, id desc);
-- Which filters go together, so that a combination that hardly occurs is not looked for row by row.
create statistics platform_audit_log_together (mcv)
    on tenant_id, actor_role, actor_user, action, entity_type from platform_audit_log;

-- Logins of vendors, copied from the identity provider's events.
create table vendor_access_log (
    id bigint generated always as identity constraint vendor_access_log_pkey primary key,
    event_key text not null constraint vendor_access_log_event_key_key unique,
    occurred_at timestamptz not null,
    event_type text not null,
    username text not null,
    client_id text not null,
    session_id text,
    ip_address text,
    recorded_at timestamptz not null default now()
);
create index vendor_access_log_occurred_at_idx on vendor_access_log (occurred_at desc, id desc);
alter table vendor_access_log enable row level security;
alter table vendor_access_log force row level security;
create policy system_appends on vendor_access_log to svc_system using (true) with check (true);
create policy operator_reads on vendor_access_log for select to svc_operator using (true);
create policy vendor_reads on vendor_access_log for select to svc_vendor using (true);
grant select, insert on vendor_access_log to svc_system;
grant select on vendor_access_log to svc_operator, svc_vendor;

-- Who was seen with a vendor's token: events name the user, not the role.
create table vendor_accounts (
    username text not null constraint vendor_accounts_pkey primary key,
    known_since timestamptz not null default now()
);
alter table vendor_accounts enable row level security;
alter table vendor_accounts force row level security;
create policy system_appends on vendor_accounts to svc_system using (true) with check (true);
grant select, insert on vendor_accounts to svc_system;

-- A template's changes may be taken over in any scope; slug and template stay out of reach.
grant update (
    name, description, template_version, template_snapshot, system_prompt, welcome_message, suggested_questions,
    fallback_message, provisioning, updated_at
) on chatbots to svc_operator, svc_vendor;
grant insert, update on chatbot_branding to svc_vendor;
-- A chatbot whose language changed gets its keywords anew.
grant update (keywords) on passages to svc_tenant;
