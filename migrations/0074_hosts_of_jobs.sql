-- One job at a time asks a host of the internet, of all tenants and processes. Jobs that were queued before have no host: they run as
-- they did.
alter table jobs add column host text;
create index jobs_host_idx on jobs (host) where state = 'running' and host is not null;
grant update (host) on jobs to svc_tenant;
