//! The checklist of the first steps: marks what is done and links to the rest.

use app::{
    backend::TenantOverview,
    i18n::Text,
    session::Session,
    ui::{Badge, ButtonKind, ButtonLink, Card, Icon, IconName, Tone},
};
use contract::ChatbotId;
use leptos::prelude::*;

use crate::{paths, texts::overview as texts};

/// One step of the way to a working chatbot.
struct Step {
    done: bool,
    title: Text,
    text: Text,
    action: Text,
    href: String,
    link_for: LinkFor,
}

/// The users to whom a step shows its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkFor {
    Administrators,
    Everybody,
    /// The step's subject does not exist yet.
    Nobody,
}

fn steps(overview: &TenantOverview) -> [Step; 7] {
    // A deactivated chatbot supports none of it.
    let of_newest =
        |page: fn(ChatbotId) -> String| overview.newest_active.map_or_else(|| paths::CHATBOTS.to_owned(), page);
    let has_chatbot = overview.active_chatbots > 0;
    let behind_chatbot = if has_chatbot { LinkFor::Everybody } else { LinkFor::Nobody };
    [
        Step {
            done: overview.has_branding,
            title: texts::BRANDING_STEP,
            text: texts::BRANDING_TEXT,
            action: texts::BRANDING_ACTION,
            href: paths::BRANDING.to_owned(),
            link_for: LinkFor::Administrators,
        },
        Step {
            done: overview.allowed_origins > 0,
            title: texts::ORIGINS_STEP,
            text: texts::ORIGINS_TEXT,
            action: texts::ORIGINS_ACTION,
            href: paths::allowed_websites(),
            link_for: LinkFor::Administrators,
        },
        Step {
            done: has_chatbot,
            title: texts::CHATBOT_STEP,
            text: texts::CHATBOT_TEXT,
            action: texts::CHATBOT_ACTION,
            href: paths::create(),
            link_for: LinkFor::Administrators,
        },
        Step {
            done: overview.ready_chatbots > 0,
            title: texts::READY_STEP,
            text: texts::READY_TEXT,
            action: texts::READY_ACTION,
            href: of_newest(paths::chatbot),
            link_for: behind_chatbot,
        },
        Step {
            done: overview.chatbots_with_knowledge > 0,
            title: texts::KNOWLEDGE_STEP,
            text: texts::KNOWLEDGE_TEXT,
            action: texts::KNOWLEDGE_ACTION,
            href: of_newest(paths::documents),
            link_for: if has_chatbot { LinkFor::Administrators } else { LinkFor::Nobody },
        },
        Step {
            done: overview.has_widget,
            title: texts::WIDGET_STEP,
            text: texts::WIDGET_TEXT,
            action: texts::WIDGET_ACTION,
            href: of_newest(paths::install),
            link_for: behind_chatbot,
        },
        Step {
            done: overview.has_question,
            title: texts::QUESTION_STEP,
            text: texts::QUESTION_TEXT,
            action: texts::QUESTION_ACTION,
            href: of_newest(paths::install),
            link_for: behind_chatbot,
        },
    ]
}

/// Whether every step is done.
pub(super) fn is_done(overview: &TenantOverview) -> bool {
    steps(overview).iter().all(|step| step.done)
}

#[component]
pub(super) fn Checklist(
    /// The tenant's overview from the API.
    overview: TenantOverview,
) -> impl IntoView {
    let steps = steps(&overview);
    let (done, all) = (steps.iter().filter(|step| step.done).count(), steps.len());
    let next = steps.iter().position(|step| !step.done);
    let count = texts::CHECKLIST_COUNT.with(&[&done.to_string(), &all.to_string()]);
    let tone = if done == all { Tone::Success } else { Tone::Info };
    let admin = Session::get().is_tenant_admin();
    let items =
        steps.into_iter().enumerate().map(|(index, step)| item(index, step, next == Some(index), admin)).collect_view();
    view! {
        <Card
            title=texts::CHECKLIST
            flush=true
            actions=ViewFnOnce::from(move || view! { <Badge tone>{count}</Badge> })
        >
            <ol class="ui-checklist">{items}</ol>
        </Card>
    }
}

fn item(index: usize, step: Step, is_next: bool, admin: bool) -> impl IntoView {
    let mark =
        if step.done { view! { <Icon name=IconName::Check /> }.into_any() } else { (index + 1).to_string().into_any() };
    let kind = if is_next { ButtonKind::Primary } else { ButtonKind::Secondary };
    let end = if step.done {
        view! { <Badge tone=Tone::Success>{texts::DONE.t()}</Badge> }.into_any()
    } else if step.link_for == LinkFor::Nobody {
        ().into_any()
    } else if admin || step.link_for == LinkFor::Everybody {
        view! { <ButtonLink href=step.href kind small=true>{step.action.t()}</ButtonLink> }.into_any()
    } else {
        view! { <span class="ui-muted ui-small">{crate::texts::READ_ONLY.t()}</span> }.into_any()
    };
    view! {
        <li class="ui-checklist__item" class=("ui-checklist__item--done", step.done)>
            <span class="ui-checklist__mark" aria-hidden="true">{mark}</span>
            <div class="ui-checklist__text">
                <span class="ui-strong">{step.title.t()}</span>
                <span class="ui-muted">{step.text.t()}</span>
            </div>
            {end}
        </li>
    }
}
