//! Small talk: a friendly reply to a message that is not a question, without a search. The tenant's own answer to such
//! a message takes precedence.

use contract::widget::SmallTalk;
use rag::small_talk::{self, Topic};
use store::{Scope, passages};

use super::{exchange::Exchange, stream::ComposedAnswer};
use crate::error::ApiResult;

pub(super) enum Message {
    /// A question to search for.
    Question,
    /// A message for which the tenant has an own answer, under this question.
    Prepared(String),
    /// Small talk, with the reply.
    SmallTalk(ComposedAnswer),
}

/// Reads the message of an exchange.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub(super) async fn read(exchange: &Exchange) -> ApiResult<Message> {
    let Exchange { chatbot, question, .. } = exchange;
    let usual = &chatbot.config.language;
    let Some(recognised) = small_talk::recognise(question, usual) else { return Ok(Message::Question) };
    if let Some(prepared) = prepared(exchange, recognised.topic).await? {
        return Ok(Message::Prepared(prepared));
    }
    let topic = to_wire(recognised.topic);
    // The tenant's words are in the chatbot's language.
    let own = chatbot.small_talk.of(topic).filter(|_| small_talk::is_of(recognised.language, usual));
    let Some(text) = own.or_else(|| small_talk::reply(recognised.language, recognised.topic)) else {
        return Ok(Message::Question);
    };
    Ok(Message::SmallTalk(ComposedAnswer::SmallTalk { text: text.to_owned(), topic }))
}

/// The question of an own answer that is about the topic, too.
async fn prepared(exchange: &Exchange, topic: Topic) -> ApiResult<Option<String>> {
    let Exchange { app, chatbot, .. } = exchange;
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    let questions = passages::prepared_questions(&mut tx, tenant, id, small_talk::MAX_MESSAGE_BYTES).await?;
    let is_about = |question: &String| {
        small_talk::recognise(question, &chatbot.config.language).is_some_and(|recognised| recognised.topic == topic)
    };
    Ok(questions.into_iter().find(is_about))
}

fn to_wire(topic: Topic) -> SmallTalk {
    match topic {
        Topic::Greeting => SmallTalk::Greeting,
        Topic::Thanks => SmallTalk::Thanks,
        Topic::Goodbye => SmallTalk::Goodbye,
        Topic::Robot => SmallTalk::Robot,
        Topic::Human => SmallTalk::Human,
    }
}
