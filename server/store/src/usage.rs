//! The storage and usage of a tenant, by day.

use chrono::NaiveDate;
use contract::{
    ChatbotId, TenantId,
    conversations::TokenUsage,
    usage::{ChatbotSpending, ModelSpending, Quota, Quotas, StoredDay, UsageDay, UsageMonth},
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, list::collated};

/// The tenant's quotas, where they differ from the platform's defaults.
pub async fn quotas(connection: &mut PgConnection, tenant: TenantId) -> Result<Quotas> {
    let quotas: Option<Json<Quotas>> = sqlx::query_scalar("select quotas from tenants where id = $1")
        .bind(tenant.0)
        .fetch_optional(connection)
        .await?;
    Ok(quotas.map(|quotas| quotas.0).unwrap_or_default())
}

/// Prevents others from committing what counts for the tenant's quotas until the transaction ends. It must be the last
/// lock of a transaction, so that no transaction that waits for another lock holds it.
pub async fn lock(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('quotas:' || $1::uuid::text, 0))")
        .bind(tenant.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// How much a tenant stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct Used {
    documents: i64,
    bytes: i64,
    passages: i64,
    pages: i64,
    chatbots: i64,
    questions_per_month: i64,
    tokens_per_month: i64,
}

impl Used {
    /// The used amount of one quota.
    pub const fn of(&self, quota: Quota) -> i64 {
        match quota {
            Quota::Documents => self.documents,
            Quota::Bytes => self.bytes,
            Quota::Passages => self.passages,
            Quota::Pages => self.pages,
            Quota::Chatbots => self.chatbots,
            Quota::QuestionsPerMonth => self.questions_per_month,
            Quota::TokensPerMonth => self.tokens_per_month,
        }
    }

    /// The stored amounts, as the numbers of a day.
    pub const fn stored(&self, date: NaiveDate) -> StoredDay {
        let Self { documents, bytes, passages, pages, chatbots, .. } = *self;
        StoredDay { date, documents, bytes, passages, pages, chatbots }
    }
}

/// How much a tenant stores. An uploaded file that waits to be read for the first time counts as a document. Contents of
/// previewed pages count as bytes.
pub async fn used(connection: &mut PgConnection, tenant: TenantId) -> Result<Used> {
    Ok(sqlx::query_as(
        "with indexed as (
             select count(*) filter (where s.kind in ('files', 'upload', 'api')) as documents,
                    count(*) filter (where s.kind = 'website') as pages,
                    coalesce(sum(d.passage_count), 0)::bigint as passages
             from documents d
             join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
             where d.tenant_id = $1
         ), uploaded as (
             select count(*) filter (
                        where u.state in ('waiting', 'reading')
                          and not exists (select from documents d where d.tenant_id = $1 and d.upload_id = u.id)
                    ) as waiting,
                    coalesce(sum(u.bytes), 0)::bigint as bytes
             from uploads u
             where u.tenant_id = $1
         )
         select indexed.documents + uploaded.waiting as documents, uploaded.bytes + previewed.bytes as bytes,
                indexed.passages, indexed.pages,
                (select count(*) from chatbots where tenant_id = $1 and collection_dropped_at is null) as chatbots,
                month.questions as questions_per_month, month.tokens as tokens_per_month
         from indexed, uploaded, (
             select coalesce(sum(octet_length(body)), 0)::bigint as bytes from website_bodies where tenant_id = $1
         ) previewed, (
             select coalesce(sum(questions), 0)::bigint as questions,
                    coalesce(sum(prompt_tokens + answer_tokens), 0)::bigint as tokens
             from usage_days
             where tenant_id = $1 and day >= date_trunc('month', now() at time zone 'UTC')
         ) month",
    )
    .bind(tenant.0)
    .fetch_one(connection)
    .await?)
}

