//! Many large files over four connections: how fast they are received and read, the server's memory meanwhile, and `server ingest` of
//! the same files.

use std::{
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use tokio::process::Command;
use uuid::Uuid;

use super::{
    files,
    world::{Tenant, World, folder},
};
use crate::{
    Result,
    figures::{per_second, setting},
    process::{forget_high_water, high_water, resident},
    server::binary,
};

/// Measures and prints, for `BENCH_FILES` PDFs (1,000) of `BENCH_BYTES` bytes together (1 GB).
pub(super) async fn run() -> Result<()> {
    let count = setting("BENCH_FILES", 1000).max(1);
    let size = usize::try_from(setting("BENCH_BYTES", 1_000_000_000) / count)?;
    let world = World::start(&[]).await?;
    // A chatbot of one model: an English one would load a second one meanwhile, for questions in other languages.
    let tenant = world.tenant("files", "de").await?;
    let uploaded = upload(&world, &tenant, count, size).await?;
    let chatbot = tenant.new_chatbot("command-line", "de").await?;
    let folder = folder()?;
    for number in 0..count {
        std::fs::write(folder.path().join(name(number)), files::pdf(number, size))?;
    }
    let started = Instant::now();
    ingest(&world, chatbot, folder.path()).await?;
    let ingested = per_second(count, started.elapsed());
    let mut superuser = world.database.superuser().await?;
    let documents: i64 = sqlx::query_scalar("select count(*) from documents where chatbot_id = $1")
        .bind(chatbot)
        .fetch_one(&mut superuser)
        .await?;
    if u64::try_from(documents)? != count {
        return Err(format!("`server ingest` read {documents} of {count} files").into());
    }
    println!(
        "documents a second: uploaded {uploaded:.1}, `server ingest` {ingested:.1}, ratio {:.2}",
        uploaded / ingested
    );
    Ok(())
}

fn name(number: u64) -> String {
    format!("{number:06}.pdf")
}

/// Uploads the files, prints, and gives how many documents a second were read from the first request on.
async fn upload(world: &World, tenant: &Tenant, count: u64, size: usize) -> Result<f64> {
    let source = tenant.new_source().await?;
    // The model is loaded before memory is compared.
    tenant.put(&source, "first.md", files::markdown(count)).await?;
    tenant.until_read(&source, 1).await?;
    let pid = world.server.pid().ok_or("the server has ended")?;
    let memory = |megabytes: Option<f64>| megabytes.ok_or("the server has ended");
    let before = memory(resident(pid))?;
    forget_high_water(pid)?;
    let started = Instant::now();
    tenant.put_all(&source, count, |number| (name(number), files::pdf(number, size))).await?;
    let received = started.elapsed();
    let receiving = memory(high_water(pid))?;
    tenant.until_read(&source, count + 1).await?;
    let read = started.elapsed();
    let reading = memory(high_water(pid))?;
    let megabytes = count * (size as u64) / 1_000_000;
    println!("{count} PDFs, together {megabytes} MB, over four connections");
    println!("received  {:>8.1} s   {:>8.1} MB/s", seconds(received), per_second(megabytes, received));
    println!("read      {:>8.1} s   {:>8.1} documents/s", seconds(read), per_second(count, read));
    for (name, most) in [("while receiving", receiving), ("until all is read", reading)] {
        println!("highest memory {name}: {most:.0} MB, {:+.0} MB", most - before);
    }
    Ok(per_second(count, read))
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

/// Reads the folder from the command line.
async fn ingest(world: &World, chatbot: Uuid, folder: &Path) -> Result<()> {
    let mut ingest = Command::new(binary()?);
    ingest.args(["ingest", "--chatbot", &chatbot.to_string()]).arg(folder);
    ingest.env("SVC_DATABASE_URL", world.database.login_url()?).env("SVC_LOGGING_LEVEL", "warn");
    let output = ingest.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).output().await?;
    if !output.status.success() {
        return Err(format!("`server ingest` ended with {}", output.status).into());
    }
    println!("server ingest: {}", String::from_utf8_lossy(&output.stdout).trim());
    Ok(())
}
