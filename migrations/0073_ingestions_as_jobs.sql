-- What a job found, for whoever follows it: an ingestion of the command line leaves its report.
alter table jobs add column result jsonb;
grant update (result) on jobs to svc_tenant;
