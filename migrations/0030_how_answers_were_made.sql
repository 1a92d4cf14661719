-- How an answer was made: quoted from documents, or worded by a language model, with the version of its prompt. Answers of
-- earlier releases, questions and fallback messages have neither.
alter table chat_messages
    add column answered_by text
        constraint chat_messages_answered_by_check check (answered_by in ('quoted', 'generated')),
    add column prompt_version text,
    add column truncated boolean not null default false;
