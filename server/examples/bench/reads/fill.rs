//! Two tenants with a chatbot each: a loud one with many messages and passages, and a quiet one.

use sqlx::{AssertSqlSafe, Executor, PgConnection};
use uuid::Uuid;

use crate::{
    Result,
    database::{self, Database},
    figures::setting,
};

/// A tenant and its chatbot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tenants {
    pub(super) loud: (Uuid, Uuid),
    pub(super) quiet: (Uuid, Uuid),
}

/// Messages of the loud tenant.
pub(super) fn messages() -> u64 {
    setting("BENCH_MESSAGES", 100_000)
}

pub(super) async fn fill(database: &Database) -> Result<Tenants> {
    let mut connection = database.superuser().await?;
    database::execute(
        &mut connection,
        "insert into tenants (id, slug, display_name, default_language)
         select md5('tenant-' || slug)::uuid, slug, slug, 'en' from unnest(array['loud', 'quiet']) slug;
         insert into tenant_branding (tenant_id, allowed_origins)
         select id, array['https://shop.example.com'] from tenants;
         insert into chatbots (id, tenant_id, slug, name, language, vector_collection, provisioning)
         select md5('chatbot-' || slug)::uuid, id, slug, 'Help', 'en', 'passages', 'ready' from tenants",
    )
    .await?;
    talks(&mut connection, "loud", i64::try_from(messages() / 4)?).await?;
    talks(&mut connection, "quiet", 500).await?;
    passages(&mut connection, i64::try_from(setting("BENCH_PASSAGES", 5000))?).await?;
    database::execute(&mut connection, "vacuum analyze").await?;
    let tenant = |slug: &str| format!("select md5('tenant-{slug}')::uuid, md5('chatbot-{slug}')::uuid");
    let loud = sqlx::query_as(AssertSqlSafe(tenant("loud"))).fetch_one(&mut connection).await?;
    let quiet = sqlx::query_as(AssertSqlSafe(tenant("quiet"))).fetch_one(&mut connection).await?;
    Ok(Tenants { loud, quiet })
}

/// Conversations of four messages each over 29 days; of seven first answers one is missing.
async fn talks(connection: &mut PgConnection, slug: &str, many: i64) -> Result<()> {
    sqlx::query(
        "insert into chat_sessions (id, tenant_id, chatbot_id, created_at, last_message_at)
         select md5($1 || i)::uuid, md5('tenant-' || $1)::uuid, md5('chatbot-' || $1)::uuid, at, at + interval '2 minutes'
         from generate_series(1, $2) i, lateral (select now() - i * interval '29 days' / $2 as at)",
    )
    .bind(slug)
    .bind(many)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, answered, created_at)
         select gen_random_uuid(), s.tenant_id, s.chatbot_id, s.id, case when n % 2 = 1 then 'user' else 'assistant' end,
                said, not (n = 2 and i % 7 = 0), s.created_at + n * interval '30 seconds'
         from (select *, row_number() over (order by created_at) as i from chat_sessions where tenant_id = md5('tenant-' || $1)::uuid) s
         cross join generate_series(1, 4) n
         cross join lateral (
             select string_agg(left(md5('w' || (i * 31 + n * 7 + k) % 5000), 3 + (i + k)::integer % 7), ' ') as said
             from generate_series(1, case when n % 2 = 1 then 9 else 45 end) k
         ) words
         order by s.created_at, n",
    )
    .bind(slug)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

/// Passages of the loud chatbot, whose words a change of its language renews.
async fn passages(connection: &mut PgConnection, many: i64) -> Result<()> {
    connection
        .execute(
            "select set_config('app.tenant_id', md5('tenant-loud')::uuid::text, false);
             select provision_collection(md5('chatbot-loud')::uuid, 384)",
        )
        .await?;
    sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         select gen_random_uuid(), md5('tenant-loud')::uuid, md5('chatbot-loud')::uuid, md5('document')::uuid, i, 'Heading ' || i,
                said, vector, to_tsvector('english', said)
         from generate_series(1, $1) i
         cross join lateral (
             select string_agg(left(md5('w' || (i * 31 + k) % 5000), 3 + (i + k)::integer % 7), ' ') as said
             from generate_series(1, 120) k
         ) words
         cross join lateral (
             select array_agg(random() - 0.5)::vector as vector from generate_series(1, 384) where i > 0
         ) vectors",
    )
    .bind(many)
    .execute(connection)
    .await?;
    Ok(())
}
