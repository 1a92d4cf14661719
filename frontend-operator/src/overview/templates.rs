//! The most used templates, and how many of their chatbots have an older version.

use app::{
    backend::TemplateAdoption,
    format,
    i18n::Localized,
    ui::{ButtonKind, ButtonLink, Card, EmptyState, IconName},
};
use leptos::{either::Either, prelude::*};

use crate::{
    paths,
    texts::{self as console, overview as texts},
};

/// The card of the templates.
#[component]
pub(super) fn TopTemplates(templates: Vec<TemplateAdoption>) -> impl IntoView {
    let all = || {
        view! { <ButtonLink href=paths::TEMPLATES kind=ButtonKind::Ghost small=true>{texts::ALL_TEMPLATES.t()}</ButtonLink> }
    };
    let content = if templates.is_empty() {
        Either::Left(view! {
            <EmptyState
                icon=IconName::Template
                title=console::NO_TEMPLATES_TITLE
                text=console::NO_TEMPLATES_TEXT
                compact=true
            />
        })
    } else {
        let has_older = templates.iter().any(|template| template.behind > 0);
        Either::Right(view! {
            <ul class="ui-list">{templates.into_iter().map(row).collect_view()}</ul>
            {has_older.then(|| view! { <p class="ui-muted ui-small">{texts::BEHIND_TEXT.t()}</p> })}
        })
    };
    view! { <Card title=texts::ADOPTION actions=all>{content}</Card> }
}

fn row(of: TemplateAdoption) -> impl IntoView {
    let TemplateAdoption { template_id, name, chatbots, behind } = of;
    let mut used = vec![match chatbots {
        0 => texts::NO_CHATBOTS.into(),
        1 => texts::ONE_CHATBOT.into(),
        _ => texts::CHATBOT_COUNT.with_localized([format::number(chatbots)]),
    }];
    if behind > 0 {
        used.push(texts::BEHIND.with_localized([format::number(behind)]));
    }
    view! {
        <li class="ui-link-row ui-row--wrap">
            <a class="ui-link ui-link--quiet" href=paths::template(&template_id)>{name}</a>
            <span class="ui-muted">{Localized::joined(used, ", ")}</span>
        </li>
    }
}
