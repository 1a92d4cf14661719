-- How much a tenant may have, by the names of the quotas; one that is missing or null is the platform's default.
alter table tenants
    add column quotas jsonb not null default '{}' constraint tenants_quotas_check check (jsonb_typeof(quotas) = 'object');
grant update (quotas) on tenants to svc_operator;

-- What a tenant's visitors asked on one day in UTC, and what its answers of language models took. It stays when conversations and
-- chatbots are erased: it is what the tenant used.
create table usage_days (
    tenant_id uuid not null constraint usage_days_tenant_id_fkey references tenants (id),
    day date not null,
    questions bigint not null default 0 constraint usage_days_questions_check check (questions >= 0),
    -- Questions beyond the month's quota, which got the fallback message.
    refused_questions bigint not null default 0
        constraint usage_days_refused_questions_check check (refused_questions >= 0),
    model_answers bigint not null default 0 constraint usage_days_model_answers_check check (model_answers >= 0),
    prompt_tokens bigint not null default 0 constraint usage_days_prompt_tokens_check check (prompt_tokens >= 0),
    cached_tokens bigint not null default 0 constraint usage_days_cached_tokens_check check (cached_tokens >= 0),
    answer_tokens bigint not null default 0 constraint usage_days_answer_tokens_check check (answer_tokens >= 0),
    constraint usage_days_pkey primary key (tenant_id, day)
);
-- What was counted by month so far is of the month's first day.
insert into usage_days (tenant_id, day, model_answers, prompt_tokens, cached_tokens, answer_tokens)
select tenant_id, month, sum(answers), sum(prompt_tokens), sum(cached_tokens), sum(answer_tokens)
from model_usage
group by tenant_id, month;
call protect_tenant_table('usage_days');
grant select, insert on usage_days to svc_widget;
grant update (questions, refused_questions, model_answers, prompt_tokens, cached_tokens, answer_tokens)
    on usage_days to svc_widget;
grant select on usage_days to svc_tenant, svc_operator, svc_vendor;

-- An answer to a question beyond the month's quota: nothing was searched, so it is neither answered nor unanswered.
alter table chat_messages add column over_quota boolean not null default false;
