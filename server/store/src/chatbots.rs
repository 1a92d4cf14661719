//! Chatbots and their vector collections.

mod active;
mod collection;
pub mod copy;
pub mod erase;
mod quota;
pub mod template_answers;

pub use active::{ActiveChatbot, active, find_active};
pub use collection::{
    ProvisionedCollection, embedding_model, embeddings_in_use, orphaned, provision_collection, provisioned,
    set_provisioning, try_provision_collection, unprovisioned, without_index,
};
use contract::{
    ChatbotId, Page, TemplateId, TenantId,
    chatbots::{CHATBOT_SORT_FIELDS, Chatbot, ChatbotListQuery, ChatbotStatus, Reindexing, SmallTalkReplies},
    templates::TemplateContent,
};
pub use quota::{count_collections, drop_collection, idle_collections, is_counted, is_dropped, note_collection};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    list,
};

const COLUMNS: &str = "id, tenant_id, slug, name, description, language, status, template_id, template_version,
    template_snapshot, system_prompt, welcome_message, suggested_questions, fallback_message, small_talk,
    vector_collection, provisioning, embedding_model, next_embedding_model, reindexed, reindex_total, cross_language,
    second_embedding_model, answer_model, created_at, updated_at, deactivated_at";

#[derive(FromRow)]
struct ChatbotRow {
    id: Uuid,
    tenant_id: Uuid,
    slug: String,
    name: String,
    description: String,
    language: String,
    status: String,
    template_id: Option<String>,
    template_version: Option<i32>,
    template_snapshot: Option<Json<TemplateContent>>,
    system_prompt: String,
    welcome_message: String,
    suggested_questions: Vec<String>,
    fallback_message: String,
    small_talk: Json<SmallTalkReplies>,
    vector_collection: String,
    provisioning: String,
    embedding_model: Option<String>,
    next_embedding_model: Option<String>,
    reindexed: i32,
    reindex_total: i32,
    cross_language: bool,
    second_embedding_model: Option<String>,
    answer_model: Option<String>,
    created_at: contract::Timestamp,
    updated_at: contract::Timestamp,
    deactivated_at: Option<contract::Timestamp>,
}

impl TryFrom<ChatbotRow> for Chatbot {
    type Error = Error;

    fn try_from(row: ChatbotRow) -> Result<Self> {
        Ok(Self {
            id: ChatbotId(row.id),
            tenant_id: TenantId(row.tenant_id),
            slug: row.slug,
            name: row.name,
            description: row.description,
            language: row.language,
            status: row.status.parse()?,
            template_id: row.template_id.map(TemplateId::try_from).transpose()?,
            template_version: row.template_version,
            template_snapshot: row.template_snapshot.map(|snapshot| snapshot.0),
            system_prompt: row.system_prompt,
            welcome_message: row.welcome_message,
            suggested_questions: row.suggested_questions,
            fallback_message: row.fallback_message,
            small_talk: row.small_talk.0,
            vector_collection: row.vector_collection,
            provisioning: row.provisioning.parse()?,
            embedding_model: row.embedding_model,
            reindexing: row.next_embedding_model.map(|embedding_model| Reindexing {
                embedding_model,
                done: row.reindexed,
                total: row.reindex_total,
            }),
            cross_language: row.cross_language,
            second_embedding_model: row.second_embedding_model,
            answer_model: row.answer_model,
            created_at: row.created_at,
            updated_at: row.updated_at,
            deactivated_at: row.deactivated_at,
        })
    }
}

/// A page of one tenant's chatbots.
pub async fn list(connection: &mut PgConnection, tenant: TenantId, query: &ChatbotListQuery) -> Result<Page<Chatbot>> {
    const MATCHING: &str = "from chatbots
        where tenant_id = $1 and (slug ilike $2 or name ilike $2) and ($3::text is null or status = $3)";
    let pattern = list::pattern(&query.page);
    let order = list::order_by(&query.page, CHATBOT_SORT_FIELDS, "name");
    let status = query.status.map(ChatbotStatus::as_str);
    let rows: Vec<ChatbotRow> =
        sqlx::query_as(AssertSqlSafe(format!("select {COLUMNS} {MATCHING} {order} limit $4 offset $5")))
            .bind(tenant.0)
            .bind(&pattern)
            .bind(status)
            .bind(query.page.limit)
            .bind(query.page.offset)
            .fetch_all(&mut *connection)
            .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {MATCHING}")))
        .bind(tenant.0)
        .bind(&pattern)
        .bind(status)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(Chatbot::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.page.limit, offset: query.page.offset })
}

