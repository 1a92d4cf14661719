//! The health of a chatbot as a list of its requirements: each line is fine, or says what to do.

use app::{
    format,
    i18n::{Localized, Text, plural},
    ui::{Badge, ButtonKind, ButtonLink, Card, Icon, IconName, Tone},
};
use contract::{
    ChatbotId,
    chatbots::{ChatbotStatus, Provisioning},
    conversations::ConversationStats,
    documents::ChatbotSource,
    embed::{EmbedOrigin, EmbedOutcome},
};
use leptos::prelude::*;

use crate::{
    paths,
    provisioning::ProvisioningPoller,
    texts::{chatbot, chatbot_health as texts, doctor, overview},
};

/// The data of a chatbot's health.
#[derive(Debug, Clone)]
pub(super) struct Health {
    pub(super) knowledge: Knowledge,
    /// The websites that requested it, the latest request first.
    pub(super) origins: Vec<EmbedOrigin>,
    /// Its conversations of the last 30 days.
    pub(super) stats: ConversationStats,
}

/// The size of a chatbot's knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Knowledge {
    pub(super) documents: i64,
    pub(super) passages: i64,
    /// Documents that are queued or being read.
    pending: i64,
    /// Documents that could not be read.
    failed: i64,
}

impl Knowledge {
    /// The totals of all sources.
    pub(super) fn of(sources: &[ChatbotSource]) -> Self {
        let sum = |of: fn(&ChatbotSource) -> i64| sources.iter().map(of).sum();
        Self {
            documents: sum(|source| source.documents),
            passages: sum(|source| source.passages),
            pending: sum(|source| source.pending),
            failed: sum(|source| source.failed),
        }
    }
}

struct Line {
    title: Localized,
    text: Localized,
    /// What to do; `None` when the line is fine.
    action: Option<(Text, String)>,
}

impl Line {
    fn fine(title: impl Into<Localized>, text: impl Into<Localized>) -> Self {
        Self { title: title.into(), text: text.into(), action: None }
    }

    fn to_do(title: impl Into<Localized>, text: impl Into<Localized>, action: Text, href: String) -> Self {
        Self { title: title.into(), text: text.into(), action: Some((action, href)) }
    }
}

/// The list; the first thing to do is its main button.
#[component]
pub(super) fn HealthCard(poller: ProvisioningPoller, health: Health) -> impl IntoView {
    let chatbot = poller.chatbot();
    let state = Memo::new(move |_| chatbot.with(|chatbot| (chatbot.status, chatbot.provisioning)));
    move || {
        let (status, provisioning) = state.get();
        let id = chatbot.with_untracked(|chatbot| chatbot.id);
        let lines = [
            working(id, status, provisioning),
            knowing(id, health.knowledge),
            website_line(id, &health),
            answering(id, &health),
        ];
        let next = lines.iter().position(|line| line.action.is_some());
        let to_do = lines.iter().filter(|line| line.action.is_some()).count();
        let badge = match to_do {
            0 => view! { <Badge tone=Tone::Success dot=true>{texts::GOOD.t()}</Badge> }.into_any(),
            count => {
                let to_do_text = texts::TO_DO.with_localized([format::count(count)]);
                view! { <Badge tone=Tone::Warning dot=true>{to_do_text}</Badge> }.into_any()
            }
        };
        let rows = lines.into_iter().enumerate().map(|(index, line)| row(line, next == Some(index))).collect_view();
        view! {
            <Card title=texts::TITLE flush=true actions=ViewFnOnce::from(move || badge)>
                <ul class="ui-checklist">{rows}</ul>
            </Card>
        }
    }
}

