//! An answer with its sources.

use app::{
    format,
    i18n::{Localized, Text, texts as shared},
    ui::{Badge, Card, CopyButton, Prose, Tone},
};
use contract::{
    conversations::AnsweredBy,
    playground::{PlaygroundFinding, PlaygroundPassage, PlaygroundReply, PlaygroundTurn},
    widget::{Confidence, ReplyKind, WidgetSource},
};
use leptos::prelude::*;

use super::turns::Turn;
use crate::{
    sources::NumberedSources,
    texts::{conversations, playground as texts},
};

/// The answer of the last turn, next to the one with other settings when both were requested.
#[component]
pub(super) fn Results(turn: Turn) -> impl IntoView {
    let Turn { question, history, usual, other } = turn;
    let Some(other) = other else {
        return view! { <ResultCards title=texts::ANSWER question history reply=usual /> }.into_any();
    };
    view! {
        <div class="ui-compare ui-compare--two">
            <div class="ui-stack">
                <ResultCards
                    title=texts::AS_USUAL
                    question=question.clone()
                    history=history.clone()
                    reply=usual
                />
            </div>
            <div class="ui-stack">
                <ResultCards title=texts::OTHER question history reply=other />
            </div>
        </div>
    }
    .into_any()
}

/// An answer, and the passages that were found for it. Small talk is not searched for.
#[component]
fn ResultCards(
    /// Which answer it is.
    title: Text,
    question: String,
    /// The conversation before it.
    history: Vec<PlaygroundTurn>,
    reply: PlaygroundReply,
) -> impl IntoView {
    let is_small_talk = reply.kind == ReplyKind::SmallTalk;
    let passages = reply.passages.clone();
    let body = if passages.is_empty() {
        view! { <p class="ui-muted">{texts::PASSAGES_NONE.t()}</p> }.into_any()
    } else {
        let rows = passages.into_iter().map(passage).collect_view();
        view! {
            <p class="ui-muted">{texts::PASSAGES_TEXT.t()}</p>
            <ol class="ui-entries">{rows}</ol>
        }
        .into_any()
    };
    view! {
        <AnswerCard title question history reply />
        {(!is_small_talk).then(|| view! { <Card title=texts::PASSAGES>{body}</Card> })}
    }
}

#[component]
fn AnswerCard(title: Text, question: String, history: Vec<PlaygroundTurn>, reply: PlaygroundReply) -> impl IntoView {
    let is_small_talk = reply.kind == ReplyKind::SmallTalk;
    let (tone, word, hint) = match reply.confidence {
        _ if is_small_talk => (Tone::Neutral, conversations::SMALL_TALK, Some(texts::SMALL_TALK_TEXT)),
        Confidence::High => (Tone::Success, texts::ANSWERED, None),
        Confidence::Low => (Tone::Warning, texts::UNSURE, Some(texts::UNSURE_TEXT)),
        Confidence::None => (Tone::Warning, texts::FALLBACK, Some(texts::FALLBACK_TEXT)),
    };
    let filtered = reply.filtered;
    let answered_by = reply.answered_by.map(|answered_by| match answered_by {
        AnsweredBy::Quoted => texts::QUOTED,
        AnsweredBy::Generated => texts::GENERATED,
    });
    let line = reply.evaluation_line(&question, &history);
    let badges = move || {
        view! {
            <Badge tone dot=true>{word.t()}</Badge>
            {answered_by.map(|answered_by| view! { <Badge>{answered_by.t()}</Badge> })}
            {filtered.then(|| view! { <Badge tone=Tone::Warning>{texts::FILTERED.t()}</Badge> })}
        }
    };
    let times = texts::TIMES.with(&[&reply.times.search_ms.to_string(), &reply.times.answer_ms.to_string()]);
    view! {
        <Card title actions=ViewFnOnce::from(badges)>
            <p class="ui-muted">{shared::QUOTED.with(&[&question])}</p>
            <Prose text=reply.answer />
            {hint.map(|hint| view! { <p class="ui-muted ui-small">{hint.t()}</p> })}
            {sources(reply.sources)}
            {findings(&reply.findings)}
            <div class="ui-row ui-row--between ui-row--wrap">
                <p class="ui-muted ui-small">{times}</p>
                {(!is_small_talk).then(|| view! { <CopyButton label=texts::COPY_LINE value=Signal::stored(line) /> })}
            </div>
        </Card>
    }
}

fn sources(sources: Vec<WidgetSource>) -> Option<impl IntoView> {
    (!sources.is_empty()).then(|| {
        view! {
            <div class="ui-stack ui-stack--small">
                <h3>{texts::SOURCES.t()}</h3>
                <NumberedSources sources />
            </div>
        }
    })
}

fn findings(findings: &[PlaygroundFinding]) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = findings
        .iter()
        .map(|finding| {
            let text = if finding.monitor_only { texts::FINDING_WATCHED } else { texts::FINDING };
            view! { <li>{text.with(&[&finding.rule, &finding.category])}</li> }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <div class="ui-stack ui-stack--small">
                <h3>{texts::FINDINGS.t()}</h3>
                <ul class="ui-list ui-list--bulleted">{rows}</ul>
            </div>
        }
    })
}

fn passage(passage: PlaygroundPassage) -> impl IntoView {
    let (tone, word) =
        if passage.relevant { (Tone::Success, texts::RELEVANT) } else { (Tone::Neutral, texts::TOO_LOW) };
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between ui-row--wrap">
                <span class="ui-row ui-row--wrap">
                    <span class="ui-strong ui-break">{passage.source_title}</span>
                    <Badge tone dot=true>{word.t()}</Badge>
                </span>
                <span class="ui-muted ui-nowrap">{texts::SCORE.with_localized([score(passage.score)])}</span>
            </div>
            <Prose text=passage.content />
        </li>
    }
}

fn score(value: f64) -> Localized {
    format::decimal(value, 2)
}
