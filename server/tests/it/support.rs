//! A separate platform for each test: a fresh database, two tenants, a key to sign tokens with, and clients for each
//! principal.

mod call;
pub mod checksum;
pub mod command;
mod database;
mod embedders;
mod gated;
mod issued;
mod keys;
pub mod listener;
mod log;
pub mod model;
pub mod pgbouncer;
pub mod provider;
pub mod qdrant;
pub mod session_tokens;
mod settings;
pub mod shop;
mod start;
mod subscriber;
pub mod valkey;
mod waiting;
mod world;

use contract::{ChatbotId, TenantId};
use serde_json::{Value, json};
use server::state::App;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

pub use call::{Client, TestResponse, send};
pub use database::Database;
pub use embedders::{embedder, multilingual};
pub use gated::Gated;
pub use keys::{Keys, Token};
pub use log::Log;
pub use server::embedded::reserved_port::ReservedPort;
pub use settings::{limits, sandbox, uploads_folder};
pub use subscriber::{Subscription, subscribe};
pub use waiting::{listen_again, moment, within_one_day};
pub use world::{CANARY, OTHER_ORIGIN, SeededTenant, World};

pub const ORIGIN: &str = "https://shop.example.com";

/// A running platform with its own database.
pub struct Platform {
    pub app: App,
    pub base_url: String,
    pub keys: Keys,
    pub db: Database,
    pub http: reqwest::Client,
    /// Stops the serving loop.
    pub stopped: CancellationToken,
}

/// A tenant with an administrator, a viewer, branding and a chatbot.
#[derive(Debug, Clone, Copy)]
pub struct Tenant {
    pub id: TenantId,
    pub chatbot: ChatbotId,
}

impl Platform {
    /// Starts a platform with two tenants that have everything.
    pub async fn with_tenants() -> (Self, Tenant, Tenant) {
        let platform = Self::start().await;
        let one = platform.add_tenant("one").await;
        let other = platform.add_tenant("other").await;
        (platform, one, other)
    }

    /// Adds a tenant with branding that allows [`ORIGIN`] and a chatbot.
    pub async fn add_tenant(&self, slug: &str) -> Tenant {
        let body = json!({ "slug": slug, "display_name": slug });
        let answer = self.operator().post("/api/v1/platform/tenants", &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let id: TenantId = answer.body["id"].as_str().unwrap().parse().unwrap();
        let admin = self.admin(id);
        let branding = json!({ "allowed_origins": [ORIGIN], "header_title": format!("Help of {slug}") });
        assert_eq!(admin.patch("/api/v1/tenants/me/branding", &branding).await.status, 200);
        let chatbot = admin.post("/api/v1/tenants/me/chatbots", &new_chatbot("help")).await;
        assert_eq!(chatbot.status, 201, "{chatbot:?}");
        Tenant { id, chatbot: chatbot.body["id"].as_str().unwrap().parse().unwrap() }
    }

    /// Feeds a document to a chatbot.
    pub async fn ingest(
        &self,
        tenant: Tenant,
        name: &str,
        text: &str,
    ) -> server::service::knowledge::ingestion::Report {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let chatbot = server::service::knowledge::ingestion::find_chatbot(&self.app, &tenant.chatbot.to_string(), None)
            .await
            .unwrap();
        server::service::knowledge::ingestion::run(&self.app, &chatbot, &[path], false).await.unwrap()
    }

    /// Ends background tasks and closes every connection to the database.
    pub async fn stop(&self) {
        self.app.tasks.close();
        self.app.tasks.wait().await;
        self.app.db.close().await;
        self.db.superuser.close().await;
    }

    /// The whole database as its superuser sees it.
    pub fn everything(&self) -> &PgPool {
        &self.db.superuser
    }

    /// Number of audit rows.
    pub async fn audit_rows(&self) -> i64 {
        sqlx::query_scalar("select count(*) from platform_audit_log").fetch_one(self.everything()).await.unwrap()
    }

    /// The newest audit row, every column.
    pub async fn last_audit(&self) -> Value {
        let newest = "select to_jsonb(l) from platform_audit_log l order by occurred_at desc, id desc limit 1";
        sqlx::query_scalar(newest).fetch_one(self.everything()).await.unwrap()
    }
}

/// The body that creates a chatbot without a template.
pub fn new_chatbot(slug: &str) -> Value {
    json!({ "slug": slug, "name": "Help", "fallback_message": "No idea, sorry.", "welcome_message": "Hello!" })
}
