//! The start and the end of an export's stream. It runs in a task of the application, so that its audit row is written
//! even if the client disconnects or the server stops.

use std::ops::ControlFlow;

use axum::body::Body;
use contract::ErrorCode;
use store::{
    ExportTx, Scope,
    export::{BinaryRow, CopyQuery, Rest},
};
use tracing::Instrument;

use super::{
    audit::{End, ExportAudit},
    channel::{self, ChunkSender, Disconnected},
    csv::{Chunk, Column, CsvWriter, Separator},
};
use crate::{
    admission::export_limiter::ExportPermit,
    caller::Caller,
    error::{ApiError, ApiResult},
    shutdown::AbortSignal,
    state::App,
};

/// The source of an export's rows.
pub trait RowSource: Send + Sync + 'static {
    /// Validates before the stream starts; errors here leave no audit row.
    fn check(&self, app: &App, caller: &Caller) -> impl Future<Output = ApiResult<()>> + Send;

    /// The rows to stream, as a query of the export's transaction.
    fn query(&self, tx: &mut ExportTx) -> impl Future<Output = store::Result<CopyQuery>> + Send;
}

/// The parameters of an export.
#[derive(Debug)]
pub struct Export<S> {
    /// The columns of the query.
    pub columns: Vec<Column>,
    /// The source of the rows.
    pub source: S,
    /// Maximum data rows; the marker row follows if there are more.
    pub max_rows: Option<u64>,
    /// Whether the text begins with a byte order mark, without which Excel does not read it as UTF-8, and has the client's
    /// separator. The specification gives the other exports without a mark, and with commas.
    pub for_spreadsheets: bool,
    /// Its row in the audit log.
    pub audit: Option<ExportAudit>,
}

/// Who receives an export.
#[derive(Debug)]
pub struct Client {
    /// What its spreadsheet program splits rows at.
    pub separator: Separator,
    /// Whether the server aborted its connection.
    pub abort: AbortSignal,
}

struct Run<S> {
    export: Export<S>,
    caller: Caller,
    /// The scope in which the rows are read.
    scope: Scope,
    client: Client,
    /// Released when the stream has ended, however it ends.
    _permit: ExportPermit,
}

/// Why a stream did not reach its end.
enum Aborted {
    /// The client has disconnected or was cut off.
    Disconnected,
    /// The rows could not be read to the end.
    Failed(ApiError),
    /// The export took too long.
    TimedOut,
    /// The row in the audit log could not be written.
    AuditFailed(ApiError),
}

impl From<store::Error> for Aborted {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Disconnected> for Aborted {
    fn from(_: Disconnected) -> Self {
        Self::Disconnected
    }
}

/// Starts an export and returns its body once the first chunk is available. A small export is complete by then,
/// including its audit row.
///
/// # Errors
/// The source's error; `rate_limited` when the caller runs the maximum number of exports; `service_unavailable` when
/// too many run in total or the database is down; `internal_error` when the audit row of a small export cannot be
/// written.
pub async fn start<S: RowSource>(app: &App, caller: &Caller, export: Export<S>, client: Client) -> ApiResult<Body> {
    let scope = caller.scope()?;
    let permit = app.export_limiter().acquire(&caller.identity, app.db.most_exports())?;
    let run = Run { export, caller: caller.clone(), scope, client, _permit: permit };
    let (chunks, receiver) = channel::channel();
    app.tasks.spawn(execute(app.clone(), run, chunks).in_current_span());
    receiver.into_body().await
}

async fn execute<S: RowSource>(app: App, run: Run<S>, chunks: ChunkSender) {
    if let Err(error) = run.export.source.check(&app, &run.caller).await {
        return chunks.refuse(error);
    }
    let aborted = match stream_rows(&app, &run, &chunks).await {
        Ok(last) => return chunks.finish(last),
        Err(aborted) => aborted,
    };
    let end = match aborted {
        Aborted::Disconnected if run.client.abort.is_aborted() => Some(End::Failed),
        Aborted::Disconnected => Some(End::Disconnected),
        Aborted::Failed(error) | Aborted::AuditFailed(error) if !chunks.has_started() => return chunks.refuse(error),
        Aborted::TimedOut if !chunks.has_started() => return chunks.refuse(ErrorCode::ServiceUnavailable.into()),
        Aborted::Failed(error) => {
            tracing::error!(status = error.status(), "export.aborted");
            // A chunk that is still waiting may be taken, and counts then.
            let _ = chunks.reserve().await;
            Some(End::Failed)
        }
        Aborted::TimedOut => {
            tracing::warn!(seconds = app.settings.export_time.as_secs(), "export.took_too_long");
            Some(End::Failed)
        }
        Aborted::AuditFailed(_) => None,
    };
    let returned = chunks.abort();
    if let Some((audit, end)) = run.export.audit.as_ref().zip(end) {
        audit.aborted(&app, &run.scope, returned, end).await;
    }
}

/// Streams all but the last chunk, and writes the audit row after everything before that was taken.
async fn stream_rows<S: RowSource>(app: &App, run: &Run<S>, chunks: &ChunkSender) -> Result<Chunk, Aborted> {
    let export = &run.export;
    let mut writer = CsvWriter::new(export.columns.clone(), export.for_spreadsheets.then_some(run.client.separator));
    let returned = tokio::select! {
        returned = read(app, run, &mut writer, chunks) => returned?,
        () = chunks.closed() => return Err(Aborted::Disconnected),
        () = tokio::time::sleep(app.settings.export_time) => return Err(Aborted::TimedOut),
    };
    let truncated = export.max_rows == Some(returned);
    if truncated {
        writer.truncated();
    }
    chunks.reserve().await?;
    if let Some(audit) = &export.audit
        && let Err(error) = audit.completed(app, &run.scope, returned, truncated).await
    {
        tracing::error!(%error, returned, "export.audit_write_failed");
        return Err(Aborted::AuditFailed(ErrorCode::InternalError.into()));
    }
    Ok(writer.take())
}

/// Reads every row and sends full chunks; returns the number of rows.
async fn read<S: RowSource>(
    app: &App,
    run: &Run<S>,
    writer: &mut CsvWriter,
    chunks: &ChunkSender,
) -> Result<u64, Aborted> {
    let mut tx = app.db.export(&run.scope).await?;
    let query = run.export.source.query(&mut tx).await?;
    let mut rows = tx.rows(&query).await?;
    let mut returned = 0;
    let mut write = |writer: &mut CsvWriter, row: &BinaryRow| {
        writer.row(row)?;
        returned += 1;
        Ok(if writer.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    while rows.read(|row| write(writer, &row)).await? == Rest::More {
        chunks.send(writer.take()).await?;
    }
    drop(rows);
    if let Err(error) = tx.end().await {
        tracing::debug!(%error, "export.connection_not_given_back");
    }
    Ok(returned)
}
