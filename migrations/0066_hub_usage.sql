-- How much the knowledge hub is used, by tenant and day (in UTC): numbers alone, so that operators see them and never read what was
-- searched.
create table kh_usage (
    tenant_id uuid not null constraint kh_usage_tenant_id_fkey references tenants (id),
    day date not null,
    searches bigint not null constraint kh_usage_searches_check check (searches >= 0),
    without_result bigint not null constraint kh_usage_without_result_check check (without_result >= 0),
    -- Results that were opened.
    opened bigint not null constraint kh_usage_opened_check check (opened >= 0),
    constraint kh_usage_pkey primary key (tenant_id, day)
);
create index kh_usage_day_idx on kh_usage (day);
alter table kh_usage enable row level security;
alter table kh_usage force row level security;
create policy tenant_own on kh_usage to svc_tenant
    using (tenant_id = (select app_tenant_id())) with check (tenant_id = (select app_tenant_id()));
create policy operator_read on kh_usage for select to svc_operator using (true);
create policy vendor_read on kh_usage for select to svc_vendor using (true);
grant select, insert on kh_usage to svc_tenant;
grant update (searches, without_result, opened) on kh_usage to svc_tenant;
grant select on kh_usage to svc_operator, svc_vendor;
