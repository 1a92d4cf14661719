//! Collections of any size: the seed's passages with moved vectors, each with words from somewhere in the project's own pages,
//! so that words are as frequent as in real text.

use std::fs;

use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::{Result, database::Database};

/// Passages in one statement.
const PIECE: usize = 1000;
/// Words of a passage.
const WORDS: usize = 110;

/// A new chatbot with a collection of `size` passages made from those of `seed`.
pub(crate) async fn collection(database: &Database, seed: Uuid, size: u64) -> Result<Uuid> {
    named(database, seed, size, &format!("size-{size}"), 0).await
}

/// The same with a slug; its texts are those from number `first` on.
pub(crate) async fn named(database: &Database, seed: Uuid, size: u64, slug: &str, first: u64) -> Result<Uuid> {
    let mut superuser = database.superuser().await?;
    let chatbot = chatbot(&mut superuser, "one", slug).await?;
    let first = usize::try_from(first)?;
    let index = format!("passages_{}_hnsw", chatbot.simple());
    sqlx::query(AssertSqlSafe(format!("drop index {index}"))).execute(&mut superuser).await?;
    let words = words()?;
    let (mut made, size) = (0, usize::try_from(size)?);
    while made < size {
        let piece = PIECE.min(size - made);
        let texts: Vec<String> = (made..made + piece).map(|number| text(&words, first + number)).collect();
        insert(&mut superuser, seed, chatbot, &texts, made).await?;
        made += piece;
    }
    let dimensions: i32 =
        sqlx::query_scalar("select vector_dims(embedding) from passages where chatbot_id = $1 limit 1")
            .bind(chatbot)
            .fetch_one(&mut superuser)
            .await?;
    sqlx::query("set maintenance_work_mem = '512MB'").execute(&mut superuser).await?;
    let make = format!(
        "create index {index} on passages_{} using hnsw ((embedding::vector({dimensions})) vector_cosine_ops)",
        chatbot.simple()
    );
    sqlx::query(AssertSqlSafe(make)).execute(&mut superuser).await?;
    sqlx::query(AssertSqlSafe(format!("analyze passages_{}", chatbot.simple()))).execute(&mut superuser).await?;
    Ok(chatbot)
}

/// Chatbots of another tenant with an empty collection each.
pub(crate) async fn others(database: &Database, count: u64) -> Result<()> {
    let mut superuser = database.superuser().await?;
    sqlx::query(
        "insert into tenants (id, slug, display_name, default_language) values (gen_random_uuid(), 'other', 'other', 'en')",
    )
    .execute(&mut superuser)
    .await?;
    for number in 0..count {
        chatbot(&mut superuser, "other", &format!("other-{number}")).await?;
    }
    Ok(())
}

/// A chatbot of a tenant, with its collection.
async fn chatbot(superuser: &mut PgConnection, tenant: &str, slug: &str) -> Result<Uuid> {
    let id: Uuid = sqlx::query_scalar(
        "insert into chatbots (id, tenant_id, slug, name, language, vector_collection, provisioning)
         select gen_random_uuid(), id, $1, 'Help', 'en', 'passages', 'ready' from tenants where slug = $2
         returning id",
    )
    .bind(slug)
    .bind(tenant)
    .fetch_one(&mut *superuser)
    .await?;
    sqlx::query("select set_config('app.tenant_id', id::text, false) from tenants where slug = $1")
        .bind(tenant)
        .execute(&mut *superuser)
        .await?;
    sqlx::query("select provision_collection($1, 384)").bind(id).execute(&mut *superuser).await?;
    Ok(id)
}

async fn insert(superuser: &mut PgConnection, seed: Uuid, chatbot: Uuid, texts: &[String], from: usize) -> Result<()> {
    // Each row gets a direction of its own; half of its length is noise.
    sqlx::query(
        "with source as (
             insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name)
             select gen_random_uuid(), tenant_id, id, 'files', 'bench-' || $4 from chatbots where id = $2
             returning id, tenant_id, chatbot_id
         ), document as (
             insert into documents (id, tenant_id, chatbot_id, source_id, path, title, content_hash)
             select gen_random_uuid(), tenant_id, chatbot_id, id, 'bench-' || $4, 'Bench', md5($4::text)
             from source
             returning id, tenant_id, chatbot_id
         ), seeds as (
             select embedding, heading, row_number() over (order by id) - 1 as place, count(*) over () as many
             from passages where chatbot_id = $1
         ), rows as (
             select number, content, ($4 + number) % (select max(many) from seeds) as place
             from unnest($3::text[]) with ordinality as text(content, number)
         )
         insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         select gen_random_uuid(), document.tenant_id, document.chatbot_id, document.id, rows.number::int, seeds.heading,
                rows.content,
                l2_normalize(seeds.embedding + (
                    select array_agg((random() - 0.5) * 0.088)::vector from generate_series(1, 384) where rows.number > 0
                )),
                setweight(to_tsvector('english', seeds.heading), 'A') || to_tsvector('english', rows.content)
         from rows join seeds using (place) cross join document",
    )
    .bind(seed)
    .bind(chatbot)
    .bind(texts)
    .bind(i32::try_from(from)?)
    .execute(superuser)
    .await?;
    Ok(())
}

fn words() -> Result<Vec<String>> {
    let mut words = Vec::new();
    for entry in fs::read_dir("docs")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            words.extend(fs::read_to_string(path)?.split_whitespace().map(str::to_owned));
        }
    }
    Ok(words)
}

/// Consecutive words from a different place for each number, and fewer words when all places were used.
fn text(words: &[String], number: usize) -> String {
    let places = words.len() - WORDS;
    let (start, length) = (number.wrapping_mul(7919) % places, WORDS - number / places % (WORDS / 2));
    words[start..start + length].join(" ")
}
