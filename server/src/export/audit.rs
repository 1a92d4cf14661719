//! The audit row of an export: exactly one, however its stream ends.

use serde_json::{Value, json};
use store::{AuditEntry, Scope};

use crate::state::App;

/// The audit row of an export, without what is known only at its end.
#[derive(Debug, Clone)]
pub struct ExportAudit {
    /// The row; its details are an object with the parameters.
    pub entry: AuditEntry,
    /// The event in the server's log when the row of an aborted stream cannot be written.
    pub failure_event: &'static str,
}

/// Why a stream was aborted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The client disconnected, or took nothing for too long.
    Disconnected,
    /// The server or the database failed.
    Failed,
}

impl ExportAudit {
    /// Writes the row of a complete stream, before its last chunk is delivered.
    ///
    /// # Errors
    /// When the row is refused or the database is not there.
    pub(super) async fn completed(
        &self,
        app: &App,
        scope: &Scope,
        returned: u64,
        truncated: bool,
    ) -> store::Result<()> {
        self.write(app, scope, &[("returned", json!(returned)), ("truncated", json!(truncated))]).await
    }

    /// Writes the row of a stream that was aborted after `returned` rows. A failure is logged and not tried again.
    pub(super) async fn aborted(&self, app: &App, scope: &Scope, returned: u64, end: End) {
        let key = match end {
            End::Disconnected => "truncated_by_disconnect",
            End::Failed => "failed",
        };
        let counts = [("returned", json!(returned)), ("truncated", json!(false)), (key, json!(true))];
        if let Err(error) = self.write(app, scope, &counts).await {
            tracing::error!(%error, returned, entity_id = %self.entry.entity_id, "{}", self.failure_event);
        }
    }

    async fn write(&self, app: &App, scope: &Scope, counts: &[(&str, Value)]) -> store::Result<()> {
        let mut entry = self.entry.clone();
        for (key, value) in counts {
            entry.details[*key] = value.clone();
        }
        // A tenant that floods the platform with calls must not keep the rows of its exports out of the log.
        let tx = app.db.write(&scope.clone().exempt_from_shares()).await?;
        tx.commit_audited(&entry).await
    }
}
