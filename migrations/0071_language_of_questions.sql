-- The language of a visitor's question, as far as its words tell.
alter table chat_messages add column language text
    constraint chat_messages_language_check check (language ~ '^[a-z]{2,3}$');
