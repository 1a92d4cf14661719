//! Measures the cost of row security: the same statements, each with its own `where tenant_id = ...`, as the tenant's
//! role with policies and as a role that bypasses them.

use std::time::Instant;

use pgvector::Vector;
use sqlx::{AssertSqlSafe, PgConnection, postgres::PgArguments, query::Query};
use uuid::Uuid;

use crate::{
    Result,
    database::{self, Database},
    figures::{Rounds, Times, setting, sized},
};

const TENANTS: i32 = 20;
const DIMENSIONS: usize = 384;

/// A statement, and the ids that it takes in addition to the tenant.
struct Case {
    name: &'static str,
    sql: &'static str,
    arguments: fn(Bound, &Ids) -> Bound,
}

type Bound = Query<'static, sqlx::Postgres, PgArguments>;

struct Ids {
    chatbot: Uuid,
    session: Uuid,
    vector: Vector,
}

const CASES: [Case; 5] = [
    Case {
        name: "chatbots, first page",
        sql: "select id, tenant_id, slug, name, description, language, status, template_id, system_prompt,
                     welcome_message, suggested_questions, fallback_message, vector_collection, provisioning,
                     created_at, updated_at, deactivated_at
              from chatbots where tenant_id = $1 order by name, id limit 50",
        arguments: |query, _| query,
    },
    Case {
        name: "chatbots, total",
        sql: "select count(*) from chatbots where tenant_id = $1",
        arguments: |query, _| query,
    },
    Case {
        name: "feedback of a chatbot, first page",
        sql: "select id, session_id, message_id, rating, category, comment, created_at from chatbot_feedback
              where tenant_id = $1 and chatbot_id = $2 order by created_at desc, id limit 50",
        arguments: |query, ids| query.bind(ids.chatbot),
    },
    Case {
        name: "messages of a session",
        sql: "select id, role, content, sources, citations, filtered, created_at from chat_messages
              where tenant_id = $1 and chatbot_id = $2 and session_id = $3 order by position desc limit 200",
        arguments: |query, ids| query.bind(ids.chatbot).bind(ids.session),
    },
    Case {
        name: "nearest passages of a chatbot",
        sql: "select p.id, d.title, d.path, p.heading, p.content, 1 - (p.embedding::vector(384) <=> $3) as cosine
              from passages p join documents d on d.id = p.document_id
              where p.tenant_id = $1 and p.chatbot_id = $2 order by p.embedding::vector(384) <=> $3 limit 6",
        arguments: |query, ids| query.bind(ids.chatbot).bind(ids.vector.clone()),
    },
];

/// Measures each statement.
pub(crate) async fn run() -> Result<()> {
    let database = Database::create("bench_rows").await?;
    let mut superuser = database.superuser().await?;
    fill(&mut superuser).await?;
    let (tenant, chatbot): (Uuid, Uuid) =
        sqlx::query_as("select tenant_id, id from chatbots where slug = 'c1' order by tenant_id limit 1 offset 7")
            .fetch_one(&mut superuser)
            .await?;
    collection(&database, &mut superuser, tenant, chatbot).await?;
    database::execute(&mut superuser, "vacuum analyze").await?;
    let session = sqlx::query_scalar("select session_id from chat_messages where chatbot_id = $1 limit 1");
    let ids = Ids {
        chatbot,
        session: session.bind(chatbot).fetch_one(&mut superuser).await?,
        vector: Vector::from(vec![0.3; DIMENSIONS]),
    };
    sqlx::query("select set_config('app.tenant_id', $1, false)")
        .bind(tenant.to_string())
        .execute(&mut superuser)
        .await?;
    println!("{TENANTS} tenants; speed with policies / with the same `where` alone, medians of rounds");
    for case in CASES {
        compare(&case, tenant, &ids, &mut superuser).await?;
    }
    Ok(())
}

