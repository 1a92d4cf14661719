//! A chatbot's own questions and answers as CSV, in the format of the import. It is a read by its tenant and writes no
//! audit row (specification, Events, 4).

use axum::body::Body;
use chrono::{DateTime, Utc};
use contract::{ChatbotId, TenantId};
use store::{ExportTx, export::CopyQuery};

use crate::{
    caller::Caller,
    error::ApiResult,
    export::{self, Client, Column, Export, Kind, RowSource},
    service::chatbot_tx,
    state::App,
};

const COLUMNS: [Column; 7] = [
    Column { name: "question", kind: Kind::Text },
    Column { name: "answer", kind: Kind::Text },
    Column { name: "id", kind: Kind::Id },
    Column { name: "state", kind: Kind::Text },
    Column { name: "created_by", kind: Kind::Text },
    Column { name: "created_at", kind: Kind::Moment },
    // One a line.
    Column { name: "variants", kind: Kind::Text },
];

struct OfChatbot {
    tenant: TenantId,
    chatbot: ChatbotId,
}

impl RowSource for OfChatbot {
    async fn check(&self, app: &App, caller: &Caller) -> ApiResult<()> {
        chatbot_tx::begin_read(app, caller, self.chatbot).await.map(drop)
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
pub async fn start(app: &App, caller: &Caller, chatbot: ChatbotId, client: Client) -> ApiResult<Body> {
    let source = OfChatbot { tenant: caller.tenant()?, chatbot };
    let export = Export { columns: COLUMNS.to_vec(), source, max_rows: None, for_spreadsheets: true, audit: None };
    export::start(app, caller, export, client).await
}

/// Names the CSV by chatbot and time.
pub fn file_name(chatbot: ChatbotId, now: DateTime<Utc>) -> String {
    export::file_name("custom-answers", Some(chatbot.0), now)
}
