//! A visitor's message: small talk, one question, several questions that are answered one by one, or the choice of a section that the
//! reply before offered.

use contract::widget::{MessageRole, WidgetMessage};
use rag::{
    block,
    generate::{
        Answer,
        asked::{self, Message, split},
        language::Language,
        nothing,
        unsure::is_offer,
    },
    retrieve::Candidate,
};
use store::{Exemption, Scope, usage};

use super::{
    compose,
    exchange::{Exchange, transient_message},
    quoted::Quoted,
    small_talk,
    stream::{AnswerStream, ComposedAnswer},
};
use crate::{error::ApiResult, service::knowledge::search::SearchOutcome};

/// Maximum closest passages of one question among several.
const CLOSEST: usize = 2;

/// Makes an answer and streams it.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn respond(exchange: &Exchange, stream: &mut AnswerStream<'_>) -> ApiResult<ComposedAnswer> {
    match small_talk::read(exchange).await? {
        small_talk::Message::SmallTalk(composed) => Ok(composed),
        _ if !count_question(exchange, stream).await? => Ok(ComposedAnswer::OverQuota(compose::fallback(exchange))),
        small_talk::Message::Question => search_and_answer(exchange, stream).await,
        small_talk::Message::Prepared(question) => {
            search_and_answer(&Exchange { question, messages: Vec::new(), ..exchange.clone() }, stream).await
        }
    }
}

/// Counts a visitor's question; `false` when the tenant's month has as many as it may have. Without a limit the question is counted
/// when it is stored.
async fn count_question(exchange: &Exchange, stream: &mut AnswerStream<'_>) -> ApiResult<bool> {
    let Some(limit) = exchange.questions_per_month() else { return Ok(true) };
    let tenant = exchange.chatbot.tenant_id;
    let mut tx = exchange.app.db.write(&Scope::widget(tenant)).await?;
    let counted_on = usage::count_question(&mut tx, tenant, limit).await?;
    tx.commit_exempt(Exemption::Conversation).await?;
    if let Some(day) = counted_on {
        stream.note_count(day);
    }
    Ok(counted_on.is_some())
}

async fn search_and_answer(exchange: &Exchange, stream: &mut AnswerStream<'_>) -> ApiResult<ComposedAnswer> {
    let outcome = compose::find(&first(exchange)).await?;
    answer(exchange, &outcome, stream).await
}

/// The first question of a message, as it is searched for. A language model reads the message as it is.
pub(super) fn first(exchange: &Exchange) -> Exchange {
    match &exchange.model {
        Some(_) => exchange.clone(),
        None => part(exchange, &split(&exchange.question, &exchange.chatbot.config.language), 0),
    }
}

/// One question of a message, after what was said and asked before it.
fn part(exchange: &Exchange, message: &Message, number: usize) -> Exchange {
    let earlier = message.context.iter().chain(&message.questions[..number]);
    let earlier = earlier.map(|text| transient_message(MessageRole::User, text.clone()));
    let messages = exchange.messages.iter().cloned().chain(earlier).collect();
    Exchange { question: message.questions[number].clone(), messages, ..exchange.clone() }
}

/// Answers a message. `found` are the results for its first question.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub(super) async fn answer(
    exchange: &Exchange,
    outcome: &SearchOutcome,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<ComposedAnswer> {
    if let Some(answer) = chosen(exchange).await? {
        return Ok(compose::streamed(answer, stream));
    }
    let message = split(&exchange.question, &exchange.chatbot.config.language);
    if exchange.model.is_some() || message.questions.len() == 1 {
        return compose::answer(&first(exchange), outcome, stream).await;
    }
    let mut reply = Reply::default();
    for number in 0..message.questions.len() {
        let part = part(exchange, &message, number);
        let searched;
        let outcome = if number == 0 {
            outcome
        } else {
            searched = compose::find(&part).await?;
            &searched
        };
        reply.add(&part, outcome, compose::quote(&part, outcome).await?).await?;
    }
    let open = (!message.open.is_empty())
        .then(|| asked::open(&exchange.question, &exchange.chatbot.config.language, &message.open));
    Ok(reply.finish(exchange, open, stream))
}

/// The section that a message such as "the second one" chooses among those of the unsure reply before it.
async fn chosen(exchange: &Exchange) -> ApiResult<Option<Answer>> {
    let Some(place) = asked::choice(&exchange.question, &exchange.chatbot.config.language) else { return Ok(None) };
    let [earlier @ .., question, offer] = exchange.messages.as_slice() else { return Ok(None) };
    let is_said_by = |message: &WidgetMessage, role| message.role == role;
    if !is_said_by(question, MessageRole::User)
        || !is_said_by(offer, MessageRole::Assistant)
        || !is_offer(&offer.content)
    {
        return Ok(None);
    }
    let before = Exchange { question: question.content.clone(), messages: earlier.to_vec(), ..exchange.clone() };
    let before = first(&before);
    let outcome = compose::find(&before).await?;
    let closest = compose::closest(&before, &outcome).await?;
    match closest.get(place) {
        Some(unit) => compose::quote_passage(&before, &outcome, unit).await,
        None => Ok(None),
    }
}