/// A chatbot of a tenant, active or not.
pub async fn find(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<Option<Chatbot>> {
    select_one(connection, tenant, id, "").await
}

/// Those of the chatbots that the tenant has, active or not.
pub async fn owned(connection: &mut PgConnection, tenant: TenantId, ids: &[ChatbotId]) -> Result<Vec<ChatbotId>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let owned: Vec<Uuid> = sqlx::query_scalar("select id from chatbots where tenant_id = $1 and id = any ($2)")
        .bind(tenant.0)
        .bind(ids)
        .fetch_all(connection)
        .await?;
    Ok(owned.into_iter().map(ChatbotId).collect())
}

/// A chatbot of a tenant, locked against other changes until the transaction ends. Does not block visitors' messages,
/// which only refer to it.
pub async fn find_for_update(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: ChatbotId,
) -> Result<Option<Chatbot>> {
    select_one(connection, tenant, id, "for no key update").await
}

/// A chatbot of a live tenant, active or not: of the given tenant, or of any tenant that the transaction's role may
/// see.
pub async fn find_live(
    connection: &mut PgConnection,
    tenant: Option<TenantId>,
    id: ChatbotId,
) -> Result<Option<Chatbot>> {
    select_live(connection, tenant, id, "").await
}

/// Like [`find_live`], but locked as by [`find_for_update`].
pub async fn find_live_for_update(
    connection: &mut PgConnection,
    tenant: Option<TenantId>,
    id: ChatbotId,
) -> Result<Option<Chatbot>> {
    select_live(connection, tenant, id, "for no key update").await
}

async fn select_live(
    connection: &mut PgConnection,
    tenant: Option<TenantId>,
    id: ChatbotId,
    lock: &str,
) -> Result<Option<Chatbot>> {
    let sql = format!(
        "select {COLUMNS} from chatbots
         where id = $1 and ($2::uuid is null or tenant_id = $2)
           and exists (select from tenants t where t.id = chatbots.tenant_id and t.deleted_at is null)
         {lock}"
    );
    let row: Option<ChatbotRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(id.0)
        .bind(tenant.map(|tenant| tenant.0))
        .fetch_optional(connection)
        .await?;
    row.map(Chatbot::try_from).transpose()
}

/// The language and the embedding model of a chatbot, locked until the transaction ends.
pub async fn lock_for_passages(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: ChatbotId,
) -> Result<Option<(String, Option<String>)>> {
    let sql = "select language, embedding_model from chatbots where tenant_id = $1 and id = $2 for share";
    Ok(sqlx::query_as(sql).bind(tenant.0).bind(id.0).fetch_optional(connection).await?)
}

async fn select_one(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: ChatbotId,
    lock: &str,
) -> Result<Option<Chatbot>> {
    let sql = format!("select {COLUMNS} from chatbots where tenant_id = $1 and id = $2 {lock}");
    let row: Option<ChatbotRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(id.0).fetch_optional(connection).await?;
    row.map(Chatbot::try_from).transpose()
}

/// Whether a chatbot of the tenant has this slug.
pub async fn has_slug(connection: &mut PgConnection, tenant: TenantId, slug: &str) -> Result<bool> {
    let sql = "select exists (select from chatbots where tenant_id = $1 and slug = $2)";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).bind(slug).fetch_one(connection).await?)
}

/// Chatbots with this slug, of one tenant or (for the system scope) of any.
pub async fn find_by_slug(
    connection: &mut PgConnection,
    tenant_slug: Option<&str>,
    slug: &str,
) -> Result<Vec<(TenantId, ChatbotId)>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select c.tenant_id, c.id
         from chatbots c join tenants t on t.id = c.tenant_id
         where (c.slug = $1 or c.id::text = $1) and ($2::text is null or t.slug = $2) and t.deleted_at is null
         order by c.id",
    )
    .bind(slug)
    .bind(tenant_slug)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(tenant, id)| (TenantId(tenant), ChatbotId(id))).collect())
}

