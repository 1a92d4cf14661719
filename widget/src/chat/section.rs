//! Fetches the section of a source when its title is expanded.

use web_sys::Element;

use super::Chat;
use crate::view::section;
use crate::{api, dom};

impl Chat {
    /// Fetches the section of a passage for its title.
    pub(super) fn unfold(&self, passage: &str, title: Element) {
        let texts = self.texts;
        let hear = dom::callback(move |body| section::fill(&title, body.as_ref(), texts));
        api::section(&self.options, passage, &hear);
    }
}
