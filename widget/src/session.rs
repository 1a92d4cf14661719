//! The visitor's session, whose id is stored in the chatbot's own cookie on the host page. It is read before every use, so that all
//! tabs share it. Where cookies are refused, it lasts as long as the page. `loader/transport.js` keeps its token.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlDocument;

use crate::{cookie, dom};

#[wasm_bindgen]
extern "C" {
    fn forget_token(name: &str);
}

/// The session of one chatbot.
#[derive(Debug)]
pub(crate) struct Session {
    cookie_name: String,
    /// The unscoped cookie of pages that name no chatbot is history: their sessions live as long as the page.
    has_cookie: bool,
    memory: RefCell<Option<String>>,
}

impl Session {
    /// The session of a chatbot; reads nothing yet.
    pub(crate) fn of(chatbot_id: &str) -> Self {
        Self {
            cookie_name: cookie::name_for(chatbot_id),
            has_cookie: !chatbot_id.is_empty(),
            memory: RefCell::new(None),
        }
    }

    /// The session's id, if there is one.
    pub(crate) fn id(&self) -> Option<String> {
        let cookies = page().cookie().unwrap_or_default();
        let in_cookie = cookie::session_in(&cookies, &self.cookie_name).map(str::to_owned);
        in_cookie.or_else(|| self.memory.borrow().clone())
    }

    /// Stores a session for 30 days from now. Called only after a question was answered.
    pub(crate) fn keep(&self, id: String) {
        if self.has_cookie {
            let is_secure = dom::window().location().protocol().as_deref() == Ok("https:");
            write(&cookie::keep(&self.cookie_name, &id, is_secure));
        }
        *self.memory.borrow_mut() = Some(id);
    }

    /// Deletes the session: for a new conversation, or when the server no longer knows it.
    pub(crate) fn forget(&self) {
        write(&cookie::expire(&self.cookie_name));
        forget_token(&self.cookie_name);
        *self.memory.borrow_mut() = None;
    }
}

fn page() -> HtmlDocument {
    dom::document().unchecked_into()
}

fn write(assignment: &str) {
    // Refused in sandboxed frames: the session then lives in memory.
    let _ = page().set_cookie(assignment);
}
