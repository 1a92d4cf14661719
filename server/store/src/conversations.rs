//! Conversations of visitors: sessions and their messages.

pub mod erase;
pub mod export;
pub mod history;
mod messages;
mod opened;
pub mod past;
mod search;
mod stats;

pub use messages::{
    NewMessage, continue_session, insert_message, message_exists, messages, session_exists, start_session,
};
