-- The roles that the platform runs as. Roles belong to the whole server, so they may exist already.
--
-- svc_app is the only role that logs in. It has no rights of its own and inherits none: each
-- transaction takes one of the other roles, whose grants and policies say what it may see and do.
do $$
declare
    v_role text;
begin
    foreach v_role in array array['svc_operator', 'svc_vendor', 'svc_tenant', 'svc_widget', 'svc_system'] loop
        begin
            execute format('create role %I nologin noinherit', v_role);
        exception when duplicate_object or unique_violation then null;
        end;
    end loop;
    begin
        create role svc_app login noinherit;
    exception when duplicate_object or unique_violation then null;
    end;
    foreach v_role in array array['svc_operator', 'svc_vendor', 'svc_tenant', 'svc_widget', 'svc_system'] loop
        if not pg_has_role('svc_app', v_role, 'member') then
            execute format('grant %I to svc_app', v_role);
        end if;
    end loop;
end
$$;

create extension if not exists vector;

revoke create on schema public from public;
grant usage on schema public to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;

-- The tenant of the transaction. After a commit a transaction-local setting reads as '', not null.
create function app_tenant_id() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.tenant_id', true), '')::uuid;

-- Row security of a table with a tenant_id: tenant and widget see the rows of the transaction's
-- tenant, the other roles see every row. Grants say which verbs each role has at all.
create procedure protect_tenant_table(p_table regclass)
    language plpgsql as $$
declare
    v_own constant text := 'tenant_id = (select app_tenant_id())';
begin
    execute format('alter table %s enable row level security', p_table);
    execute format('alter table %s force row level security', p_table);
    execute format('create policy tenant_own on %s to svc_tenant using (%s) with check (%s)', p_table, v_own, v_own);
    execute format('create policy widget_own on %s to svc_widget using (%s) with check (%s)', p_table, v_own, v_own);
    execute format('create policy operator_all on %s to svc_operator using (true) with check (true)', p_table);
    execute format('create policy vendor_all on %s to svc_vendor using (true) with check (true)', p_table);
    execute format('create policy system_all on %s to svc_system using (true) with check (true)', p_table);
end
$$;
revoke execute on procedure protect_tenant_table(regclass) from public;
