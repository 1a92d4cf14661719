//! The open tasks of one chatbot: counted once per page, shown next to its links and on its overview.

use app::{
    api,
    backend::OpenWork,
    page_task::spawn_on_page,
    problem::Problem,
    resource::Resource,
    server_fns::tenant::fetch_open_work,
    ui::{OpenCount, toast_problem},
};
use contract::ChatbotId;
use leptos::prelude::*;

use super::parts::{Part, Section};

/// The open tasks of the page's chatbot, as context.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenItems {
    work: Resource<Option<OpenWork>>,
    busy: RwSignal<bool>,
}

impl OpenItems {
    /// Counts what is open for a chatbot, for its page and what is in it.
    pub(super) fn provide(id: ChatbotId) -> Self {
        let items = Self::load(id);
        provide_context(items);
        items
    }

    /// The value that the page has provided.
    pub(super) fn get() -> Self {
        expect_context()
    }

    fn load(id: ChatbotId) -> Self {
        let work = Resource::new(move || async move {
            let work = api::function(move || fetch_open_work(Some(id))).await?;
            Ok(work.into_iter().next())
        });
        Self { work, busy: RwSignal::new(false) }
    }

    /// The open tasks.
    pub(super) fn work(self) -> Resource<Option<OpenWork>> {
        self.work
    }

    /// Counts again, after something was dealt with.
    pub(super) fn count_again(self) {
        self.work.reload();
    }

    /// Makes a call that changes an entry of `list`; then the list is loaded and what is open counted again.
    pub(super) fn update_entry<T, R>(self, list: Resource<T>, call: impl Future<Output = Result<R, Problem>> + 'static)
    where
        T: Clone + Send + Sync + 'static,
        R: 'static,
    {
        spawn_on_page(self.busy, call, move |result| match result {
            Ok(_) => {
                list.reload();
                self.count_again();
            }
            Err(problem) => toast_problem(&problem),
        });
    }

    fn count(self, of: fn(&OpenWork) -> i64) -> OpenCount {
        Signal::derive(move || self.work.get().flatten().as_ref().map(of))
    }

    /// The number of open tasks behind the link to a group.
    pub(super) fn of_section(self, section: Section) -> Option<OpenCount> {
        (section == Section::Inbox).then(|| self.count(|work| work.questions + work.ratings))
    }

    /// The number of open tasks behind the link to a page.
    pub(super) fn of_part(self, part: Part) -> Option<OpenCount> {
        match part {
            Part::Questions => Some(self.count(|work| work.questions)),
            Part::Feedback => Some(self.count(|work| work.ratings)),
            Part::Template => Some(self.count(|work| work.has_template_update.into())),
            _ => None,
        }
    }
}
