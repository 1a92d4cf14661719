//! Polls a chatbot until its collection is ready or has failed, and while it moves to another embedding model; retries
//! on request. Used by the wizard's last step and the chatbot's pages.

use std::time::Duration;

use app::{
    api,
    i18n::Text,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Tone, toast_problem},
};
use contract::chatbots::{Chatbot, ChatbotStatus, GetChatbot, ProvisionChatbot, Provisioning};
use leptos::{prelude::*, task::spawn_local};

/// Polling interval of a pending chatbot.
const POLL_INTERVAL: Duration = Duration::from_millis(1000);
/// Polling interval while the API does not respond.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// A polled chatbot; lives as long as the page that created it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProvisioningPoller {
    chatbot: RwSignal<Chatbot>,
    problem: RwSignal<Option<Problem>>,
    busy: RwSignal<bool>,
}

impl ProvisioningPoller {
    /// Follows `chatbot` while it is pending.
    pub(crate) fn new(chatbot: Chatbot) -> Self {
        let pending = is_pending(&chatbot);
        let poller = Self { chatbot: RwSignal::new(chatbot), problem: RwSignal::new(None), busy: RwSignal::new(false) };
        if pending {
            poller.schedule(POLL_INTERVAL);
        }
        poller
    }

    /// The chatbot as it was seen last.
    pub(crate) fn chatbot(self) -> RwSignal<Chatbot> {
        self.chatbot
    }

    /// The state of its collection.
    pub(crate) fn state(self) -> Memo<Provisioning> {
        Memo::new(move |_| self.chatbot.with(|chatbot| chatbot.provisioning))
    }

    /// The error of the last poll, tracked.
    pub(crate) fn problem(self) -> Option<Problem> {
        self.problem.get()
    }

    /// Whether a retry is being requested.
    pub(crate) fn busy(self) -> Signal<bool> {
        self.busy.into()
    }

    /// Takes the chatbot that a call has returned, and polls it while it is pending.
    pub(crate) fn accept(self, chatbot: Chatbot) {
        let pending = is_pending(&chatbot);
        if self.chatbot.try_set(chatbot).is_none() && pending {
            self.schedule(POLL_INTERVAL);
        }
    }

    /// Tries again to make the collection.
    pub(crate) fn retry(self) {
        let id = self.chatbot.with_untracked(|chatbot| chatbot.id);
        let call = async move { api::call::<ProvisionChatbot>(&id, &(), &()).await };
        spawn_on_page(self.busy, call, move |result| match result {
            Ok(chatbot) => self.accept(chatbot),
            Err(problem) => toast_problem(&problem),
        });
    }

    fn schedule(self, pause: Duration) {
        set_timeout(move || spawn_local(self.poll()), pause);
    }

    /// Polls once, and again later while something is pending and the page is open.
    async fn poll(self) {
        let Some(id) = self.chatbot.try_with_untracked(|chatbot| chatbot.id) else { return };
        let pause = match api::call::<GetChatbot>(&id, &(), &()).await {
            Ok(chatbot) => {
                let pending = is_pending(&chatbot);
                let page_is_gone = self.chatbot.try_set(chatbot).is_some();
                let _ = self.problem.try_set(None);
                if page_is_gone || !pending {
                    return;
                }
                POLL_INTERVAL
            }
            Err(problem) => {
                if self.problem.try_set(Some(problem)).is_some() {
                    return;
                }
                RETRY_INTERVAL
            }
        };
        self.schedule(pause);
    }
}

fn is_pending(chatbot: &Chatbot) -> bool {
    let is_changing = chatbot.provisioning == Provisioning::Pending || chatbot.reindexing.is_some();
    chatbot.status == ChatbotStatus::Active && is_changing
}

/// The most important badge of a chatbot: deactivated, or else the state of its collection.
pub(crate) fn badge(chatbot: &Chatbot) -> (Tone, Text) {
    match chatbot.status {
        ChatbotStatus::Deactivated => status_badge(chatbot.status),
        ChatbotStatus::Active => provisioning_badge(chatbot.provisioning),
    }
}

/// The badge of a chatbot's status: its tone and text.
pub(crate) fn status_badge(status: ChatbotStatus) -> (Tone, Text) {
    match status {
        ChatbotStatus::Active => (Tone::Success, app::i18n::texts::ACTIVE),
        ChatbotStatus::Deactivated => (Tone::Neutral, app::i18n::texts::DEACTIVATED),
    }
}

/// The badge of a chatbot's collection: its tone and text.
pub(crate) fn provisioning_badge(provisioning: Provisioning) -> (Tone, Text) {
    match provisioning {
        Provisioning::Pending => (Tone::Warning, app::i18n::texts::PENDING),
        Provisioning::Ready => (Tone::Success, app::i18n::texts::READY),
        Provisioning::Failed => (Tone::Danger, app::i18n::texts::FAILED),
    }
}