/// Counts a visitor's question unless the month has `limit` already, and returns the day that it counts for, in UTC.
/// Concurrent questions never exceed the limit.
pub async fn count_question(connection: &mut PgConnection, tenant: TenantId, limit: i64) -> Result<Option<NaiveDate>> {
    // The number of the current day is read under its lock; those of the month's other days do not grow any more.
    Ok(sqlx::query_scalar(
        "with today as (select (now() at time zone 'UTC')::date as day),
         others as (
             select coalesce(sum(u.questions), 0)::bigint as questions
             from today t
             join usage_days u on u.tenant_id = $1 and u.day >= date_trunc('month', t.day::timestamp) and u.day <> t.day
         )
         insert into usage_days as u (tenant_id, day, questions)
         select $1, today.day, 1 from today, others where others.questions < $2
         on conflict on constraint usage_days_pkey do update set questions = u.questions + 1
             where u.questions + (select questions from others) < $2
         returning u.day",
    )
    .bind(tenant.0)
    .bind(limit)
    .fetch_optional(connection)
    .await?)
}

/// Takes back that [`count_question`] counted a question for a day.
pub async fn uncount_question(connection: &mut PgConnection, tenant: TenantId, day: NaiveDate) -> Result<()> {
    sqlx::query("update usage_days set questions = questions - 1 where tenant_id = $1 and day = $2 and questions > 0")
        .bind(tenant.0)
        .bind(day)
        .execute(connection)
        .await?;
    Ok(())
}

/// The tokens of language models that the tenant used in this month, in UTC.
pub async fn tokens_this_month(connection: &mut PgConnection, tenant: TenantId) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select coalesce(sum(prompt_tokens + answer_tokens), 0)::bigint from usage_days
         where tenant_id = $1 and day >= date_trunc('month', now() at time zone 'UTC')",
    )
    .bind(tenant.0)
    .fetch_one(connection)
    .await?)
}

/// The usage of one exchange.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Questions that [`count_question`] has not counted.
    pub questions: i64,
    /// Questions beyond the quota.
    pub refused_questions: i64,
    /// The tokens that a language model used.
    pub tokens: Option<TokenUsage>,
    /// The cost in millionths of the currency.
    pub cost_micros: i64,
}

/// Adds to the usage of the current day in UTC. Locks the day until the transaction ends.
pub async fn add(connection: &mut PgConnection, tenant: TenantId, spent: Spent) -> Result<()> {
    if spent == Spent::default() {
        return Ok(());
    }
    let tokens = |of: fn(&TokenUsage) -> i32| spent.tokens.as_ref().map_or(0, |tokens| i64::from(of(tokens)));
    sqlx::query(
        "insert into usage_days as u (tenant_id, day, questions, refused_questions, model_answers, prompt_tokens,
                                      cached_tokens, answer_tokens, cost_micros)
         values ($1, (now() at time zone 'UTC')::date, $2, $3, $4, $5, $6, $7, $8)
         on conflict on constraint usage_days_pkey do update
             set questions = u.questions + excluded.questions,
                 refused_questions = u.refused_questions + excluded.refused_questions,
                 model_answers = u.model_answers + excluded.model_answers,
                 prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
                 cached_tokens = u.cached_tokens + excluded.cached_tokens,
                 answer_tokens = u.answer_tokens + excluded.answer_tokens,
                 cost_micros = u.cost_micros + excluded.cost_micros",
    )
    .bind(tenant.0)
    .bind(spent.questions)
    .bind(spent.refused_questions)
    .bind(i64::from(spent.tokens.is_some()))
    .bind(tokens(|tokens| tokens.prompt_tokens))
    .bind(tokens(|tokens| tokens.cached_tokens))
    .bind(tokens(|tokens| tokens.answer_tokens))
    .bind(spent.cost_micros)
    .execute(connection)
    .await?;
    Ok(())
}

#[derive(FromRow)]
struct DayRow {
    day: NaiveDate,
    questions: i64,
    refused_questions: i64,
    prompt_tokens: i64,
    answer_tokens: i64,
}

