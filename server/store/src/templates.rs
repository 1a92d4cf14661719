//! Chatbot templates.

use contract::{
    Page, TemplateId,
    branding::BrandingFields,
    templates::{
        FaqEntry, NewTemplate, TEMPLATE_SORT_FIELDS, Template, TemplateContent, TemplateListQuery, TemplateStatus,
        trimmed_questions,
    },
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    list,
};

const COLUMNS: &str = "id, language, status, version, name, description, suggested_system_prompt, welcome_message,
    suggested_questions, fallback_message, faq_seed, branding_defaults, created_at, updated_at";

#[derive(FromRow)]
struct TemplateRow {
    id: String,
    language: String,
    status: String,
    version: i32,
    name: String,
    description: String,
    suggested_system_prompt: String,
    welcome_message: String,
    suggested_questions: Vec<String>,
    fallback_message: String,
    faq_seed: Json<Vec<FaqEntry>>,
    branding_defaults: Json<BrandingFields>,
    created_at: contract::Timestamp,
    updated_at: contract::Timestamp,
}

impl TryFrom<TemplateRow> for Template {
    type Error = Error;

    fn try_from(row: TemplateRow) -> Result<Self> {
        Ok(Self {
            id: row.id.try_into()?,
            language: row.language,
            status: row.status.parse()?,
            version: row.version,
            content: TemplateContent {
                name: row.name,
                description: row.description,
                suggested_system_prompt: row.suggested_system_prompt,
                welcome_message: row.welcome_message,
                suggested_questions: row.suggested_questions,
                fallback_message: row.fallback_message,
                faq_seed: row.faq_seed.0,
                branding_defaults: row.branding_defaults.0,
            },
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// A page of the templates that the transaction's role may see.
pub async fn list(connection: &mut PgConnection, query: &TemplateListQuery) -> Result<Page<Template>> {
    const MATCHING: &str = "from chatbot_templates
        where (id ilike $1 or name ilike $1) and ($2::text is null or status = $2) and ($3::text is null or language = $3)";
    let pattern = list::pattern(&query.page);
    let order = list::order_by(&query.page, TEMPLATE_SORT_FIELDS, "id");
    let status = query.status.map(TemplateStatus::as_str);
    let rows: Vec<TemplateRow> =
        sqlx::query_as(AssertSqlSafe(format!("select {COLUMNS} {MATCHING} {order} limit $4 offset $5")))
            .bind(&pattern)
            .bind(status)
            .bind(&query.language)
            .bind(query.page.limit)
            .bind(query.page.offset)
            .fetch_all(&mut *connection)
            .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {MATCHING}")))
        .bind(&pattern)
        .bind(status)
        .bind(&query.language)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(Template::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.page.limit, offset: query.page.offset })
}

/// A template that the transaction's role may see.
pub async fn find(connection: &mut PgConnection, id: &TemplateId) -> Result<Option<Template>> {
    let sql = format!("select {COLUMNS} from chatbot_templates where id = $1");
    let row: Option<TemplateRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(id.as_str()).fetch_optional(connection).await?;
    row.map(Template::try_from).transpose()
}

/// A template, locked until the transaction ends.
pub async fn find_for_update(connection: &mut PgConnection, id: &TemplateId) -> Result<Option<Template>> {
    let sql = format!("select {COLUMNS} from chatbot_templates where id = $1 for update");
    let row: Option<TemplateRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(id.as_str()).fetch_optional(connection).await?;
    row.map(Template::try_from).transpose()
}

/// Inserts a template.
///
/// # Errors
/// Constraint `chatbot_templates_pkey` when the id is taken.
pub async fn insert(connection: &mut PgConnection, new: &NewTemplate) -> Result<()> {
    let content = &new.content;
    let faq_seed: Vec<FaqEntry> = content.faq_seed.iter().cloned().map(FaqEntry::trimmed).collect();
    sqlx::query(
        "insert into chatbot_templates (id, language, name, description, suggested_system_prompt, welcome_message,
                                        suggested_questions, fallback_message, faq_seed, branding_defaults)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(new.id.as_str())
    .bind(&new.language)
    .bind(content.name.trim())
    .bind(&content.description)
    .bind(&content.suggested_system_prompt)
    .bind(&content.welcome_message)
    .bind(trimmed_questions(content.suggested_questions.clone()))
    .bind(&content.fallback_message)
    .bind(Json(faq_seed))
    .bind(Json(&content.branding_defaults))
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the content of a template as its next version.
pub async fn update_content(connection: &mut PgConnection, id: &TemplateId, content: &TemplateContent) -> Result<()> {
    sqlx::query(
        "update chatbot_templates
         set name = $2, description = $3, suggested_system_prompt = $4, welcome_message = $5,
             suggested_questions = $6, fallback_message = $7, faq_seed = $8, branding_defaults = $9,
             version = version + 1, updated_at = now()
         where id = $1",
    )
    .bind(id.as_str())
    .bind(&content.name)
    .bind(&content.description)
    .bind(&content.suggested_system_prompt)
    .bind(&content.welcome_message)
    .bind(&content.suggested_questions)
    .bind(&content.fallback_message)
    .bind(Json(&content.faq_seed))
    .bind(Json(&content.branding_defaults))
    .execute(connection)
    .await?;
    Ok(())
}

/// Offers a template to tenants, or withdraws it.
pub async fn set_status(connection: &mut PgConnection, id: &TemplateId, status: TemplateStatus) -> Result<()> {
    sqlx::query("update chatbot_templates set status = $2, updated_at = now() where id = $1")
        .bind(id.as_str())
        .bind(status.as_str())
        .execute(connection)
        .await?;
    Ok(())
}
