-- What a tenant had on one day in UTC, as it was counted last on that day: numbers, without names and texts. It is erased with the
-- tenant's knowledge.
create table stored_days (
    tenant_id uuid not null constraint stored_days_tenant_id_fkey references tenants (id),
    day date not null,
    documents bigint not null constraint stored_days_documents_check check (documents >= 0),
    bytes bigint not null constraint stored_days_bytes_check check (bytes >= 0),
    passages bigint not null constraint stored_days_passages_check check (passages >= 0),
    pages bigint not null constraint stored_days_pages_check check (pages >= 0),
    chatbots bigint not null constraint stored_days_chatbots_check check (chatbots >= 0),
    recorded_at timestamptz not null default now(),
    constraint stored_days_pkey primary key (tenant_id, day)
);
call protect_tenant_table('stored_days');
grant select, insert, delete on stored_days to svc_tenant;
grant update (documents, bytes, passages, pages, chatbots, recorded_at) on stored_days to svc_tenant;
-- Which tenants are to be counted and which are to be erased.
grant select (tenant_id, day, recorded_at) on stored_days to svc_system;
