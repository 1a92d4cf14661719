//! Conversations of visitors: sessions and their messages.

pub mod erase;
pub mod export;
pub mod history;
mod messages;
pub mod opened;
pub mod past;
mod search;
pub mod stats;

pub use messages::{
    NewMessage, SessionAccess, TokenHash, answer_exists, continue_session, insert_message, messages, session_access,
    session_exists, set_first_token, start_session,
};

/// The feedback on a session `s`: the feedback that refers to the session, and the feedback that refers to one of its
/// messages only.
const FEEDBACK: &str = "(select f.* from chatbot_feedback f
     where f.tenant_id = s.tenant_id and f.chatbot_id = s.chatbot_id and f.session_id = s.id
     union all
     select f.* from chat_messages m
     join chatbot_feedback f on f.tenant_id = m.tenant_id and f.chatbot_id = m.chatbot_id and f.message_id = m.id
     where m.tenant_id = s.tenant_id and m.session_id = s.id and f.session_id is null) f";
