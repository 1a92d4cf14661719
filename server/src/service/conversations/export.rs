//! Conversations as CSV: one row per question, with its answer. It exports visitors' texts in bulk, so it writes an
//! audit row.

use axum::body::Body;
use chrono::{DateTime, Utc};
use contract::{ChatbotId, TenantId, audit::actions, conversations::ConversationFilter};
use serde_json::json;
use store::{AuditEntry, ExportTx, export::CopyQuery};

use crate::{
    caller::Caller,
    error::ApiResult,
    export::{self, Client, Column, Export, ExportAudit, Kind, RowSource},
    service::chatbot_tx,
    state::App,
};

const COLUMNS: [Column; 16] = [
    Column { name: "created_at", kind: Kind::Moment },
    Column { name: "session_id", kind: Kind::Id },
    Column { name: "message_id", kind: Kind::Id },
    Column { name: "chatbot_id", kind: Kind::Id },
    Column { name: "chatbot", kind: Kind::Text },
    Column { name: "language", kind: Kind::Text },
    Column { name: "question", kind: Kind::Text },
    Column { name: "answer", kind: Kind::Text },
    Column { name: "answered", kind: Kind::Text },
    Column { name: "confidence", kind: Kind::Text },
    Column { name: "answered_by", kind: Kind::Text },
    Column { name: "sources", kind: Kind::Text },
    Column { name: "rating", kind: Kind::Text },
    Column { name: "page_url", kind: Kind::Text },
    // The kind, and the language model's name.
    Column { name: "generated_by", kind: Kind::Text },
    Column { name: "generated_by_model", kind: Kind::Text },
];

struct OfTenant {
    tenant: TenantId,
    filter: ConversationFilter,
}

impl RowSource for OfTenant {
    async fn check(&self, app: &App, caller: &Caller) -> ApiResult<()> {
        match self.filter.chatbot_id {
            Some(chatbot) => chatbot_tx::begin_read(app, caller, chatbot).await.map(drop),
            None => Ok(()),
        }
    }

    async fn query(&self, tx: &mut ExportTx) -> store::Result<CopyQuery> {
        store::conversations::export::copy_query(tx, self.tenant, &self.filter).await
    }
}

/// Starts the export; it writes exactly one audit row, however it ends.
///
/// # Errors
/// `date_from_after_date_to`, `chatbot_not_found`; `rate_limited` when the tenant runs as many exports as it may;
/// `service_unavailable` when too many run in all.
pub async fn start(app: &App, caller: &Caller, filter: ConversationFilter, client: Client) -> ApiResult<Body> {
    filter.check_codes()?;
    let tenant = caller.tenant()?;
    let audit = Some(audit(caller, tenant, &filter));
    let export = Export {
        columns: COLUMNS.to_vec(),
        source: OfTenant { tenant, filter },
        max_rows: None,
        for_spreadsheets: true,
        audit,
    };
    export::start(app, caller, export, client).await
}

/// Names the CSV by the time, and by the chatbot if one is chosen.
pub fn file_name(chatbot: Option<ChatbotId>, now: DateTime<Utc>) -> String {
    export::file_name("conversations", chatbot.map(|chatbot| chatbot.0), now)
}

/// The filters, but for the words that were searched: those are often a visitor's, and stay out of the log.
fn audit(caller: &Caller, tenant: TenantId, filter: &ConversationFilter) -> ExportAudit {
    let details = json!({
        "chatbot_id": filter.chatbot_id,
        "outcome": filter.outcome,
        "rating": filter.rating,
        "date_from": filter.date_from,
        "date_to": filter.date_to,
        "searched": filter.words().is_some(),
    });
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: filter.chatbot_id,
        action: actions::CONVERSATIONS_EXPORTED,
        entity_type: "conversations",
        entity_id: filter.chatbot_id.map_or_else(|| "all".to_owned(), |chatbot| chatbot.to_string()),
        details,
    };
    ExportAudit { entry, failure_event: "conversations.export_audit_write_failed" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_named_after_the_chatbot_and_the_second() {
        let now = DateTime::parse_from_rfc3339("2026-11-21T05:06:07.9Z").unwrap().to_utc();
        assert_eq!(file_name(None, now), "svc-conversations-20261121-050607.csv");
        let chatbot = "b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33".parse().unwrap();
        let expected = "svc-conversations-b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33-20261121-050607.csv";
        assert_eq!(file_name(Some(chatbot), now), expected);
    }
}
