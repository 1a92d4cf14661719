//! Probes the dependencies, each for at most two seconds and all at most once per second, regardless of the number of
//! callers.

use std::time::Duration;

use contract::health::{Readiness, ReadinessChecks, ReadinessDetails};
use tokio::time::timeout;

use crate::{
    sandbox::{Ocr, Sandbox},
    state::{App, shared::Shared},
};

const TIMEOUT: Duration = Duration::from_secs(2);

/// Probes the dependencies for all callers together.
#[derive(Debug, Clone, Default)]
pub(super) struct Probe(Shared<Probed>);

/// The result of a probe.
#[derive(Debug, Clone, Copy, Default)]
struct Probed {
    database: bool,
    cache: bool,
    identity_provider: bool,
    /// Whether the identity provider ever returned its keys. Without them no call with a token can be served.
    has_keys: bool,
    vector_store: Option<bool>,
    upload_space: Option<bool>,
}

impl Probe {
    /// The readiness of the server, and whether it should get calls.
    pub(super) async fn readiness(&self, app: &App, is_draining: bool) -> (Readiness, bool) {
        let probed = self.probed(app).await;
        let mut optional = [probed.vector_store, probed.upload_space].into_iter().flatten();
        let is_complete = probed.cache && probed.identity_provider && optional.all(|holds| holds);
        let (status, is_ready) = if !probed.can_serve() || (app.settings.strict_health && !is_complete) {
            ("unavailable", false)
        } else if is_draining {
            ("draining", false)
        } else if is_complete {
            ("ok", true)
        } else {
            ("degraded", true)
        };
        let details = details(&app.settings.sandbox);
        (Readiness { status: status.to_owned(), checks: probed.checks(), details }, is_ready)
    }

    /// Each dependency on its own.
    pub(super) async fn checks(&self, app: &App) -> ReadinessChecks {
        self.probed(app).await.checks()
    }

    async fn probed(&self, app: &App) -> Probed {
        let probed = app.clone();
        self.0.get(&app.tasks, async move { ask(&probed).await }).await.unwrap_or_default()
    }
}

fn details(sandbox: &Sandbox) -> ReadinessDetails {
    let (text_recognition, missing, languages) = match sandbox.known_ocr() {
        None => ("unknown", [].as_slice(), [].as_slice()),
        Some(Ocr::Off) => ("off", [].as_slice(), [].as_slice()),
        Some(Ocr::Missing(programs)) => ("missing", programs.as_slice(), [].as_slice()),
        Some(Ocr::Unconfined(_)) => ("unconfined", [].as_slice(), [].as_slice()),
        Some(Ocr::Ready { languages, .. }) => ("ready", [].as_slice(), languages.as_slice()),
    };
    ReadinessDetails {
        document_reader: sandbox.state().as_str().to_owned(),
        text_recognition: text_recognition.to_owned(),
        missing_programs: missing.iter().map(|name| (*name).to_owned()).collect(),
        recognised_languages: languages.to_vec(),
    }
}

impl Probed {
    fn can_serve(self) -> bool {
        self.database && self.has_keys
    }

    fn checks(self) -> ReadinessChecks {
        let word = |holds: bool| if holds { "ok" } else { "unavailable" }.to_owned();
        ReadinessChecks {
            database: word(self.database),
            cache: word(self.cache),
            identity_provider: word(self.identity_provider),
            vector_store: self.vector_store.map(word),
            upload_space: self.upload_space.map(word),
        }
    }
}

async fn ask(app: &App) -> Probed {
    let database = async { matches!(timeout(TIMEOUT, app.db.check()).await, Ok(Ok(()))) };
    let identity_provider = async { timeout(TIMEOUT, app.tokens.is_ready()).await.unwrap_or(false) };
    let vector_store = async {
        app.vectors.external()?;
        Some(matches!(timeout(TIMEOUT, app.vectors.ping()).await, Ok(Ok(()))))
    };
    let uploads = &app.settings.uploads;
    // The disk of another machine may not answer.
    let upload_space = async { timeout(TIMEOUT, uploads.has_space()).await.unwrap_or(Some(false)) };
    let (database, cache, identity_provider, vector_store, upload_space) =
        tokio::join!(database, app.limiter.is_ready(), identity_provider, vector_store, upload_space);
    Probed { database, cache, identity_provider, has_keys: app.tokens.has_keys(), vector_store, upload_space }
}
