-- What an answer of a language model took, also one that was replaced by a quoted one: null when no model was asked.
alter table chat_messages
    add column prompt_tokens integer constraint chat_messages_prompt_tokens_check check (prompt_tokens >= 0),
    add column cached_tokens integer constraint chat_messages_cached_tokens_check check (cached_tokens >= 0),
    add column answer_tokens integer constraint chat_messages_answer_tokens_check check (answer_tokens >= 0);

-- The same by chatbot and month (its first day, in UTC). It stays when conversations are erased: it is what the tenant's answers
-- cost.
create table model_usage (
    tenant_id uuid not null,
    chatbot_id uuid not null,
    month date not null,
    answers bigint not null constraint model_usage_answers_check check (answers > 0),
    prompt_tokens bigint not null constraint model_usage_prompt_tokens_check check (prompt_tokens >= 0),
    cached_tokens bigint not null constraint model_usage_cached_tokens_check check (cached_tokens >= 0),
    answer_tokens bigint not null constraint model_usage_answer_tokens_check check (answer_tokens >= 0),
    constraint model_usage_pkey primary key (tenant_id, chatbot_id, month),
    constraint model_usage_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
        on delete cascade
);
call protect_tenant_table('model_usage');
grant select, insert on model_usage to svc_widget;
grant update (answers, prompt_tokens, cached_tokens, answer_tokens) on model_usage to svc_widget;
grant select on model_usage to svc_tenant, svc_operator, svc_vendor;
