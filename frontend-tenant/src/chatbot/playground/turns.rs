//! The conversation so far. It exists on this page only and is sent with each question.

use app::ui::{Card, Prose};
use contract::playground::{MAX_PLAYGROUND_TURNS, PlaygroundReply, PlaygroundTurn};
use leptos::prelude::*;

use crate::texts::{conversations, playground as texts};

/// A question with its answers.
#[derive(Clone)]
pub(super) struct Turn {
    pub(super) question: String,
    /// The conversation before it, as it was sent.
    pub(super) history: Vec<PlaygroundTurn>,
    /// The answer that visitors get.
    pub(super) usual: PlaygroundReply,
    /// The answer by other settings.
    pub(super) other: Option<PlaygroundReply>,
}

impl Turn {
    pub(super) fn usual(&self) -> &PlaygroundReply {
        &self.usual
    }

    /// The answer with other settings, or the normal one if there is none.
    pub(super) fn other(&self) -> &PlaygroundReply {
        self.other.as_ref().unwrap_or(&self.usual)
    }
}

/// The last turns with one of their answers, oldest first.
pub(super) fn history(turns: RwSignal<Vec<Turn>>, answer: fn(&Turn) -> &PlaygroundReply) -> Vec<PlaygroundTurn> {
    turns.with_untracked(|turns| {
        let last = &turns[turns.len().saturating_sub(MAX_PLAYGROUND_TURNS)..];
        let turn =
            |turn: &Turn| PlaygroundTurn { question: turn.question.clone(), answer: answer(turn).answer.clone() };
        last.iter().map(turn).collect()
    })
}

/// The turns before the last one.
#[component]
pub(super) fn EarlierTurns(turns: RwSignal<Vec<Turn>>) -> impl IntoView {
    let rows = move || {
        let earlier = turns.with(|turns| turns[..turns.len().saturating_sub(1)].to_vec());
        (!earlier.is_empty()).then(|| {
            let rows = earlier.into_iter().map(row).collect_view();
            view! {
                <Card title=texts::EARLIER>
                    <ol class="ui-conversation">{rows}</ol>
                </Card>
            }
        })
    };
    view! { {rows} }
}

fn row(turn: Turn) -> impl IntoView {
    view! {
        <li class="ui-conversation__turn ui-conversation__turn--visitor">
            <span class="ui-strong">{conversations::VISITOR.t()}</span>
            <div class="ui-conversation__bubble">
                <p class="ui-prose">{turn.question}</p>
            </div>
        </li>
        <li class="ui-conversation__turn">
            <span class="ui-strong">{conversations::CHATBOT.t()}</span>
            <div class="ui-conversation__bubble">
                <Prose text=turn.usual.answer />
            </div>
        </li>
    }
}
