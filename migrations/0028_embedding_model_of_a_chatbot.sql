-- A chatbot has its embedding model, which can be changed: then its passages get new vectors in the background. The former
-- vectors answer until all new ones are made, and are replaced in one transaction.
alter table chatbots
    -- The model that the chatbot moves to; null when it stays.
    add column next_embedding_model text,
    add column reindexed integer not null default 0,
    add column reindex_total integer not null default 0,
    -- Chatbots in other languages than English that were made when all had the English model.
    add column moves_to_multilingual boolean not null default false;
grant update (next_embedding_model, reindexed, reindex_total, moves_to_multilingual) on chatbots to svc_tenant;

alter table chatbots no force row level security;
update chatbots set moves_to_multilingual = true where language !~* '^en(-|$)';
alter table chatbots force row level security;

-- Vectors of the next model, each with the id that its passage gets with it.
create table next_vectors (
    tenant_id uuid not null,
    chatbot_id uuid not null,
    passage_id uuid not null,
    next_id uuid not null,
    embedding vector not null,
    constraint next_vectors_pkey primary key (tenant_id, chatbot_id, passage_id),
    constraint next_vectors_chatbot_fkey foreign key (tenant_id, chatbot_id) references chatbots (tenant_id, id)
);
call protect_tenant_table('next_vectors');
grant select on next_vectors to svc_system;
grant select, insert, delete on next_vectors to svc_tenant;
grant update (id, embedding) on passages to svc_tenant;
