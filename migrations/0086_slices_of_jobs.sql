-- A job that lets others go first, or loses its worker, continues at its checkpoint. It may hold text of a document, so it is removed
-- when the job ends. worked_ms is the time that workers have spent on the job before the current slice.
alter table jobs
    add column checkpoint text,
    add column worked_ms bigint not null default 0;
grant update (checkpoint, worked_ms, is_large) on jobs to svc_tenant;
grant update (checkpoint, worked_ms) on jobs to svc_system;
-- Whoever takes the next job of all tenants needs neither texts nor results.
revoke select on jobs from svc_system;
grant select (id, tenant_id, chatbot_id, kind, payload, state, is_large, done, total, attempts, run_after, worker, leased_until, error,
              created_at, started_at, finished_at, storage_id, host, worked_ms) on jobs to svc_system;
