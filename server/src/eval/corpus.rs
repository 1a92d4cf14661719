//! A chatbot of its own for a corpus of documents, for evaluations of many corpora.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use contract::{
    chatbots::{Chatbot, NewChatbot},
    tenants::NewTenant,
};
use tokio_util::sync::CancellationToken;

use super::Error;
use crate::{
    demo,
    error::ApiError,
    service::{
        self,
        knowledge::{ingestion, second_vectors},
        worker,
    },
    state::App,
};

/// The longest time for the second vectors of a corpus, on a slow machine.
const SECOND_VECTORS_WITHIN: Duration = Duration::from_secs(3600);

/// A chatbot of a separate tenant with the documents of these files and folders, and what was read.
///
/// # Errors
/// When a service refuses the chatbot or a document, or a worker fails.
pub async fn prepare(
    app: &App,
    name: &str,
    language: &str,
    files: &[PathBuf],
) -> Result<(Chatbot, ingestion::Report), Error> {
    let chatbot = chatbot(app, name, language).await?;
    let report = ingestion::run(app, &chatbot, files, false).await?;
    Ok((with_second_vectors(app, &chatbot).await?, report))
}

/// A chatbot without documents.
async fn chatbot(app: &App, name: &str, language: &str) -> Result<Chatbot, Error> {
    let slug = || format!("eval-{name}");
    let new = NewTenant { slug: slug(), display_name: name.to_owned(), default_language: language.to_owned() };
    let tenant = service::tenants::create(app, &demo::caller(None), &new).await.map_err(refused)?;
    let admin = demo::caller(Some(tenant.id));
    let language = Some(language.to_owned());
    let new = NewChatbot { slug: slug(), name: name.to_owned(), language, ..NewChatbot::default() };
    let chatbot = service::chatbots::create(app, &admin, new).await.map_err(refused)?;
    service::chatbots::provision(app, &admin, chatbot.id).await.map_err(refused)
}

fn refused(error: ApiError) -> Error {
    Error::Refused(error.into_body().detail)
}

/// The chatbot with second vectors of all its passages, which a worker creates as usual.
async fn with_second_vectors(app: &App, Chatbot { tenant_id, id, .. }: &Chatbot) -> Result<Chatbot, Error> {
    let stop = CancellationToken::new();
    let worker = tokio::spawn(worker::run_until(app.clone(), stop.clone()));
    let started = Instant::now();
    while second_vectors::is_due(app, *tenant_id, *id).await? {
        if worker.is_finished() || started.elapsed() > SECOND_VECTORS_WITHIN {
            return Err(Error::SecondVectors);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    stop.cancel();
    worker.await.map_err(|_| Error::SecondVectors)?;
    service::chatbots::get(app, &demo::caller(Some(*tenant_id)), *id).await.map_err(refused)
}