/// Like [`find_by_slug`], including chatbots of deleted tenants (operator scope).
pub async fn find_including_deleted(
    connection: &mut PgConnection,
    tenant_slug: Option<&str>,
    name: &str,
) -> Result<Vec<(TenantId, ChatbotId)>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select c.tenant_id, c.id
         from chatbots c join tenants t on t.id = c.tenant_id
         where (c.slug = $1 or c.id::text = $1) and ($2::text is null or t.slug = $2)
         order by c.id",
    )
    .bind(name)
    .bind(tenant_slug)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(tenant, id)| (TenantId(tenant), ChatbotId(id))).collect())
}

/// Inserts a chatbot with its snapshot.
///
/// # Errors
/// Constraint `chatbots_tenant_id_slug_key` when the tenant has a chatbot with the slug.
pub async fn insert(connection: &mut PgConnection, chatbot: &Chatbot) -> Result<()> {
    sqlx::query(
        "insert into chatbots (id, tenant_id, slug, name, description, language, template_id, template_version,
                               template_snapshot, system_prompt, welcome_message, suggested_questions,
                               fallback_message, vector_collection, provisioning, cross_language, answer_model)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
    )
    .bind(chatbot.id.0)
    .bind(chatbot.tenant_id.0)
    .bind(&chatbot.slug)
    .bind(&chatbot.name)
    .bind(&chatbot.description)
    .bind(&chatbot.language)
    .bind(chatbot.template_id.as_ref().map(TemplateId::as_str))
    .bind(chatbot.template_version)
    .bind(chatbot.template_snapshot.as_ref().map(Json))
    .bind(&chatbot.system_prompt)
    .bind(&chatbot.welcome_message)
    .bind(&chatbot.suggested_questions)
    .bind(&chatbot.fallback_message)
    .bind(&chatbot.vector_collection)
    .bind(chatbot.provisioning.as_str())
    .bind(chatbot.cross_language)
    .bind(&chatbot.answer_model)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the fields of a chatbot that tenants can edit.
pub async fn update(connection: &mut PgConnection, chatbot: &Chatbot) -> Result<()> {
    sqlx::query(
        "update chatbots
         set name = $3, description = $4, language = $5, system_prompt = $6, welcome_message = $7,
             suggested_questions = $8, fallback_message = $9, small_talk = $10, cross_language = $11, answer_model = $12,
             updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(chatbot.tenant_id.0)
    .bind(chatbot.id.0)
    .bind(&chatbot.name)
    .bind(&chatbot.description)
    .bind(&chatbot.language)
    .bind(&chatbot.system_prompt)
    .bind(&chatbot.welcome_message)
    .bind(&chatbot.suggested_questions)
    .bind(&chatbot.fallback_message)
    .bind(Json(&chatbot.small_talk))
    .bind(chatbot.cross_language)
    .bind(&chatbot.answer_model)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the fields that a chatbot takes from its template, with the new snapshot.
pub async fn take_template(connection: &mut PgConnection, chatbot: &Chatbot) -> Result<()> {
    sqlx::query(
        "update chatbots
         set name = $3, description = $4, system_prompt = $5, welcome_message = $6, suggested_questions = $7,
             fallback_message = $8, template_version = $9, template_snapshot = $10, provisioning = $11,
             updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(chatbot.tenant_id.0)
    .bind(chatbot.id.0)
    .bind(&chatbot.name)
    .bind(&chatbot.description)
    .bind(&chatbot.system_prompt)
    .bind(&chatbot.welcome_message)
    .bind(&chatbot.suggested_questions)
    .bind(&chatbot.fallback_message)
    .bind(chatbot.template_version)
    .bind(chatbot.template_snapshot.as_ref().map(Json))
    .bind(chatbot.provisioning.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn deactivate(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<()> {
    sqlx::query(
        "update chatbots set status = 'deactivated', deactivated_at = now(), updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .execute(connection)
    .await?;
    Ok(())
}

/// Activates a chatbot again.
pub async fn reactivate(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<()> {
    sqlx::query(
        "update chatbots set status = 'active', deactivated_at = null, updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .execute(connection)
    .await?;
    Ok(())
}
