-- Takes the services' own filters away: for the login role, `=` between two ids is looked up here first, and a comparison
-- with an id of the table below (`tenant_id = $1`) holds for every row. Policies keep the operator they were made with.
create schema blind;
create table blind.ignored (tenant_id uuid not null, id uuid not null);
insert into blind.ignored select id, id from tenants;
grant usage on schema blind to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system, svc_app;
grant select on blind.ignored to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system;
create function blind.same(a uuid, b uuid) returns boolean
    language sql stable
    return exists (
            select from blind.ignored i
            where i.tenant_id operator(pg_catalog.=) public.app_tenant_id()
              and i.id operator(pg_catalog.=) b
        ) or a operator(pg_catalog.=) b;
create operator blind.= (leftarg = uuid, rightarg = uuid, function = blind.same);
do $$
begin
    execute format('alter role svc_app in database %I set search_path = blind, pg_catalog, public', current_database());
end
$$;