/// The days from `first` to `last`, including those without usage.
pub async fn days(
    connection: &mut PgConnection,
    tenant: TenantId,
    (first, last): (NaiveDate, NaiveDate),
) -> Result<Vec<UsageDay>> {
    let rows: Vec<DayRow> = sqlx::query_as(
        "select listed.day::date as day, coalesce(u.questions, 0) as questions, coalesce(u.refused_questions, 0) as refused_questions,
                coalesce(u.prompt_tokens, 0) as prompt_tokens, coalesce(u.answer_tokens, 0) as answer_tokens
         from generate_series($2::date, $3::date, interval '1 day') listed (day)
         left join usage_days u on u.tenant_id = $1 and u.day = listed.day::date
         order by listed.day",
    )
    .bind(tenant.0)
    .bind(first)
    .bind(last)
    .fetch_all(connection)
    .await?;
    let day = |row: DayRow| UsageDay {
        date: row.day,
        questions: row.questions,
        refused_questions: row.refused_questions,
        prompt_tokens: row.prompt_tokens,
        answer_tokens: row.answer_tokens,
    };
    Ok(rows.into_iter().map(day).collect())
}

/// The usage of language models on the days of a month, in total or by one chatbot.
#[derive(FromRow)]
struct SpentRow {
    month: NaiveDate,
    answers: i64,
    prompt_tokens: i64,
    cached_tokens: i64,
    answer_tokens: i64,
    cost_micros: i64,
}

impl From<&SpentRow> for ModelSpending {
    fn from(row: &SpentRow) -> Self {
        Self {
            answers: row.answers,
            prompt_tokens: row.prompt_tokens,
            cached_tokens: row.cached_tokens,
            answer_tokens: row.answer_tokens,
            cost_micros: row.cost_micros,
        }
    }
}

#[derive(FromRow)]
struct ChatbotRow {
    chatbot_id: Uuid,
    name: String,
    #[sqlx(flatten)]
    spent: SpentRow,
}

/// The last twelve months with usage of language models, newest first, each with its chatbots by name.
pub async fn months(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<UsageMonth>> {
    let sums: Vec<SpentRow> = sqlx::query_as(
        "select date_trunc('month', day::timestamp)::date as month, sum(model_answers)::bigint as answers,
                sum(prompt_tokens)::bigint as prompt_tokens, sum(cached_tokens)::bigint as cached_tokens,
                sum(answer_tokens)::bigint as answer_tokens, sum(cost_micros)::bigint as cost_micros
         from usage_days
         where tenant_id = $1 and day >= date_trunc('month', now() at time zone 'UTC') - interval '11 months'
         group by 1
         having sum(model_answers) > 0
         order by 1 desc",
    )
    .bind(tenant.0)
    .fetch_all(&mut *connection)
    .await?;
    let sql = format!(
        "select u.chatbot_id, c.name, u.month, u.answers, u.prompt_tokens, u.cached_tokens, u.answer_tokens, u.cost_micros
         from model_usage u
         join chatbots c on c.tenant_id = u.tenant_id and c.id = u.chatbot_id
         where u.tenant_id = $1 and u.month >= date_trunc('month', now() at time zone 'UTC') - interval '11 months'
         order by {by_name}, u.chatbot_id",
        by_name = collated("c.name"),
    );
    let chatbots: Vec<ChatbotRow> = sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).fetch_all(connection).await?;
    let of_chatbot = |row: &ChatbotRow| ChatbotSpending {
        chatbot_id: ChatbotId(row.chatbot_id),
        chatbot_name: row.name.clone(),
        spent: ModelSpending::from(&row.spent),
    };
    let month = |sum: &SpentRow| UsageMonth {
        month: sum.month,
        spent: ModelSpending::from(sum),
        chatbots: chatbots.iter().filter(|row| row.spent.month == sum.month).map(of_chatbot).collect(),
    };
    Ok(sums.iter().map(month).collect())
}
