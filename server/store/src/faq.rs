//! A tenant's own questions and answers of a chatbot. Each entry is also a document, which is quoted whole, and each of
//! its phrasings a passage with the answer as its text.

use contract::{
    ChatbotId, FaqId, Page, TenantId, Timestamp,
    chatbots::Provisioning,
    faq::{ChatbotFaqEntry, FAQ_SORT_FIELDS, FaqListQuery, NewFaqEntry},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    export::{CopyQuery, literal},
    list as lists,
};

const COLUMNS: &str =
    "id, chatbot_id, question, variants, answer, state, template_question is not null as from_template,
    created_by, created_at";

#[derive(FromRow)]
struct EntryRow {
    id: Uuid,
    chatbot_id: Uuid,
    question: String,
    variants: Vec<String>,
    answer: String,
    state: String,
    from_template: bool,
    created_by: String,
    created_at: Timestamp,
}

impl TryFrom<EntryRow> for ChatbotFaqEntry {
    type Error = Error;
    fn try_from(row: EntryRow) -> Result<Self> {
        Ok(Self {
            id: FaqId(row.id),
            chatbot_id: ChatbotId(row.chatbot_id),
            question: row.question,
            variants: row.variants,
            answer: row.answer,
            state: row.state.parse()?,
            from_template: row.from_template,
            created_by: row.created_by,
            created_at: row.created_at,
        })
    }
}

/// A page of a chatbot's entries, newest first when the query names no order.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &FaqListQuery,
) -> Result<Page<ChatbotFaqEntry>> {
    const MATCHING: &str = "from chatbot_faq
        where tenant_id = $1 and chatbot_id = $2
          and ($3::text is null or question ilike $3 or answer ilike $3
               or exists (select from unnest(variants) variant where variant ilike $3))";
    let search = lists::search(&query.page);
    let order = lists::order_by(&query.page, FAQ_SORT_FIELDS, "-created_at");
    let rows: Vec<EntryRow> =
        sqlx::query_as(AssertSqlSafe(format!("select {COLUMNS} {MATCHING} {order} limit $4 offset $5")))
            .bind(tenant.0)
            .bind(chatbot.0)
            .bind(&search)
            .bind(query.page.limit)
            .bind(query.page.offset)
            .fetch_all(&mut *connection)
            .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {MATCHING}")))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(&search)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(ChatbotFaqEntry::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.page.limit, offset: query.page.offset })
}

/// An entry of a chatbot.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
) -> Result<Option<ChatbotFaqEntry>> {
    select(connection, tenant, chatbot, id, "").await
}

/// An entry of a chatbot, locked until the transaction ends.
pub async fn lock(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
) -> Result<Option<ChatbotFaqEntry>> {
    select(connection, tenant, chatbot, id, "for update").await
}

async fn select(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
    lock: &str,
) -> Result<Option<ChatbotFaqEntry>> {
    let sql = format!("select {COLUMNS} from chatbot_faq where tenant_id = $1 and chatbot_id = $2 and id = $3 {lock}");
    let row: Option<EntryRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(chatbot.0).bind(id.0).fetch_optional(connection).await?;
    row.map(ChatbotFaqEntry::try_from).transpose()
}

/// How many entries a chatbot has, and whether one other than `except` has one of these phrasings, ignoring case.
pub async fn count(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    phrasings: &[&str],
    except: Option<FaqId>,
) -> Result<(i64, bool)> {
    Ok(sqlx::query_as(
        "select count(*), coalesce(bool_or(id is distinct from $4 and exists (
                    select from unnest(array_prepend(question, variants)) known (phrasing)
                    where question_key(phrasing) in (select question_key(asked) from unnest($3::text[]) asked))), false)
         from chatbot_faq where tenant_id = $1 and chatbot_id = $2",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(phrasings)
    .bind(except.map(|id| id.0))
    .fetch_one(connection)
    .await?)
}

/// An entry with the normalised keys of its phrasings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEntry {
    pub id: FaqId,
    pub entry: NewFaqEntry,
    /// The keys of its question and its variants, in their order.
    pub keys: Vec<String>,
    /// The key of the template's question that it came from.
    pub template_key: Option<String>,
}

#[derive(FromRow)]
struct KnownRow {
    id: Uuid,
    question: String,
    variants: Vec<String>,
    answer: String,
    keys: Vec<String>,
    template_key: Option<String>,
}

