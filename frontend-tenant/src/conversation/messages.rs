//! The messages of a conversation, each answer with its sources, badges and feedback.

use app::{
    format,
    i18n::{Text, languages},
    ui::{Badge, Button, ButtonKind, Card, Prose, Tone},
};
use contract::{
    ChatbotId, MessageId,
    conversations::{AnsweredBy, ConversationMessage, MessageFeedback},
    feedback::Rating,
    widget::{Confidence, MessageRole, ReplyKind, WidgetSource},
};
use leptos::{html::Li, prelude::*};

use crate::{
    faq_dialog::{Draft, FaqDialog},
    feedback_labels as labels,
    read_only::is_read_only,
    sources::{NumberedSources, SourcesOf},
    texts::{conversations as texts, faq},
};

/// The messages, oldest first; scrolls to the requested one.
#[component]
pub(super) fn Messages(
    chatbot: ChatbotId,
    messages: Vec<ConversationMessage>,
    feedback: Vec<MessageFeedback>,
    highlighted: Option<MessageId>,
) -> impl IntoView {
    provide_context(SourcesOf(chatbot));
    let draft = RwSignal::new(None::<Draft>);
    let mut question = String::new();
    let rows: Vec<_> = messages
        .into_iter()
        .map(|message| {
            if message.role == MessageRole::User {
                question.clone_from(&message.content);
            }
            let own: Vec<_> = feedback.iter().filter(|of| of.message_id == Some(message.message_id)).cloned().collect();
            let is_highlighted = highlighted == Some(message.message_id);
            view! { <Message message feedback=own question=question.clone() draft is_highlighted /> }
        })
        .collect();
    let loose: Vec<_> = feedback.iter().filter(|of| of.message_id.is_none()).cloned().map(feedback_row).collect();
    view! {
        <ol class="ui-conversation" aria-label=texts::MESSAGES.t()>{rows}</ol>
        {(!loose.is_empty()).then(|| view! { <Card>{loose}</Card> })}
        <FaqDialog chatbot=Signal::stored(Some(chatbot)) draft on_saved=Callback::new(|_| ()) />
    }
}

#[component]
fn Message(
    message: ConversationMessage,
    feedback: Vec<MessageFeedback>,
    question: String,
    draft: RwSignal<Option<Draft>>,
    is_highlighted: bool,
) -> impl IntoView {
    let item = NodeRef::<Li>::new();
    Effect::new(move |_| {
        if let (true, Some(item)) = (is_highlighted, item.get()) {
            request_animation_frame(move || {
                item.scroll_into_view();
                let _ = item.focus();
            });
        }
    });
    let is_answer = message.role == MessageRole::Assistant;
    let head = head(&message);
    let body = if is_answer {
        view! { <Prose text=message.content.clone() /> }.into_any()
    } else {
        view! { <p class="ui-prose">{message.content.clone()}</p> }.into_any()
    };
    let (answered, is_small_talk) = (message.answered, message.kind == Some(ReplyKind::SmallTalk));
    let content = message.content;
    // A better answer would be one to a question.
    let correct = (is_answer && !is_small_talk && !is_read_only()).then(|| {
        let answer = if answered { content } else { String::new() };
        let open = Callback::new(move |()| draft.set(Some(Draft::to(question.clone(), &answer))));
        let text = if answered { faq::CORRECT_IT } else { faq::ANSWER_IT };
        view! { <div class="ui-row"><Button small=true kind=ButtonKind::Ghost on_click=open>{text.t()}</Button></div> }
    });
    view! {
        <li
            class="ui-conversation__turn"
            class=("ui-conversation__turn--visitor", !is_answer)
            class=("ui-conversation__turn--marked", is_highlighted)
            tabindex=is_highlighted.then_some("-1")
            node_ref=item
        >
            {head}
            <div class="ui-conversation__bubble">{body} {sources(message.sources)}</div>
            {message.page_url.map(page)}
            {feedback.into_iter().map(feedback_row).collect_view()}
            {correct}
        </li>
    }
}

/// The author of a message, its badges and its time.
fn head(message: &ConversationMessage) -> impl IntoView + use<> {
    let is_answer = message.role == MessageRole::Assistant;
    let author = if is_answer { texts::CHATBOT } else { texts::VISITOR };
    let state = is_answer.then(|| state(message)).flatten();
    let language = message.language.as_deref().map(languages::name);
    let answered_by = message.answered_by.map(|answered_by| match answered_by {
        AnsweredBy::Quoted => texts::QUOTED,
        AnsweredBy::Generated => texts::GENERATED,
    });
    let model = message.generated_by.as_ref().and_then(|generated_by| generated_by.model.clone());
    view! {
        <div class="ui-row ui-row--between ui-row--wrap">
            <div class="ui-row ui-row--wrap">
                <span class="ui-strong">{author.t()}</span>
                {state.map(|(tone, state)| view! { <Badge tone dot=true>{state.t()}</Badge> })}
                {language.map(|language| view! { <Badge>{language}</Badge> })}
                {answered_by.map(|answered_by| view! { <Badge>{answered_by.t()}</Badge> })}
                {model.map(|model| view! { <Badge>{model}</Badge> })}
                {message.truncated.then(|| view! { <Badge tone=Tone::Warning>{texts::TRUNCATED.t()}</Badge> })}
                {message.filtered.then(|| view! { <Badge tone=Tone::Warning>{texts::FILTERED.t()}</Badge> })}
            </div>
            <time class="ui-muted ui-small" datetime=format::machine(message.created_at)>
                {format::date_time(message.created_at)}
            </time>
        </div>
    }
}

/// The confidence of an answer, or why there is none; nothing for answers from before version 1.3.
fn state(message: &ConversationMessage) -> Option<(Tone, Text)> {
    Some(match (message.kind, message.confidence) {
        _ if message.over_quota => (Tone::Warning, texts::OVER_QUOTA),
        (Some(ReplyKind::SmallTalk), _) => (Tone::Neutral, texts::SMALL_TALK),
        (_, Some(Confidence::High)) => (Tone::Success, texts::SURE),
        (_, Some(Confidence::Low)) => (Tone::Warning, texts::NOT_SURE),
        _ if !message.answered => (Tone::Warning, texts::NOT_ANSWERED),
        _ => return None,
    })
}

fn sources(sources: Vec<WidgetSource>) -> Option<impl IntoView> {
    (!sources.is_empty()).then(|| {
        view! {
            <details class="ui-details">
                <summary class="ui-details__summary">{texts::SOURCES.t()}</summary>
                <NumberedSources sources />
            </details>
        }
    })
}

/// The page on which it was asked.
fn page(url: String) -> impl IntoView {
    let address = url.clone();
    view! {
        <p class="ui-muted ui-small">
            {texts::ASKED_ON.t()} " "
            <a class="ui-link" href=address target="_blank" rel="noopener noreferrer">{url}</a>
        </p>
    }
}

/// The visitor's feedback.
fn feedback_row(of: MessageFeedback) -> impl IntoView {
    let tone = match of.rating {
        Rating::Up => Tone::Success,
        Rating::Down => Tone::Danger,
    };
    view! {
        <div class="ui-row ui-row--wrap">
            <Badge tone dot=true>{labels::rating(of.rating).t()}</Badge>
            {of.category.map(|category| view! { <Badge>{labels::category(category).t()}</Badge> })}
            {of.handled_at.map(|_| view! { <Badge tone=Tone::Success>{texts::HANDLED.t()}</Badge> })}
        </div>
        {of.comment.map(|comment| view! { <blockquote class="ui-entries__quote">{comment}</blockquote> })}
    }
}