/// The reply to several questions.
#[derive(Default)]
struct Reply {
    /// The questions of each part, and its text.
    parts: Vec<(Vec<String>, String)>,
    sources: Vec<Candidate>,
    /// What each source was read as.
    texts: Vec<String>,
    citations: Vec<rag::citation::Citation>,
    closest: Vec<(String, usize)>,
    /// How many questions were answered, and how many were not.
    sure: usize,
    open: usize,
}

impl Reply {
    async fn add(&mut self, part: &Exchange, outcome: &SearchOutcome, quoted: Quoted) -> ApiResult<()> {
        let usual = &part.chatbot.config.language;
        let language = Language::of_question(&part.question, usual).code;
        let (text, sources, texts, citations) = match quoted {
            Quoted::Answer(answer) => {
                self.sure += 1;
                (answer.text, answer.sources, answer.texts, answer.citations)
            }
            Quoted::Unsure(correction) => {
                let mut doubt = compose::doubt(part, outcome, correction).await?;
                doubt.closest.truncate(CLOSEST);
                let unsure = doubt.reply(&part.question, usual, outcome.relevant());
                let shift = self.sources.len();
                self.closest.extend(unsure.closest.into_iter().map(|(text, index)| (text, index + shift)));
                let texts = unsure.sources.iter().map(|source| source.content.clone()).collect();
                (unsure.text, unsure.sources, texts, unsure.citations)
            }
            Quoted::Nothing => {
                self.open += 1;
                (nothing::message(language).to_owned(), Vec::new(), Vec::new(), Vec::new())
            }
        };
        if let Some((questions, _)) = self.parts.iter_mut().find(|(_, answer)| is_same(answer, &text)) {
            questions.push(part.question.clone());
            return Ok(());
        }
        let shift = self.sources.len();
        self.parts.push((vec![part.question.clone()], renumbered(&text, &citations, shift)));
        self.citations.extend(citations.into_iter().map(|citation| rag::citation::Citation {
            marker: format!("[{}]", citation.source_index + 1 + shift),
            source_index: citation.source_index + shift,
        }));
        self.sources.extend(sources);
        self.texts.extend(texts);
        Ok(())
    }

    fn finish(self, exchange: &Exchange, open: Option<String>, stream: &mut AnswerStream<'_>) -> ComposedAnswer {
        let questions = self.parts.iter().map(|(questions, _)| questions.len()).sum::<usize>();
        if self.open == questions {
            return ComposedAnswer::Fallback(compose::fallback(exchange));
        }
        let is_sure = self.sure == questions && open.is_none();
        let part = |(questions, text): &(Vec<String>, String)| {
            format!("**{}**\n\n{text}", questions.join(" ").replace(['*', '[', ']', '_', '`'], " "))
        };
        let parts: Vec<String> = self.parts.iter().map(part).chain(open).collect();
        let text = parts.join("\n\n");
        stream.start_quoted(&self.sources, self.texts);
        for part in block::parts(&text) {
            if stream.push(part).is_break() {
                break;
            }
        }
        let Self { sources, citations, closest, .. } = self;
        match is_sure {
            true => ComposedAnswer::Answer { sources, citations },
            false => ComposedAnswer::Unsure { sources, citations, closest },
        }
    }
}

/// Whether two parts say the same, apart from the numbers of their markers.
fn is_same(left: &str, right: &str) -> bool {
    let bare = |text: &str| {
        text.split('[')
            .map(|part| part.trim_start_matches(|mark: char| mark.is_ascii_digit() || mark == ']'))
            .collect::<String>()
    };
    bare(left) == bare(right)
}

/// The text with markers that count from `shift`. The highest is replaced first, so that none is replaced twice.
fn renumbered(text: &str, citations: &[rag::citation::Citation], shift: usize) -> String {
    let mut descending: Vec<_> = citations.iter().collect();
    descending.sort_by_key(|citation| std::cmp::Reverse(citation.source_index));
    descending.into_iter().fold(text.to_owned(), |text, citation| {
        text.replace(&citation.marker, &format!("[{}]", citation.source_index + 1 + shift))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_of_later_parts_count_on() {
        let citation =
            |index: usize| rag::citation::Citation { marker: format!("[{}]", index + 1), source_index: index };
        let both = [citation(0), citation(1)];
        assert_eq!(renumbered("A [1]. B [2]. C [1].", &both, 1), "A [2]. B [3]. C [2].");
        assert!(is_same("A [1].", "A [3].") && !is_same("A [1].", "B [1]."));
    }
}
