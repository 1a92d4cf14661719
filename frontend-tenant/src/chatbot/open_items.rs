//! What is open for one chatbot: counted once for a page, shown beside its links and by its overview.

use app::{api, backend::OpenWork, resource::Resource, server_fns::tenant::fetch_open_work, ui::OpenCount};
use contract::ChatbotId;
use leptos::prelude::*;

use super::parts::{Part, Section};

/// What is open for the chatbot of the page, in its context.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenItems(Resource<Option<OpenWork>>);

impl OpenItems {
    /// Counts what is open for a chatbot, for its page and what is in it.
    pub(super) fn provide(id: ChatbotId) -> Self {
        let items = Self::load(id);
        provide_context(items);
        items
    }

    /// What the page has provided.
    pub(super) fn get() -> Self {
        expect_context()
    }

    fn load(id: ChatbotId) -> Self {
        Self(Resource::new(move || async move {
            let work = api::function(move || fetch_open_work(Some(id))).await?;
            Ok(work.into_iter().next())
        }))
    }

    /// What is open.
    pub(super) fn work(self) -> Resource<Option<OpenWork>> {
        self.0
    }

    /// Counts again, after something was dealt with.
    pub(super) fn count_again(self) {
        self.0.reload();
    }

    fn count(self, of: fn(&OpenWork) -> i64) -> OpenCount {
        Signal::derive(move || self.0.get().flatten().as_ref().map(of))
    }

    /// How much is open behind the link to a group.
    pub(super) fn of_section(self, section: Section) -> Option<OpenCount> {
        (section == Section::Inbox).then(|| self.count(|work| work.questions + work.ratings))
    }

    /// How much is open behind the link to a page.
    pub(super) fn of_part(self, part: Part) -> Option<OpenCount> {
        match part {
            Part::Questions => Some(self.count(|work| work.questions)),
            Part::Feedback => Some(self.count(|work| work.ratings)),
            Part::Template => Some(self.count(|work| work.has_template_update.into())),
            _ => None,
        }
    }
}
