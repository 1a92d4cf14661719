//! How a stream begins and ends. The work is a task of the application, so that a client that leaves, or a server that
//! stops, cannot take the row in the audit log with it.

use std::ops::ControlFlow;

use axum::body::Body;
use contract::ErrorCode;
use store::{
    ExportTx, Scope,
    export::{BinaryRow, CopyQuery, Rest},
};
use tracing::Instrument;

use super::{
    audit::{End, Ledger},
    channel::{self, Gone, Outlet},
    csv::{Chunk, Column, CsvWriter},
};
use crate::{
    admission::export_limiter::Seat,
    error::{ApiError, ApiResult},
    shutdown::Cut,
    state::App,
};

/// Where the rows of an export come from.
pub trait Source: Send + Sync + 'static {
    /// Checks what must hold before the stream starts; what is refused here leaves no row in the audit log.
    fn check(&self, app: &App) -> impl Future<Output = ApiResult<()>> + Send;

    /// The query.
    fn query(&self, tx: &mut ExportTx) -> impl Future<Output = store::Result<CopyQuery>> + Send;
}

/// An export.
#[derive(Debug)]
pub struct Export<S> {
    /// The columns of the query.
    pub columns: Vec<Column>,
    /// On whose behalf the rows are read.
    pub scope: Scope,
    /// Where they come from.
    pub source: S,
    /// With so many data rows the stream ends with the marker row.
    pub max_rows: Option<u64>,
    /// Its row in the audit log.
    pub ledger: Option<Ledger>,
    /// Given back when the stream has ended, however it ends.
    pub seat: Seat,
    /// Whether the server cut the connection off.
    pub cut: Cut,
}

/// Why a stream did not reach its end.
enum Broken {
    /// The client has left or was cut off.
    Left,
    /// The rows could not be read to the end.
    Failed(ApiError),
    /// The export took too long.
    Late,
    /// The row in the audit log could not be written.
    Unaudited(ApiError),
}

impl From<store::Error> for Broken {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Gone> for Broken {
    fn from(_: Gone) -> Self {
        Self::Left
    }
}

/// Starts an export and gives back its body once the first chunk is there. A small export is complete by then, its row
/// in the audit log included.
///
/// # Errors
/// What the source refuses; `service_unavailable` when too many exports run or the database is down; `internal_error`
/// when the row of a small export cannot be written.
pub async fn start<S: Source>(app: &App, export: Export<S>) -> ApiResult<Body> {
    let (outlet, inlet) = channel::pair();
    app.tasks.spawn(run(app.clone(), export, outlet).in_current_span());
    inlet.into_body().await
}

async fn run<S: Source>(app: App, export: Export<S>, outlet: Outlet) {
    if let Err(error) = export.source.check(&app).await {
        return outlet.refuse(error);
    }
    let broken = match pour(&app, &export, &outlet).await {
        Ok(last) => return outlet.finish(last),
        Err(broken) => broken,
    };
    let end = match broken {
        Broken::Left if export.cut.is_cut() => Some(End::Failed),
        Broken::Left => Some(End::Left),
        Broken::Failed(error) | Broken::Unaudited(error) if !outlet.has_begun() => return outlet.refuse(error),
        Broken::Late if !outlet.has_begun() => return outlet.refuse(ErrorCode::ServiceUnavailable.into()),
        Broken::Failed(error) => {
            tracing::error!(status = error.status(), "export.broke_off");
            // A chunk that still waits may be taken, and counts then.
            let _ = outlet.settle().await;
            Some(End::Failed)
        }
        Broken::Late => {
            tracing::warn!(seconds = app.settings.export_time.as_secs(), "export.took_too_long");
            Some(End::Failed)
        }
        Broken::Unaudited(_) => None,
    };
    let returned = outlet.abort();
    if let Some((ledger, end)) = export.ledger.as_ref().zip(end) {
        ledger.broke_off(&app, returned, end).await;
    }
}

/// Streams all but the last chunk, and writes the row in the audit log once everything before that was taken.
async fn pour<S: Source>(app: &App, export: &Export<S>, outlet: &Outlet) -> Result<Chunk, Broken> {
    let mut writer = CsvWriter::new(export.columns.clone());
    let returned = tokio::select! {
        returned = read(app, export, &mut writer, outlet) => returned?,
        () = outlet.closed() => return Err(Broken::Left),
        () = tokio::time::sleep(app.settings.export_time) => return Err(Broken::Late),
    };
    let truncated = export.max_rows == Some(returned);
    if truncated {
        writer.truncated();
    }
    outlet.settle().await?;
    if let Some(ledger) = &export.ledger
        && let Err(error) = ledger.drained(app, returned, truncated).await
    {
        tracing::error!(%error, returned, "export.audit_write_failed");
        return Err(Broken::Unaudited(ErrorCode::InternalError.into()));
    }
    Ok(writer.take())
}

/// Reads every row and sends the chunks that fill up; gives back the number of rows.
async fn read<S: Source>(
    app: &App,
    export: &Export<S>,
    writer: &mut CsvWriter,
    outlet: &Outlet,
) -> Result<u64, Broken> {
    let mut tx = app.db.export(&export.scope).await?;
    let query = export.source.query(&mut tx).await?;
    let mut rows = tx.rows(&query).await?;
    let mut returned = 0;
    let mut write = |writer: &mut CsvWriter, row: &BinaryRow| {
        writer.row(row)?;
        returned += 1;
        Ok(if writer.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    while rows.read(|row| write(writer, &row)).await? == Rest::More {
        outlet.send(writer.take()).await?;
    }
    drop(rows);
    if let Err(error) = tx.end().await {
        tracing::debug!(%error, "export.connection_not_given_back");
    }
    Ok(returned)
}