/// All entries of a chatbot, oldest first.
pub async fn all(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> Result<Vec<KnownEntry>> {
    let rows: Vec<KnownRow> = sqlx::query_as(
        "select id, question, variants, answer,
                array(select question_key(phrasing)
                      from unnest(array_prepend(question, variants)) with ordinality p (phrasing, n) order by n) as keys,
                question_key(template_question) as template_key
         from chatbot_faq where tenant_id = $1 and chatbot_id = $2
         order by created_at, id",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .fetch_all(connection)
    .await?;
    let entry = |KnownRow { id, question, variants, answer, keys, template_key }| KnownEntry {
        id: FaqId(id),
        entry: NewFaqEntry { question, variants, answer },
        keys,
        template_key,
    };
    Ok(rows.into_iter().map(entry).collect())
}

/// The normalised key of each question; equal questions have the same key.
pub async fn keys(connection: &mut PgConnection, questions: &[&str]) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar(
        "select question_key(question) from unnest($1::text[]) with ordinality q (question, n) order by n",
    )
    .bind(questions)
    .fetch_all(connection)
    .await?)
}

/// The questions of these entries, as far as they exist.
pub async fn questions(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    ids: &[FaqId],
) -> Result<Vec<(FaqId, String)>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows: Vec<(Uuid, String)> = sqlx::query_as(
        "select id, question from chatbot_faq where tenant_id = $1 and chatbot_id = $2 and id = any ($3) order by id",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(ids)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(id, question)| (FaqId(id), question)).collect())
}

/// A chatbot's entries, newest first, for an export.
pub fn copy_query(tenant: TenantId, chatbot: ChatbotId) -> CopyQuery {
    let (tenant, chatbot) = (literal::id(tenant.0), literal::id(chatbot.0));
    CopyQuery(format!(
        "select question, answer, id, state, created_by, created_at, array_to_string(variants, chr(10)) from chatbot_faq
         where tenant_id = {tenant} and chatbot_id = {chatbot} order by created_at desc, id desc"
    ))
}

/// Inserts an entry that waits to be indexed.
pub async fn insert(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
    new: &NewFaqEntry,
    user: &str,
) -> Result<()> {
    sqlx::query(
        "insert into chatbot_faq (id, tenant_id, chatbot_id, question, variants, answer, created_by)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id.0)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(&new.question)
    .bind(&new.variants)
    .bind(&new.answer)
    .bind(user)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes question, variants and answer of an entry, which then waits to be indexed.
pub async fn update(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
    new: &NewFaqEntry,
) -> Result<()> {
    sqlx::query(
        "update chatbot_faq set question = $4, variants = $5, answer = $6, state = 'pending'
         where tenant_id = $1 and chatbot_id = $2 and id = $3",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(id.0)
    .bind(&new.question)
    .bind(&new.variants)
    .bind(&new.answer)
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes the question of the template's answer that an entry came from.
pub async fn set_template_question(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
    question: &str,
) -> Result<()> {
    sqlx::query("update chatbot_faq set template_question = $4 where tenant_id = $1 and chatbot_id = $2 and id = $3")
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(id.0)
        .bind(question)
        .execute(connection)
        .await?;
    Ok(())
}

/// The entries of a chatbot that came from its template and wait to be indexed.
pub async fn waiting_of_template(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
) -> Result<Vec<FaqId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "select id from chatbot_faq
         where tenant_id = $1 and chatbot_id = $2 and state <> 'ready' and template_question is not null
         order by id",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(FaqId).collect())
}

/// Sets the indexing state of an entry.
pub async fn set_state(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
    state: Provisioning,
) -> Result<()> {
    sqlx::query("update chatbot_faq set state = $4 where tenant_id = $1 and chatbot_id = $2 and id = $3")
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(id.0)
        .bind(state.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes an entry without its document.
pub async fn delete(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> Result<()> {
    sqlx::query("delete from chatbot_faq where tenant_id = $1 and chatbot_id = $2 and id = $3")
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// At most 100 entries of active chatbots of live tenants that wait to be indexed (system scope): one of each tenant
/// before a second of any, in random order, so that entries that always fail do not block others.
pub async fn waiting(connection: &mut PgConnection) -> Result<Vec<(TenantId, ChatbotId, FaqId)>> {
    let rows: Vec<(Uuid, Uuid, Uuid)> = sqlx::query_as(
        "select f.tenant_id, f.chatbot_id, f.id
         from chatbot_faq f
         join chatbots c on c.tenant_id = f.tenant_id and c.id = f.chatbot_id and c.status = 'active'
         join tenants t on t.id = f.tenant_id and t.deleted_at is null
         where f.state <> 'ready'
         order by row_number() over (partition by f.tenant_id order by random()), random()
         limit 100",
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(tenant, chatbot, id)| (TenantId(tenant), ChatbotId(chatbot), FaqId(id))).collect())
}
