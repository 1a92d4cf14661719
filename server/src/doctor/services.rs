//! Checks Redis and the vector store.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use redis::{ErrorKind, RedisError};
use store::vectors::VectorError;

use super::{Check, Subject, names, text::Text};
use crate::{admission::rate_limit, config::Secret};

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
        Ok(Err(error)) => Check::failed(names::REDIS, redis_failure(&error), remedy),
        Err(_) => Check::failed(names::REDIS, text!("No answer in 5 s.", "Keine Antwort in 5 s."), remedy),
    }
}

/// Why Redis does not answer. The text of an error of this crate may repeat the address; those of the system and codes do not.
fn redis_failure(error: &RedisError) -> Text {
    // A database other than 0 is selected first, and the error about that has another code.
    let needs_password = || error.detail().is_some_and(|detail| detail.starts_with("Authentication required"));
    match (error.kind(), error.code()) {
        (ErrorKind::AuthenticationFailed, _) | (_, Some("WRONGPASS")) => text!(
            "Redis refuses the user or the password of redis.url.",
            "Redis lehnt den Benutzer oder das Passwort aus redis.url ab."
        ),
        (_, code) if code == Some("NOAUTH") || needs_password() => text!(
            "Redis requires a password, and redis.url has none.",
            "Redis verlangt ein Passwort, und redis.url enthält keines."
        ),
        (_, Some("NOPERM")) => {
            text!("The user of redis.url lacks rights.", "Dem Benutzer aus redis.url fehlen Rechte.")
        }
        _ if error.is_connection_refusal() => {
            text!("The connection was refused.", "Die Verbindung wurde abgelehnt.")
        }
        (ErrorKind::Extension, Some(code)) => Text::no_answer(code),
        (ErrorKind::Io, _) if error.source().is_some() => Text::no_answer(&error.to_string()),
        _ => Text::no_answer(error.category()),
    }
}

async fn ping(url: &str) -> Result<(), RedisError> {
    let mut connection = rate_limit::redis_client(url)?.get_multiplexed_async_connection().await?;
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
    let call = async {
        external.check_version().await?;
        store.ping().await
    };
    match tokio::time::timeout(TIMEOUT, call).await.unwrap_or(Err(VectorError::Timeout)) {
        Ok(()) => Check::ok(names::VECTORS, text!("Qdrant answers.", "Qdrant antwortet.")),
        Err(VectorError::Unreachable(_)) => {
            Check::failed(names::VECTORS, text!("Qdrant cannot be reached.", "Qdrant ist nicht erreichbar."), remedy)
        }
        Err(error) => Check::failed(names::VECTORS, Text::error(&error), remedy),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use contract::system_check::ReportLanguage;

    use super::*;

    /// The finding about an error that Redis answers.
    fn finding_of(answer: &[u8]) -> String {
        let Ok(redis::Value::ServerError(error)) = redis::parse_redis_value(answer) else { panic!("{answer:?}") };
        finding(&error.into())
    }

    fn finding(error: &RedisError) -> String {
        redis_failure(error).of(ReportLanguage::English).to_owned()
    }

    #[test]
    fn the_reason_of_redis_is_named() {
        let refused = "Redis refuses the user or the password of redis.url.";
        assert_eq!(finding_of(b"-WRONGPASS invalid username-password pair\r\n"), refused);
        assert_eq!(finding(&(ErrorKind::AuthenticationFailed, "Password authentication failed").into()), refused);
        let none = "Redis requires a password, and redis.url has none.";
        assert_eq!(finding_of(b"-NOAUTH Authentication required.\r\n"), none);
        assert_eq!(finding_of(b"-NOPERM User x has no permissions\r\n"), "The user of redis.url lacks rights.");
        assert_eq!(finding_of(b"-DENIED Redis is running in protected mode\r\n"), "No answer: DENIED.");
        let system = |kind: io::ErrorKind| finding(&io::Error::from(kind).into());
        assert_eq!(system(io::ErrorKind::ConnectionRefused), "The connection was refused.");
        assert_eq!(system(io::ErrorKind::TimedOut), "No answer: timed out.");
    }
}
