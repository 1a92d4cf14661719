//! Restores the earlier conversation: after a reload or in another tab, within 30 days.

use std::rc::Rc;

use super::Chat;
use crate::api;
use crate::api_error::ApiError;
use crate::dom;

impl Chat {
    /// Shows the messages of the stored session, once. Without a session nothing is requested.
    pub(super) fn restore(self: &Rc<Self>) {
        let chat = Rc::clone(self);
        dom::spawn(async move {
            let (started, answers) = (chat.generation.get(), chat.view.log.answers());
            // Show the panel first: reading cookies waits for another process.
            dom::pause(0).await;
            let Some(session_id) = chat.session.id().filter(|_| !chat.is_restored.get()) else { return };
            chat.is_restored.set(true);
            match api::history(&chat.options, &session_id).await {
                // A new conversation may have started in the meantime.
                Ok(messages) if chat.session.id().as_deref() == Some(session_id.as_str()) => {
                    let scroll = chat.generation.get() == started;
                    chat.view.log.restore(&messages, chat.texts, scroll).await;
                }
                Err(ApiError::SessionNotFound) if chat.generation.get() == started => chat.session.forget(),
                // With answers in the meantime, the history would contain what the log shows already.
                Err(ApiError::Unreachable) if chat.view.log.answers() == answers => {
                    chat.is_restored.set(false);
                    chat.watch();
                }
                // Refused for now: the next opening requests it again, unless the conversation continued in the
                // meantime.
                Err(_) if chat.generation.get() == started => chat.is_restored.set(false),
                _ => {}
            }
        });
    }
}
