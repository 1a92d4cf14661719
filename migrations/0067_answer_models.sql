-- The language model that words the answers of a chatbot: the name of an endpoint of the settings, or 'quoted' for none. Null is what
-- the tenant has; of a tenant null is the endpoint 'default'.
alter table chatbots add column answer_model text
    constraint chatbots_answer_model_check check (answer_model ~ '^[a-z0-9][a-z0-9._-]{0,63}$');
grant update (answer_model) on chatbots to svc_tenant;
alter table tenants
    add column answer_model text constraint tenants_answer_model_check check (answer_model ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    -- Further endpoints that its chatbots may have.
    add column answer_models text[] not null default '{}';
grant update (answer_model, answer_models) on tenants to svc_operator;

-- What the answers cost, in millionths of the settings' currency, by the prices of their time.
alter table model_usage add column cost_micros bigint not null default 0
    constraint model_usage_cost_micros_check check (cost_micros >= 0);
grant update (cost_micros) on model_usage to svc_widget;
alter table usage_days add column cost_micros bigint not null default 0
    constraint usage_days_cost_micros_check check (cost_micros >= 0);
grant update (cost_micros) on usage_days to svc_widget;
