//! What an export leaves in the audit log: one row, however its stream ends.

use serde_json::{Value, json};
use store::{AuditEntry, Scope};

use crate::state::App;

/// The row of an export in the audit log, but for what is known at its end.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// Who writes it.
    pub scope: Scope,
    /// The row; the details are an object that says what was asked for.
    pub entry: AuditEntry,
    /// The event in the server's log when the row of a broken stream cannot be written.
    pub lost: &'static str,
}

/// How a stream broke off (decisions, 8, Exports).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The client left, or took nothing for too long.
    Left,
    /// The server or the database broke it off.
    Failed,
}

impl Ledger {
    /// Writes the row of a stream that reaches its end.
    ///
    /// # Errors
    /// When the row is refused or the database is not there.
    pub(super) async fn drained(&self, app: &App, returned: u64, truncated: bool) -> store::Result<()> {
        self.write(app, &[("returned", json!(returned)), ("truncated", json!(truncated))]).await
    }

    /// Writes the row of a stream that broke off after `returned` rows. A failure is logged and not tried again.
    pub(super) async fn broke_off(&self, app: &App, returned: u64, end: End) {
        let key = match end {
            End::Left => "truncated_by_disconnect",
            End::Failed => "failed",
        };
        let counts = [("returned", json!(returned)), ("truncated", json!(false)), (key, json!(true))];
        if let Err(error) = self.write(app, &counts).await {
            tracing::error!(%error, returned, entity_id = %self.entry.entity_id, "{}", self.lost);
        }
    }

    async fn write(&self, app: &App, counts: &[(&str, Value)]) -> store::Result<()> {
        let mut entry = self.entry.clone();
        for (key, value) in counts {
            entry.details[*key] = value.clone();
        }
        // Whoever floods the platform with calls does not keep the row of an own export out of the log.
        let mut tx = app.db.write(&self.scope.clone().exempt_from_shares()).await?;
        let audited = tx.audit(&entry).await?;
        tx.commit(audited).await
    }
}
