//! The feedback on a chatbot as CSV. It exports visitors' texts in bulk, so it writes an audit row.

use axum::body::Body;
use chrono::{DateTime, Utc};
use contract::{ChatbotId, TenantId, audit::actions, feedback::FeedbackExport};
use serde_json::json;
use store::{AuditEntry, ExportTx, export::CopyQuery};

use crate::{
    caller::Caller,
    error::ApiResult,
    export::{self, Client, Column, Export, ExportAudit, Kind, RowSource},
    service::chatbot_tx,
    state::App,
};

const COLUMNS: [Column; 11] = [
    Column { name: "id", kind: Kind::Id },
    Column { name: "created_at", kind: Kind::Moment },
    Column { name: "rating", kind: Kind::Text },
    Column { name: "category", kind: Kind::Text },
    Column { name: "comment", kind: Kind::Text },
    Column { name: "question", kind: Kind::Text },
    Column { name: "answer", kind: Kind::Text },
    Column { name: "session_id", kind: Kind::Id },
    Column { name: "message_id", kind: Kind::Id },
    Column { name: "handled_at", kind: Kind::Moment },
    Column { name: "handled_by", kind: Kind::Text },
];

struct OfChatbot {
    tenant: TenantId,
    chatbot: ChatbotId,
    filter: FeedbackExport,
}

impl RowSource for OfChatbot {
    async fn check(&self, app: &App, caller: &Caller) -> ApiResult<()> {
        chatbot_tx::begin_read(app, caller, self.chatbot).await.map(drop)
    }

    async fn query(&self, _: &mut ExportTx) -> store::Result<CopyQuery> {
        Ok(store::feedback::copy_query(self.tenant, self.chatbot, &self.filter))
    }
}

/// Starts the export; it writes exactly one audit row, however it ends.
///
/// # Errors
/// `chatbot_not_found`; `rate_limited` when the tenant runs as many exports as it may; `service_unavailable` when too many
/// run in all.
pub async fn start(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    filter: FeedbackExport,
    client: Client,
) -> ApiResult<Body> {
    let tenant = caller.tenant()?;
    let audit = Some(audit(caller, tenant, chatbot, &filter));
    let source = OfChatbot { tenant, chatbot, filter };
    let export = Export { columns: COLUMNS.to_vec(), source, max_rows: None, for_spreadsheets: true, audit };
    export::start(app, caller, export, client).await
}

/// Names the CSV by chatbot and time.
pub fn file_name(chatbot: ChatbotId, now: DateTime<Utc>) -> String {
    export::file_name("feedback", Some(chatbot.0), now)
}

fn audit(caller: &Caller, tenant: TenantId, chatbot: ChatbotId, filter: &FeedbackExport) -> ExportAudit {
    let details = json!({ "rating": filter.rating, "category": filter.category, "handled": filter.handled });
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: Some(chatbot),
        action: actions::FEEDBACK_EXPORTED,
        entity_type: "feedback",
        entity_id: chatbot.to_string(),
        details,
    };
    ExportAudit { entry, failure_event: "feedback.export_audit_write_failed" }
}
