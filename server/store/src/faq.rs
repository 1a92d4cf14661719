//! A tenant's own questions and answers of a chatbot.

use contract::{
    ChatbotId, FaqId, Page, TenantId, Timestamp,
    chatbots::Provisioning,
    faq::{ChatbotFaqEntry, FaqListQuery, NewFaqEntry},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    export::{CopyQuery, literal},
    list as lists,
};

const COLUMNS: &str = "id, chatbot_id, question, answer, state, created_by, created_at";

#[derive(FromRow)]
struct EntryRow {
    id: Uuid,
    chatbot_id: Uuid,
    question: String,
    answer: String,
    state: String,
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
            answer: row.answer,
            state: row.state.parse()?,
            created_by: row.created_by,
            created_at: row.created_at,
        })
    }
}

/// A page of a chatbot's entries, newest first.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &FaqListQuery,
) -> Result<Page<ChatbotFaqEntry>> {
    const MATCHING: &str = "from chatbot_faq
        where tenant_id = $1 and chatbot_id = $2 and ($3::text is null or question ilike $3 or answer ilike $3)";
    let search = lists::search(&query.page);
    let rows: Vec<EntryRow> = sqlx::query_as(AssertSqlSafe(format!(
        "select {COLUMNS} {MATCHING} order by created_at desc, id desc limit $4 offset $5"
    )))
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

/// An entry; `lock` keeps it as it is until the transaction ends.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
    lock: bool,
) -> Result<Option<ChatbotFaqEntry>> {
    let lock = if lock { "for update" } else { "" };
    let sql = format!("select {COLUMNS} from chatbot_faq where tenant_id = $1 and chatbot_id = $2 and id = $3 {lock}");
    let row: Option<EntryRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(chatbot.0).bind(id.0).fetch_optional(connection).await?;
    row.map(ChatbotFaqEntry::try_from).transpose()
}

/// How many entries a chatbot has, and whether another one than `except` has this question, whatever the case.
pub async fn count(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    question: &str,
    except: Option<FaqId>,
) -> Result<(i64, bool)> {
    Ok(sqlx::query_as(
        "select count(*), coalesce(bool_or(question_key(question) = question_key($3) and id is distinct from $4), false)
         from chatbot_faq where tenant_id = $1 and chatbot_id = $2",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(question)
    .bind(except.map(|id| id.0))
    .fetch_one(connection)
    .await?)
}

/// What is known of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownQuestion {
    /// What two questions that are the same have in common.
    pub key: String,
    /// The chatbot's entry with this question: its id, question and answer.
    pub entry: Option<(FaqId, String, String)>,
}

#[derive(FromRow)]
struct KnownRow {
    key: String,
    id: Option<Uuid>,
    question: Option<String>,
    answer: Option<String>,
}

/// Looks the questions up among a chatbot's entries, whatever their case; one result for each, in their order.
pub async fn with_questions(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    questions: &[&str],
) -> Result<Vec<KnownQuestion>> {
    let rows: Vec<KnownRow> = sqlx::query_as(
        "select asked.key, known.id, known.question, known.answer
         from (select n, question_key(text) as key from unnest($3::text[]) with ordinality t (text, n)) asked
         left join (select distinct on (key) * from (
                        select question_key(question) as key, id, question, answer from chatbot_faq
                        where tenant_id = $1 and chatbot_id = $2) entries
                    order by key, id) known on known.key = asked.key
         order by asked.n",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(questions)
    .fetch_all(connection)
    .await?;
    let known = |KnownRow { key, id, question, answer }| KnownQuestion {
        key,
        entry: id.zip(question.zip(answer)).map(|(id, (question, answer))| (FaqId(id), question, answer)),
    };
    Ok(rows.into_iter().map(known).collect())
}

/// A chatbot's entries, newest first, as an export reads them.
pub fn copy_query(tenant: TenantId, chatbot: ChatbotId) -> CopyQuery {
    let (tenant, chatbot) = (literal::id(tenant.0), literal::id(chatbot.0));
    CopyQuery(format!(
        "select question, answer, id, state, created_by, created_at from chatbot_faq
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
        "insert into chatbot_faq (id, tenant_id, chatbot_id, question, answer, created_by)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id.0)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(&new.question)
    .bind(&new.answer)
    .bind(user)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes question and answer of an entry, which then waits to be indexed.
pub async fn update(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: FaqId,
    new: &NewFaqEntry,
) -> Result<()> {
    sqlx::query(
        "update chatbot_faq set question = $4, answer = $5, state = 'pending'
         where tenant_id = $1 and chatbot_id = $2 and id = $3",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(id.0)
    .bind(&new.question)
    .bind(&new.answer)
    .execute(connection)
    .await?;
    Ok(())
}

/// Says how far an entry is.
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

/// Removes an entry; its document is another matter.
pub async fn delete(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId, id: FaqId) -> Result<()> {
    sqlx::query("delete from chatbot_faq where tenant_id = $1 and chatbot_id = $2 and id = $3")
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// At most 100 entries of live tenants' active chatbots that wait to be indexed: one of each tenant before a second of any,
/// at random, so that none is kept waiting by others that always fail (system scope).
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
