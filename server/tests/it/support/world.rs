//! Two tenants with a row in every table; the second one's rows are marked with a word that the first must never see.
//! The world is created once; each test gets a copy of its database.

mod canary;
mod fill;

use contract::{ChatbotId, TenantId};
use server::state::AppSettings;
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::{Database, Platform};

pub use canary::CANARY;

/// The page of the other tenant's widget.
pub const OTHER_ORIGIN: &str = "https://canaryzebra.example.org";

/// The name of the other tenant's document.
const OTHER_DOCUMENT: &str = "canaryzebra.md";

/// The ids of a tenant's data.
#[derive(Debug, Clone, Copy)]
pub struct SeededTenant {
    pub tenant: TenantId,
    /// Created from a template that has changed since.
    pub chatbot: ChatbotId,
    pub session: Uuid,
    pub message: Uuid,
    pub feedback: Uuid,
    /// A question and answer of the tenant's own.
    pub faq: Uuid,
    /// A source with an uploaded document.
    pub source: Uuid,
    /// A passage that answers are found in.
    pub passage: Uuid,
    /// The version of this document.
    pub version: Uuid,
    /// The uploaded file of this document.
    pub file: Uuid,
    /// The administrator's own data in the knowledge hub.
    pub bookmark: Uuid,
    pub saved_search: Uuid,
    pub search: Uuid,
    /// The name of this document.
    pub external_id: &'static str,
    pub audit: Uuid,
    /// A key that nobody has.
    pub api_key: Uuid,
    /// A person at the identity provider; new with each start.
    pub person: Uuid,
    /// Another chatbot of the tenant, with a conversation.
    pub sibling: ChatbotId,
    pub sibling_session: Uuid,
    pub sibling_message: Uuid,
}

/// A running platform with the two tenants.
pub struct World {
    pub platform: Platform,
    pub one: SeededTenant,
    pub other: SeededTenant,
}

struct Made {
    database: Database,
    one: SeededTenant,
    other: SeededTenant,
}

impl World {
    /// A fresh copy of the world, with a platform that runs on it.
    pub async fn start() -> Self {
        Self::start_after("select 1").await
    }

    /// A fresh copy of the world whose database is changed by `sql` before the platform connects.
    pub async fn start_after(sql: &str) -> Self {
        let (database, mut one, mut other) = Self::database().await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&database.superuser).await.unwrap();
        let legacy = |settings: &mut AppSettings| settings.legacy_chatbot = Some(one.chatbot);
        let platform = Platform::start_on(database, super::embedder().await, legacy).await;
        // The last name of the second one is the mark.
        one.person = platform.add_person(one.tenant, "resident-one", "Meyer", "tenant-viewer").await;
        other.person = platform.add_person(other.tenant, "resident-other", CANARY, "tenant-viewer").await;
        Self { platform, one, other }
    }

    /// A fresh copy of the world's database without a platform.
    pub async fn database() -> (Database, SeededTenant, SeededTenant) {
        static MADE: OnceCell<Made> = OnceCell::const_new();
        let template = MADE.get_or_init(make).await;
        (Database::copy_of(&template.database.name).await, template.one, template.other)
    }
}

async fn make() -> Made {
    let platform = Platform::start().await;
    fill::templates(&platform).await;
    let one = fill::tenant(&platform, "one", super::ORIGIN, "a.md").await;
    let other = fill::tenant(&platform, "other", OTHER_ORIGIN, OTHER_DOCUMENT).await;
    fill::template_moves_on(&platform).await;
    canary::mark(platform.everything(), other.tenant).await;
    platform.stop().await;
    Made { database: platform.db, one, other }
}
