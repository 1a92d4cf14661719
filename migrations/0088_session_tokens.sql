-- A session's id is known to more people than its visitor: audit rows and filter events name it. What was said is opened by a token,
-- of which only the SHA-256 is stored. Sessions from before get theirs with the next reply; it opens what is said from then on.
alter table chat_sessions add column token_hash bytea
    constraint chat_sessions_token_hash_check check (octet_length(token_hash) = 32);
grant update (token_hash) on chat_sessions to svc_widget;
-- Whether a message was said with the token. Only such messages are part of the history, and context for later answers.
alter table chat_messages add column with_token boolean not null default false;
