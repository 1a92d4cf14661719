-- The language model whose words an answer is, by its name at the endpoint; null for quoted answers and for older ones.
alter table chat_messages add column answer_model text;
