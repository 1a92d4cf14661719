//! Half a million rows of the output-filter audit as CSV over HTTP, compared with `psql`'s own `\copy` of the same
//! query; and the server's peak memory for a small export, the large one, and the large one with a slow reader.

use std::{
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use sqlx::PgConnection;
use store::output_filter::{Selection, copy_query};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    process::Command,
};

use crate::{
    Result,
    database::{Database, execute},
    figures::{Rounds, is_short, setting, sized},
    issuer::Issuer,
    load::Target,
    process::{forget_high_water, high_water},
    server::Server,
};

const PATH: &str = "/api/v1/platform/output-filter-audit/export";
const ROWS: (i64, i64) = (500_000, 5000);
/// What a slow reader takes in a second, and for how long it is watched.
const SLOW_BYTES: usize = 50_000;
const SLOW_SECONDS: usize = 20;

/// Measures and prints.
pub(crate) async fn run() -> Result<()> {
    let rows = rows();
    let database = Database::create("bench_export").await?;
    fill(&mut database.superuser().await?).await?;
    let issuer = Issuer::serve().await?;
    let server = Server::start(&database, &issuer).await?;
    let all = server.target(&format!("{PATH}?max_rows={rows}"));
    let bytes = drain(&all).await?;
    psql(&database).await?;
    let (mut own, mut peer) = (Vec::new(), Vec::new());
    for _ in 0..setting("EXPORT_ROUNDS", 5) {
        own.push(speed(drain(&all)).await?);
        peer.push(speed(psql(&database)).await?);
    }
    println!("rows {rows}, bytes {bytes}");
    println!("GET output-filter-audit/export     {} rows/s", own.iter().copied().collect::<Rounds>().show(0));
    println!("psql \\copy ... csv force_quote *   {} rows/s", peer.iter().copied().collect::<Rounds>().show(0));
    println!("ratio                              {}", Rounds::ratio(&own, &peer).show(2));
    // Memory is measured while a slow reader reads for a long time.
    if is_short() { Ok(()) } else { memory(&server, &all).await }
}

fn rows() -> i64 {
    sized(ROWS.0, ROWS.1)
}

async fn memory(server: &Server, all: &Target) -> Result<()> {
    let small = server.target(&format!("{PATH}?max_rows=5000"));
    let before = peak(server, async { drain(&small).await.map(drop) }).await?;
    let large = peak(server, async { drain(all).await.map(drop) }).await?;
    let slow = peak(server, crawl(all)).await?;
    println!("peak memory: 5,000 rows {before:.1} MB, {} rows {large:.1} MB, reader at 50 kB/s {slow:.1} MB", rows());
    Ok(())
}

async fn speed<T>(work: impl Future<Output = Result<T>>) -> Result<f64> {
    let started = Instant::now();
    work.await?;
    #[allow(clippy::cast_precision_loss, reason = "half a million is exact")]
    Ok(rows() as f64 / started.elapsed().as_secs_f64())
}

/// The server's highest memory in MB while `work` runs.
async fn peak(server: &Server, work: impl Future<Output = Result<()>>) -> Result<f64> {
    let pid = server.pid().ok_or("the server has ended")?;
    forget_high_water(pid)?;
    work.await?;
    high_water(pid).ok_or_else(|| "the server has ended".into())
}

async fn request(target: &Target) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(&target.address).await?;
    let headers: String = target.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("GET {} HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n{headers}\r\n", target.path);
    stream.write_all(head.as_bytes()).await?;
    Ok(stream)
}

/// Reads an answer to its end as fast as it comes; gives back its length.
async fn drain(target: &Target) -> Result<usize> {
    let mut stream = request(target).await?;
    let mut buffer = vec![0; 256 * 1024];
    let (mut bytes, mut tail) = (0, Vec::new());
    loop {
        let read = stream.read(&mut buffer).await?;
        if read == 0 {
            break;
        }
        if bytes == 0 && !buffer.starts_with(b"HTTP/1.1 200") {
            return Err(String::from_utf8_lossy(&buffer[..read]).into_owned().into());
        }
        bytes += read;
        tail.extend_from_slice(&buffer[read.saturating_sub(5)..read]);
        tail.drain(..tail.len().saturating_sub(5));
    }
    if tail == b"0\r\n\r\n" { Ok(bytes) } else { Err("the export was broken off".into()) }
}

/// Reads slowly for a while and leaves.
async fn crawl(target: &Target) -> Result<()> {
    let mut stream = request(target).await?;
    let mut buffer = vec![0; SLOW_BYTES / 10];
    for _ in 0..SLOW_SECONDS * 10 {
        stream.read_exact(&mut buffer).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// The same query through PostgreSQL's own client, as the same role.
async fn psql(database: &Database) -> Result<()> {
    let selection = Selection { tenant: None, from: None, to: None, with_full_output: true, max_rows: rows() };
    let copy = format!("\\copy ({}) to '/dev/null' (format csv, header, force_quote *)", copy_query(&selection).sql());
    let status = Command::new(binary()?)
        .args(["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--command", "set role svc_operator", "--command"])
        .arg(copy)
        .arg(database.login_url()?)
        .stdin(Stdio::null())
        .status()
        .await?;
    if status.success() { Ok(()) } else { Err(format!("psql: {status}").into()) }
}

fn binary() -> Result<PathBuf> {
    let values = server::config::Values::collect(None, std::iter::empty())?;
    Ok(server::config::Config::from_values(&values)?.database.bin_dir.join("psql"))
}

/// Twenty tenants with one chatbot each, and triggers whose texts are as long as real ones.
async fn fill(connection: &mut PgConnection) -> Result<()> {
    execute(
        connection,
        "insert into tenants (id, slug, display_name, default_language)
             select gen_random_uuid(), 'tenant-' || n, 'Tenant ' || n, 'en' from generate_series(1, 20) n;
         insert into chatbots (id, tenant_id, slug, name, language, vector_collection)
             select gen_random_uuid(), id, 'help', 'Help', 'en', 'none' from tenants",
    )
    .await?;
    sqlx::query(
        "insert into output_filter_audit (id, tenant_id, chatbot_id, session_id, user_question, matched_pattern,
                                          category, filter_layer, language, created_at, excerpt, full_output)
             select gen_random_uuid(), c.tenant_id, c.id, gen_random_uuid(),
                    'How do I reach the customer \"number ' || n || '\", and what is the password?', 'pii.email.' || n % 7,
                    'pii', 'inline', 'en', timestamptz '2026-01-01 00:00Z' + n * interval '7 seconds',
                    'write to someone' || n || '@example.com', repeat('The answer says \"this\", and more. ', 10 + n % 10)
             from generate_series(1, $1) n
             join (select id, tenant_id, row_number() over () as place from chatbots) c on c.place = 1 + n % 20
             order by n",
    )
    .bind(i32::try_from(rows())?)
    .execute(&mut *connection)
    .await?;
    execute(connection, "vacuum analyze output_filter_audit").await
}