/// One connection takes the one role and the other in turn: two would differ by the cores that their processes run on.
async fn compare(case: &Case, tenant: Uuid, ids: &Ids, connection: &mut PgConnection) -> Result<()> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for round in 0..=setting("BENCH_ROUNDS", 9) * 3 {
        database::execute(connection, "set role svc_tenant").await?;
        let policies = times(case, tenant, ids, connection).await?;
        database::execute(connection, "set role bench_plain").await?;
        let plain = times(case, tenant, ids, connection).await?;
        if round > 0 {
            with.push(policies.percentile(50));
            without.push(plain.percentile(50));
        }
    }
    let ratio = Rounds::ratio(&without, &with).show(2);
    let (with, without): (Rounds, Rounds) = (with.into_iter().collect(), without.into_iter().collect());
    println!("{:<34} {:.3} ms / {:.3} ms   ratio {ratio}", case.name, with.median(), without.median());
    Ok(())
}

async fn times(case: &Case, tenant: Uuid, ids: &Ids, connection: &mut PgConnection) -> Result<Times> {
    let mut times = Times::default();
    for _ in 0..sized(60, 5) {
        let query = (case.arguments)(sqlx::query(case.sql).bind(tenant), ids);
        let started = Instant::now();
        let rows = query.fetch_all(&mut *connection).await?;
        times.push(started.elapsed());
        if rows.is_empty() {
            return Err(format!("{}: no rows", case.name).into());
        }
    }
    Ok(times)
}

async fn fill(superuser: &mut PgConnection) -> Result<()> {
    let (sessions, ratings) = (sized(500, 20), sized(5000, 100));
    let sql = format!(
        "do $$ begin create role bench_plain nologin bypassrls; exception when duplicate_object then null; end $$;
         grant select on all tables in schema public to bench_plain;
         insert into tenants (id, slug, display_name, default_language)
             select uuidv7(), 'tenant-' || i, 'Tenant ' || i, 'en' from generate_series(1, 20) i;
         insert into chatbots (id, tenant_id, slug, name, language, vector_collection, system_prompt)
             select gen_random_uuid(), t.id, 'c' || i, 'Chatbot ' || md5(i::text), 'en', 'passages', repeat('word ', 40)
             from tenants t, generate_series(1, 100) i;
         insert into chat_sessions (id, tenant_id, chatbot_id)
             select gen_random_uuid(), tenant_id, id from chatbots, generate_series(1, {sessions}) where slug = 'c1';
         insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content)
             select gen_random_uuid(), tenant_id, chatbot_id, id,
                    case when i % 2 = 1 then 'user' else 'assistant' end, repeat('word ', 60)
             from chat_sessions, generate_series(1, 20) i;
         insert into chatbot_feedback (id, tenant_id, chatbot_id, rating, comment, created_at)
             select gen_random_uuid(), tenant_id, id, 'up', 'Thank you!', now() - i * interval '1 minute'
             from chatbots, generate_series(1, {ratings}) i where slug = 'c1'"
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(superuser).await?;
    Ok(())
}

/// A vector collection of 5,000 passages, or fewer in the short mode.
async fn collection(database: &Database, superuser: &mut PgConnection, tenant: Uuid, chatbot: Uuid) -> Result<()> {
    let mut owner = database.take("svc_tenant", &tenant.to_string()).await?;
    let provision = sqlx::query("select provision_collection($1, 384)");
    provision.bind(chatbot).execute(&mut owner).await?;
    let (source, document, passages) = (Uuid::now_v7(), Uuid::now_v7(), sized(5000, 200));
    let sql = format!(
        "insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name)
             values ('{source}', '{tenant}', '{chatbot}', 'files', 'manual');
         insert into documents (id, tenant_id, chatbot_id, source_id, path, title, content_hash)
             values ('{document}', '{tenant}', '{chatbot}', '{source}', 'manual.html', 'Manual', 'none');
         insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
             select gen_random_uuid(), '{tenant}', '{chatbot}', '{document}', i, 'Heading', repeat('word ', 150),
                    (select array_agg(random() - 0.5 + (i + d) * 0) from generate_series(1, {DIMENSIONS}) d)::vector, ''
             from generate_series(1, {passages}) i"
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(superuser).await?;
    Ok(())
}
