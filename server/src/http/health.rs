//! Asks the dependencies for a sign of life, each for at most two seconds.

use std::time::Duration;

use contract::health::{Readiness, ReadinessChecks};
use tokio::time::timeout;

use crate::app_state::App;

const LIMIT: Duration = Duration::from_secs(2);

/// The readiness of the server.
pub(super) async fn probe(app: &App) -> Readiness {
    let database = async { matches!(timeout(LIMIT, app.db.ping()).await, Ok(Ok(()))) };
    let identity_provider = async { timeout(LIMIT, app.tokens.is_ready()).await.unwrap_or(false) };
    let vector_store = async {
        app.vectors.outside()?;
        Some(matches!(timeout(LIMIT, app.vectors.ping()).await, Ok(Ok(()))))
    };
    let (database, cache, identity_provider, vector_store) =
        tokio::join!(database, app.limiter.is_ready(), identity_provider, vector_store);
    let word = |holds: bool| if holds { "ok" } else { "unavailable" }.to_owned();
    Readiness {
        status: word(database && cache && identity_provider && vector_store.unwrap_or(true)),
        checks: ReadinessChecks {
            database: word(database),
            cache: word(cache),
            identity_provider: word(identity_provider),
            vector_store: vector_store.map(word),
        },
    }
}
