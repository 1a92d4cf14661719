//! `GET /api/v1/tenants/me/conversations` of a tenant with 100,000 messages among 1,000,000 of 100 chatbots: the first page, and
//! searches for words that are rare, common, missing, and shorter than a trigram; with other filters; and the figures.
//! One request at a time: what a person at the console waits.

use sqlx::{AssertSqlSafe, Executor, PgConnection};
use uuid::Uuid;

use crate::{
    Result,
    database::{self, Database},
    figures::{setting, sized},
    issuer::Issuer,
    load,
    server::Server,
};

/// Conversations of four messages each, of ten tenants with ten chatbots each; and how many in the short mode.
const SESSIONS: (i64, i64) = (250_000, 1000);
/// The rare word is in 5 messages of one tenant, the common one in one of ten conversations.
const RARE: &str = "zanzibar";
const COMMON: &str = "delivery";
const PATH: &str = "/api/v1/tenants/me/conversations";

/// Measures the list of conversations.
pub(crate) async fn run() -> Result<()> {
    let database = Database::create("bench_conversations").await?;
    let tenant = fill(&mut database.superuser().await?).await?;
    let issuer = Issuer::serve().await?;
    let token = issuer.tenant_admin(tenant)?;
    let server = Server::start(&database, &issuer).await?;
    let queries = [
        ("first page of 50", String::new()),
        ("q, rare (5 messages)", format!("?q={}", RARE.to_uppercase())),
        ("q, common (2,500 conversations)", format!("?q={}", COMMON.to_uppercase())),
        ("q, missing", "?q=xylophagous".to_owned()),
        ("q, two letters, missing", "?q=zq".to_owned()),
        ("q, missing, one chatbot", format!("?q=xylophagous&chatbot_id={}", chatbot(&database).await?)),
        ("q, common, unanswered", format!("?q={COMMON}&outcome=unanswered")),
        ("figures", "/stats".to_owned()),
        ("figures, q, rare", format!("/stats?q={RARE}")),
        ("figures, q, common", format!("/stats?q={COMMON}")),
        ("figures, q, missing", "/stats?q=xylophagous".to_owned()),
    ];
    let rounds = setting("BENCH_CALLS", 100);
    println!(
        "{} messages, a tenth of them the tenant's, one request at a time, {rounds} of each in turn",
        sessions() * 4
    );
    let targets = queries.map(|(name, query)| (name, server.target_with(&token, &format!("{PATH}{query}"))));
    load::in_turn(&targets, rounds).await
}

fn sessions() -> i64 {
    sized(SESSIONS.0, SESSIONS.1)
}

async fn chatbot(database: &Database) -> Result<Uuid> {
    let query = sqlx::query_scalar("select md5('chatbot3')::uuid");
    Ok(query.fetch_one(&mut database.superuser().await?).await?)
}

/// Writes the conversations of 29 days, the large indexes last; gives the tenant that is measured.
async fn fill(connection: &mut PgConnection) -> Result<Uuid> {
    let indexes: Vec<String> = sqlx::query_scalar(
        "select indexdef from pg_indexes where indexname in ('chat_messages_words_idx', 'chat_messages_figures_idx')",
    )
    .fetch_all(&mut *connection)
    .await?;
    chatbots_and_texts(connection).await?;
    talks(connection).await?;
    database::execute(connection, "set maintenance_work_mem = '256MB'").await?;
    for index in &indexes {
        connection.execute(AssertSqlSafe(index.clone())).await?;
    }
    database::execute(connection, "vacuum analyze").await?;
    Ok(sqlx::query_scalar("select md5('tenant3')::uuid").fetch_one(connection).await?)
}

async fn chatbots_and_texts(connection: &mut PgConnection) -> Result<()> {
    database::execute(
        connection,
        "insert into tenants (id, slug, display_name, default_language)
         select md5('tenant' || i)::uuid, 'tenant-' || i, 'Tenant ' || i, 'en' from generate_series(0, 9) i;
         insert into chatbots (id, tenant_id, slug, name, language, vector_collection, provisioning)
         select md5('chatbot' || i)::uuid, md5('tenant' || i % 10)::uuid, 'bot-' || i, 'Bot ' || i, 'en', 'bot_' || i,
                'ready'
         from generate_series(0, 99) i;
         -- What is said: 2,000 texts of 45 words out of 5,000, put together in pairs.
         create temp table said as
         select i, string_agg(word, ' ') filter (where k <= 9) as question, string_agg(word, ' ') as answer
         from generate_series(0, 1999) i, generate_series(1, 45) k,
              left(md5('w' || abs(hashint4(i * 45 + k)) % 5000), 3 + (i + k) % 7) word
         group by i;
         create unique index on said (i);
         analyze said;
         drop index chat_messages_words_idx, chat_messages_figures_idx",
    )
    .await
}

async fn talks(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "insert into chat_sessions (id, tenant_id, chatbot_id, created_at, last_message_at)
         select md5('session' || i)::uuid, md5('tenant' || i % 10)::uuid, md5('chatbot' || i % 100)::uuid, started,
                started + interval '2 minutes'
         from generate_series(1, $1) i, lateral (select now() - ($1 - i) * interval '10 seconds' as started)",
    )
    .bind(sessions())
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, answered, created_at)
         select gen_random_uuid(), md5('tenant' || s.i % 10)::uuid, md5('chatbot' || s.i % 100)::uuid,
                md5('session' || s.i)::uuid, case when n % 2 = 1 then 'user' else 'assistant' end,
                case when s.i % 50000 = 3 and n = 1 then $2 || ' ' when s.i / 10 % 10 = 1 and n = 2 then $3 || ' ' else '' end
                    || case when n % 2 = 1 then one.question else one.answer || ' ' || other.question end,
                not (n = 2 and s.i / 10 % 7 = 0), now() - ($1 - s.i) * interval '10 seconds' + n * interval '30 seconds'
         from generate_series(1, $1) s(i) cross join generate_series(1, 4) n
         join said one on one.i = (s.i * 7 + n * 13) % 2000 join said other on other.i = (s.i / 2000 + n * 3) % 2000",
    )
    .bind(sessions())
    .bind(RARE)
    .bind(COMMON)
    .execute(&mut *connection)
    .await?;
    Ok(())
}
