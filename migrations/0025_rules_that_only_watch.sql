-- How often rules of the output filter that only watch matched in answers, by day in UTC. Their matches leave no row in
-- output_filter_audit, which tells what was blocked or masked.
create table output_filter_watched (
    tenant_id uuid not null,
    chatbot_id uuid not null,
    day date not null,
    rule text not null,
    category text not null,
    matches bigint not null constraint output_filter_watched_matches_check check (matches > 0),
    constraint output_filter_watched_pkey primary key (tenant_id, chatbot_id, day, rule, category),
    constraint output_filter_watched_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
        on delete cascade
);
call protect_tenant_table('output_filter_watched');
grant select, insert on output_filter_watched to svc_widget;
grant update (matches) on output_filter_watched to svc_widget;
grant select on output_filter_watched to svc_operator, svc_vendor;
