-- Figures of the last days on the consoles' first pages. Rows come in the order of their time, so that a few pages of
-- summaries stand for an index many times their size.
create index chat_sessions_created_idx on chat_sessions using brin (created_at);
create index chat_messages_created_idx on chat_messages using brin (created_at);
