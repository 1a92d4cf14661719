-- Which websites asked for a chatbot: one row for an origin, a day and what came of it. Nothing of a visitor: no address, no
-- path, no browser. What asked without naming a website has the origin ''.
create table widget_origins (
    tenant_id uuid not null,
    chatbot_id uuid not null,
    origin text not null constraint widget_origins_origin_check check (char_length(origin) <= 300),
    day date not null,
    outcome text not null constraint widget_origins_outcome_check check (outcome in (
        'accepted', 'origin_not_listed', 'no_origins_listed', 'chatbot_deactivated', 'origin_missing', 'origin_opaque',
        'origin_malformed'
    )),
    requests bigint not null constraint widget_origins_requests_check check (requests > 0),
    last_seen_at timestamptz not null,
    widget_version text constraint widget_origins_widget_version_check check (char_length(widget_version) <= 64),
    constraint widget_origins_pkey primary key (tenant_id, chatbot_id, origin, day, outcome),
    constraint widget_origins_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
        on delete cascade
);
-- What is too old.
create index widget_origins_day_idx on widget_origins using brin (day);
call protect_tenant_table('widget_origins');
grant select on widget_origins to svc_tenant;
grant select, insert, update, delete on widget_origins to svc_system;
