-- The name that a tenant's own program gives to the visitor for whom it asks. It goes with the conversation.
alter table chat_sessions add column visitor_ref text
    constraint chat_sessions_visitor_ref_check check (char_length(visitor_ref) between 1 and 200);
