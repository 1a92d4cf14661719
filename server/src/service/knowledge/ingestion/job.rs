//! The job of an ingestion. It contains paths of a machine, so a process that sees the same files must run it. Each of
//! its transactions begins with the lease. Its report is stored in the job for those who follow it.

use std::path::PathBuf;

use contract::{JobId, chatbots::Chatbot, jobs::JobKind};
use rag::discover::discover;
use serde::{Deserialize, Serialize};
use store::{
    Exemption, Scope,
    jobs::{self, NewJob},
};

use super::source::absolute;
use crate::{
    service::{
        jobs::{
            file_system,
            running::{self, Running},
        },
        knowledge::Error,
    },
    state::App,
};

/// What the command line asked to ingest.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    paths: Vec<PathBuf>,
    prune: bool,
}

/// Queues an ingestion of paths that exist.
///
/// # Errors
/// When a path is missing, or the database fails.
pub async fn queue(app: &App, chatbot: &Chatbot, paths: &[PathBuf], prune: bool) -> Result<JobId, Error> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| absolute(path)).collect();
    // Reports errors before the job is queued; the job checks again.
    discover(&paths)?;
    let payload = serde_json::to_value(Payload { paths, prune }).map_err(|error| Error::Path(error.to_string()))?;
    let storage = Some(file_system::seen_here());
    let new = NewJob { kind: JobKind::Ingest, chatbot: chatbot.id, payload, is_large: true, storage, host: None };
    let mut tx = app.db.write(&Scope::tenant(chatbot.tenant_id)).await?;
    let id = jobs::insert(&mut tx, chatbot.tenant_id, &new).await?;
    tx.commit_exempt(Exemption::Ingestion).await?;
    app.job_queued().notify_waiters();
    Ok(id)
}

/// Reads the paths of a job. A failure ends it, because a user waits for the reason and can start another one.
///
/// # Errors
/// When the job is another worker's by now, or the database does not answer.
pub async fn run(running: &Running) -> Result<(), running::Error> {
    let (tenant, chatbot) = (running.job.tenant, running.job.chatbot);
    let Ok(Payload { paths, prune }) = serde_json::from_value(running.job.payload.clone()) else {
        return running.fail("the job is of another version of the program").await;
    };
    let mut tx = running.begin().await?;
    let chatbot = store::chatbots::find(&mut tx, tenant, chatbot).await?;
    running.commit(tx).await?;
    let Some(chatbot) = chatbot else { return running.fail("the chatbot is gone").await };
    let report = match super::ingest(&running.app, &chatbot, &paths, prune, Some(running)).await {
        Ok(report) => report.storable(),
        Err(Error::Job(error)) => return Err(error),
        Err(error) => return running.fail(&error.to_string()).await,
    };
    let mut tx = running.begin().await?;
    jobs::set_result(&mut tx, &running.job, &serde_json::to_value(report).unwrap_or_default()).await?;
    running.finish(tx).await
}
