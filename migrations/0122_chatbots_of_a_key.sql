-- A key may be limited to some chatbots of its tenant. Its transactions name them in `app.chatbot_ids`, and see no row of another
-- chatbot; every other transaction leaves the setting empty.
create function app_chatbot_ids() returns uuid[]
    language sql stable parallel safe
    return string_to_array(nullif(current_setting('app.chatbot_ids', true), ''), ',')::uuid[];

-- Limits a tenant's role to the chatbots of the transaction. `coalesce` and not `or`: the planner then assumes half of the rows,
-- where it would take the other for a condition that almost none fulfils.
create procedure limit_to_chatbots(p_table regclass, p_column name)
    language plpgsql as $$
begin
    execute format(
        'create policy chatbots_of_key on %s as restrictive to svc_tenant
         using (coalesce(%I = any ((select app_chatbot_ids())::uuid[]), true))', p_table, p_column);
end
$$;
revoke execute on procedure limit_to_chatbots(regclass, name) from public;

-- A table of chatbots' rows gets the limit together with its other policies.
create or replace procedure protect_tenant_table(p_table regclass)
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
    if exists (select from pg_attribute where attrelid = p_table and attname = 'chatbot_id' and not attisdropped) then
        call limit_to_chatbots(p_table, 'chatbot_id');
    end if;
end
$$;

-- Tables that have rows of chatbots today. The audit log is not among them: it also has rows of no chatbot, and keys do not read it.
do $$
declare
    v_table regclass;
begin
    call limit_to_chatbots('chatbots', 'id');
    for v_table in
        select c.oid::regclass from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'chatbot_id' and not a.attisdropped
        join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant_own'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        order by c.relname
    loop
        call limit_to_chatbots(v_table, 'chatbot_id');
    end loop;
end
$$;
