//! Checks Redis and the vector store.

use std::time::{Duration, Instant};

use redis::RedisError;
use store::vectors::VectorError;

use super::{Check, Subject, names, text::Text};
use crate::config::Secret;

/// The longest wait for one call.
const TIMEOUT: Duration = Duration::from_secs(5);

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    let (redis, vectors) = tokio::join!(redis(subject.redis_url.as_ref()), vectors(subject));
    vec![redis, vectors]
}

async fn redis(url: Option<&Secret>) -> Check {
    let Some(url) = url else {
        return Check::ok(
            names::REDIS,
            text!(
                "Not used: each process counts requests for itself.",
                "Nicht verwendet: Jeder Prozess zählt Anfragen für sich."
            ),
        );
    };
    let remedy = text!(
        "Check redis.url, its password, and that Redis runs. Until then each process counts for itself.",
        "Prüfen Sie redis.url, das Passwort und ob Redis läuft. Bis dahin zählt jeder Prozess für sich."
    );
    let started = Instant::now();
    match tokio::time::timeout(TIMEOUT, ping(url.expose())).await {
        Ok(Ok(())) => {
            let took = started.elapsed().as_millis();
            Check::ok(names::REDIS, text!("Answers in {took} ms.", "Antwortet in {took} ms."))
        }
        Ok(Err(error)) => {
            // The category alone: the text of the error may repeat the address.
            Check::failed(names::REDIS, Text::no_answer(error.category()), remedy)
        }
        Err(_) => Check::failed(names::REDIS, text!("No answer in 5 s.", "Keine Antwort in 5 s."), remedy),
    }
}

async fn ping(url: &str) -> Result<(), RedisError> {
    let mut connection = redis::Client::open(url)?.get_multiplexed_async_connection().await?;
    redis::cmd("PING").query_async(&mut connection).await
}

async fn vectors(subject: &Subject) -> Check {
    let remedy = text!(
        "Check qdrant.url and qdrant.api_key, and that Qdrant 1.11 or newer runs.",
        "Prüfen Sie qdrant.url und qdrant.api_key und ob Qdrant 1.11 oder neuer läuft."
    );
    let store = match &subject.vectors {
        Ok(store) => store,
        Err(error) => return Check::failed(names::VECTORS, Text::error(error), remedy),
    };
    let Some(external) = store.external() else {
        return Check::ok(names::VECTORS, text!("Search uses pgvector.", "Die Suche nutzt pgvector."));
    };
    let asked = async {
        external.check_version().await?;
        store.ping().await
    };
    match tokio::time::timeout(TIMEOUT, asked).await.unwrap_or(Err(VectorError::Timeout)) {
        Ok(()) => Check::ok(names::VECTORS, text!("Qdrant answers.", "Qdrant antwortet.")),
        Err(VectorError::Unreachable(_)) => {
            Check::failed(names::VECTORS, text!("Qdrant cannot be reached.", "Qdrant ist nicht erreichbar."), remedy)
        }
        Err(error) => Check::failed(names::VECTORS, Text::error(&error), remedy),
    }
}
