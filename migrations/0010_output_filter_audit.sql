-- What the output filter caught in answers; operators and vendors export it. No retention rule.
create table output_filter_audit (
    id uuid not null constraint output_filter_audit_pkey primary key,
    tenant_id uuid not null,
    chatbot_id uuid not null,
    -- No foreign key: a session may be erased, and a trigger may come before the session is stored.
    session_id uuid,
    user_question text not null,
    matched_pattern text not null,
    category text not null,
    filter_layer text not null
        constraint output_filter_audit_filter_layer_check check (filter_layer in ('post_stream', 'inline')),
    language text,
    created_at timestamptz not null default clock_timestamp(),
    excerpt text not null,
    full_output text not null,
    constraint output_filter_audit_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
create index output_filter_audit_export_idx on output_filter_audit (created_at, id);
create index output_filter_audit_tenant_export_idx on output_filter_audit (tenant_id, created_at, id);
call protect_tenant_table('output_filter_audit');
grant select on output_filter_audit to svc_operator, svc_vendor;
grant insert on output_filter_audit to svc_widget;
