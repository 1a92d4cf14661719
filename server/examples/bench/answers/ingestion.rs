//! Measures how fast `server ingest` reads, embeds and stores the project's own pages, and its memory.

use std::{process::Stdio, time::Duration};

use tokio::process::Command;
use uuid::Uuid;

use crate::{
    Result,
    database::{self, Database},
    process::high_water,
    server::binary,
};

/// The pages: few for a quick run, all of them otherwise.
const PAGES: &str = "docs/answers.md";

/// Ingests into a new chatbot of a new tenant, and gives the chatbot.
pub(crate) async fn run(database: &Database) -> Result<Uuid> {
    let mut superuser = database.superuser().await?;
    database::execute(
        &mut superuser,
        "insert into tenants (id, slug, display_name, default_language) values (gen_random_uuid(), 'one', 'one', 'en');
         insert into tenant_branding (tenant_id, allowed_origins)
             select id, array['https://shop.example.com'] from tenants;
         insert into chatbots (id, tenant_id, slug, name, language, vector_collection)
             select gen_random_uuid(), id, 'seed', 'Help', 'en', 'passages' from tenants",
    )
    .await?;
    let chatbot: Uuid = sqlx::query_scalar("select id from chatbots").fetch_one(&mut superuser).await?;
    ingest(database, chatbot).await?;
    Ok(chatbot)
}

/// Ingests into another chatbot of the tenant, with this embedding model, and gives the chatbot.
pub(crate) async fn with_model(database: &Database, model: &str) -> Result<Uuid> {
    let chatbot: Uuid = sqlx::query_scalar(
        "insert into chatbots (id, tenant_id, slug, name, language, vector_collection, embedding_model)
         select gen_random_uuid(), id, $1, 'Help', 'en', 'passages', $1 from tenants
         returning id",
    )
    .bind(model)
    .fetch_one(&mut database.superuser().await?)
    .await?;
    ingest(database, chatbot).await?;
    Ok(chatbot)
}

/// Ingests and prints the command's own summary and its peak memory.
async fn ingest(database: &Database, chatbot: Uuid) -> Result<()> {
    let pages = std::env::var("BENCH_INGEST").unwrap_or_else(|_| PAGES.to_owned());
    let mut ingest = Command::new(binary()?);
    ingest.args(["ingest", "--chatbot", &chatbot.to_string()]).args(pages.split(','));
    ingest.env("SVC_DATABASE_URL", database.login_url()?).env("SVC_LOGGING_LEVEL", "warn").stdout(Stdio::piped());
    let mut process = ingest.stderr(Stdio::null()).kill_on_drop(true).spawn()?;
    let mut peak = 0.0;
    let status = loop {
        if let Some(status) = process.try_wait()? {
            break status;
        }
        peak = process.id().and_then(high_water).unwrap_or(peak);
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let output = process.wait_with_output().await?;
    if !status.success() {
        return Err(format!("ingesting {pages} ended with {status}").into());
    }
    println!("ingesting {pages}: {}", String::from_utf8_lossy(&output.stdout).trim());
    println!("peak memory of the ingestion: {peak:.0} MB");
    Ok(())
}