fn row(line: Line, is_next: bool) -> impl IntoView {
    let is_fine = line.action.is_none();
    let icon = if is_fine { IconName::Check } else { IconName::Alert };
    let kind = if is_next { ButtonKind::Primary } else { ButtonKind::Secondary };
    let button = line.action.map(|(label, href)| view! { <ButtonLink href kind small=true>{label.t()}</ButtonLink> });
    view! {
        <li class="ui-checklist__item" class=("ui-checklist__item--done", is_fine)>
            <span class="ui-checklist__mark" aria-hidden="true"><Icon name=icon /></span>
            <div class="ui-checklist__text">
                <span class="ui-strong">{line.title}</span>
                <span class="ui-muted">{line.text}</span>
            </div>
            {button}
        </li>
    }
}

/// Whether it answers at all. A banner above says what to do about a failed collection.
fn working(id: ChatbotId, status: ChatbotStatus, provisioning: Provisioning) -> Line {
    match (status, provisioning) {
        (ChatbotStatus::Deactivated, _) => {
            Line::to_do(chatbot::DEACTIVATED_TITLE, chatbot::DEACTIVATED_TEXT, texts::REACTIVATE, paths::settings(id))
        }
        (_, Provisioning::Failed) => Line::fine(chatbot::FAILED_TITLE, chatbot::FAILED_TEXT),
        (_, Provisioning::Pending) => Line::fine(chatbot::PENDING_TITLE, chatbot::PENDING_TEXT),
        (_, Provisioning::Ready) => Line::fine(texts::ACTIVE, texts::ACTIVE_TEXT),
    }
}

fn knowing(id: ChatbotId, knowledge: Knowledge) -> Line {
    let Knowledge { documents, passages, pending, failed } = knowledge;
    if failed > 0 {
        let title = match failed {
            1 => overview::OPEN_DOCUMENT.into(),
            count => overview::OPEN_DOCUMENTS.with_localized([format::number(count)]),
        };
        return Line::to_do(title, texts::UNREAD_TEXT, texts::UNREAD_ACTION, paths::unread_documents(id));
    }
    if documents + pending == 0 {
        let (title, text) = (texts::KNOWS_NOTHING, texts::KNOWS_NOTHING_TEXT);
        return Line::to_do(title, text, texts::KNOWS_NOTHING_ACTION, paths::documents(id));
    }
    let title = match documents {
        1 => texts::KNOWS_ONE.into(),
        count => texts::KNOWS.with_localized([format::number(count)]),
    };
    let text = plural(passages, texts::KNOWS_TEXT_ONE, texts::KNOWS_TEXT);
    Line::fine(title, text.with_localized([format::number(passages)]))
}

/// Whether a website shows it.
fn website_line(id: ChatbotId, health: &Health) -> Line {
    let accepted = health.origins.iter().find(|origin| origin.outcome == EmbedOutcome::Accepted);
    if let Some(EmbedOrigin { origin: Some(origin), last_seen_at, .. }) = accepted {
        let text = texts::SEEN_TEXT.with_localized([origin.clone().into(), format::ago(*last_seen_at)]);
        return Line::fine(texts::SEEN, text);
    }
    let refused = [EmbedOutcome::OriginNotListed, EmbedOutcome::NoOriginsListed];
    if health.origins.iter().any(|origin| refused.contains(&origin.outcome)) {
        return Line::to_do(texts::REFUSED, doctor::NOT_LISTED_TEXT, texts::REFUSED_ACTION, paths::install(id));
    }
    Line::to_do(texts::UNSEEN, texts::UNSEEN_TEXT, texts::UNSEEN_ACTION, paths::install(id))
}

/// How many questions it answers. Fewer than half is too few.
fn answering(id: ChatbotId, health: &Health) -> Line {
    let ConversationStats { answered, unanswered, .. } = health.stats;
    let questions = answered + unanswered;
    if questions == 0 {
        return Line::to_do(texts::UNASKED, texts::UNASKED_TEXT, texts::UNASKED_ACTION, paths::test(id));
    }
    let title = texts::ANSWERS.with_localized([format::share(answered, questions)]);
    let text = texts::ANSWERS_TEXT.with_localized([answered, questions].map(format::number));
    if answered * 2 < questions {
        return Line::to_do(title, text, texts::ANSWERS_ACTION, paths::unanswered(id));
    }
    Line::fine(title, text)
}
