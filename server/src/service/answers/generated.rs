//! The language model's answer: prompt, conversation, and a watch that stops the model when its answer is blocked.

use std::{ops::ControlFlow, sync::Arc};

use contract::{ErrorCode, SessionId, widget::MessageRole};
use rag::{
    filter::{Context, Step},
    generate::{
        Answer, cited,
        openai::Generator,
        prompt::{self, Asked, Message, Role},
    },
    retrieve::Candidate,
};
use store::{Scope, conversations, widgets::WidgetChatbot};
use uuid::Uuid;

use crate::{
    app_state::App,
    http::error::{ApiError, ApiResult},
};

/// The answer that the model makes of `passages`, or none when it says that they hold none. Dropping the future, as when
/// the visitor leaves, stops the model.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database is down.
pub(super) async fn answer(
    app: &App,
    generator: &Generator,
    chatbot: &WidgetChatbot,
    session: Option<SessionId>,
    question: &str,
    passages: Vec<Candidate<Uuid>>,
) -> ApiResult<Option<Answer<Uuid>>> {
    let history = history(app, chatbot, session).await?;
    let messages = prompt::messages(&Asked {
        system_prompt: &chatbot.system_prompt,
        history: &history,
        history_tokens: app.settings.history_tokens,
        passages: &passages,
        question,
    });
    let contents = passages.iter().map(|passage| passage.content.clone()).collect();
    let context = Arc::new(Context::new(&chatbot.config.language, &chatbot.system_prompt, contents));
    let mut watch = app.settings.output_filter.stream(&context);
    let generated = generator.generate(&messages, |part| match watch.push(part) {
        Step::Pass(_) => ControlFlow::Continue(()),
        Step::Blocked => ControlFlow::Break(()),
    });
    generated.await.map_err(|error| {
        tracing::error!(%error, "generator.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })?;
    Ok(cited::answer(watch.raw(), &passages))
}

/// The conversation so far, oldest first.
async fn history(app: &App, chatbot: &WidgetChatbot, session: Option<SessionId>) -> ApiResult<Vec<Message>> {
    let Some(session) = session else { return Ok(Vec::new()) };
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    let messages = conversations::messages(&mut tx, tenant, id, session).await?;
    tx.end().await?;
    let message = |known: contract::widget::WidgetMessage| Message {
        role: match known.role {
            MessageRole::User => Role::User,
            MessageRole::Assistant => Role::Assistant,
        },
        content: known.content,
    };
    Ok(messages.into_iter().map(message).collect())
}
