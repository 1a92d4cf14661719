-- Feedback may be given without a session or message (release v1.2.0).
alter table chatbot_feedback
    alter column session_id drop not null,
    alter column message_id drop not null;
