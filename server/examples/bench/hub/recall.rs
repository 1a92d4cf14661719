//! Measures how many of the nearest twenty passages of each collection its index finds. The hub uses the indexes of
//! large collections only and compares all vectors of small ones, which finds all.

use std::collections::HashSet;

use sqlx::{AssertSqlSafe, Executor, PgConnection};
use store::knowledge_hub::search::{PER_COLLECTION, index_settings};
use uuid::Uuid;

use crate::Result;

/// Vectors that are looked for in each collection.
const VECTORS: i64 = 20;
/// Collections that are looked at.
const COLLECTIONS: i64 = 10;

pub(super) async fn of_indexes(superuser: &mut PgConnection) -> Result<()> {
    let all: i64 =
        sqlx::query_scalar("select count(*) from chatbots where slug like 'hub-%'").fetch_one(&mut *superuser).await?;
    let chatbots: Vec<Uuid> =
        sqlx::query_scalar("select id from chatbots where slug like 'hub-%' order by id limit $1")
            .bind(COLLECTIONS)
            .fetch_all(&mut *superuser)
            .await?;
    let (mut ten, mut twenty, mut asked) = (0, 0, 0);
    for chatbot in chatbots {
        // Passages with noise: no passage is its own question.
        let vectors: Vec<Vec<f32>> = sqlx::query_scalar(
            "select l2_normalize(p.embedding + (select array_agg((random() - 0.5) * 0.1)::vector
                                                from generate_series(1, 384) where p.ordinal >= 0))::real[]
             from passages p where chatbot_id = $1 order by md5(id::text) limit $2",
        )
        .persistent(false)
        .bind(chatbot)
        .bind(VECTORS)
        .fetch_all(&mut *superuser)
        .await?;
        for vector in &vectors {
            let exact = nearest(superuser, chatbot, vector, "set local enable_indexscan = off").await?;
            let found = nearest(superuser, chatbot, vector, &index_settings(usize::try_from(all)?)).await?;
            let shared = |first: usize| {
                let exact: HashSet<&Uuid> = exact.iter().take(first).collect();
                found.iter().take(first).filter(|id| exact.contains(id)).count()
            };
            (ten, twenty, asked) = (ten + shared(10), twenty + shared(PER_COLLECTION), asked + 1);
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "counts of passages")]
    let share = |found: usize, of: usize| found as f64 / (of * asked) as f64;
    println!("indexes against exact search: recall@10 {:.3}, recall@20 {:.3}", share(ten, 10), share(twenty, 20));
    Ok(())
}

async fn nearest(connection: &mut PgConnection, chatbot: Uuid, vector: &[f32], settings: &str) -> Result<Vec<Uuid>> {
    sqlx::raw_sql(AssertSqlSafe(format!("begin; {settings}"))).execute(&mut *connection).await?;
    let sql = format!(
        "select id from passages where chatbot_id = '{chatbot}'
         order by embedding::vector(384) <=> $1::real[]::vector limit {PER_COLLECTION}"
    );
    let ids = sqlx::query_scalar(AssertSqlSafe(sql)).persistent(false).bind(vector).fetch_all(&mut *connection).await?;
    connection.execute("rollback").await?;
    Ok(ids)
}
