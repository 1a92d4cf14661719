//! A chatbot's own questions and answers as CSV, in the form that an import takes. A read by its tenant: it leaves no row in the audit
//! log (specification, Events, 4).

use axum::body::Body;
use chrono::{DateTime, Utc};
use contract::{ChatbotId, ErrorCode, TenantId};
use store::{ExportTx, Scope, export::CopyQuery};

use crate::{
    caller::Caller,
    error::ApiResult,
    export::{self, Column, Export, Kind, Source},
    shutdown::Cut,
    state::App,
};

const COLUMNS: [Column; 6] = [
    Column { name: "question", kind: Kind::Text },
    Column { name: "answer", kind: Kind::Text },
    Column { name: "id", kind: Kind::Id },
    Column { name: "state", kind: Kind::Text },
    Column { name: "created_by", kind: Kind::Text },
    Column { name: "created_at", kind: Kind::Moment },
];

struct OfChatbot {
    tenant: TenantId,
    chatbot: ChatbotId,
    scope: Scope,
}

impl Source for OfChatbot {
    async fn check(&self, app: &App) -> ApiResult<()> {
        let mut tx = app.db.read(&self.scope).await?;
        let found = store::chatbots::find(&mut tx, self.tenant, self.chatbot).await?;
        if found.is_some() { Ok(()) } else { Err(ErrorCode::ChatbotNotFound.into()) }
    }

    async fn query(&self, _: &mut ExportTx) -> store::Result<CopyQuery> {
        Ok(store::faq::copy_query(self.tenant, self.chatbot))
    }
}

/// Starts the export.
///
/// # Errors
/// `chatbot_not_found`; `rate_limited` when the tenant runs as many exports as it may; `service_unavailable` when too many
/// run in all.
pub async fn start(app: &App, caller: &Caller, chatbot: ChatbotId, cut: Cut) -> ApiResult<Body> {
    let scope = caller.scope()?;
    let tenant = caller.tenant()?;
    let permit = app.export_limiter().acquire(&caller.identity, app.db.most_exports())?;
    let source = OfChatbot { tenant, chatbot, scope: scope.clone() };
    let export = Export { columns: COLUMNS.to_vec(), source, max_rows: None, audit: None, scope, permit, cut };
    export::start(app, export).await
}

/// The name of the file: nothing of it comes from the caller but the UUID that was parsed.
pub fn file_name(chatbot: ChatbotId, now: DateTime<Utc>) -> String {
    format!("svc-custom-answers-{chatbot}-{}.csv", now.format("%Y%m%d-%H%M%S"))
}
