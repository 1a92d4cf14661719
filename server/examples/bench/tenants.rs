//! `GET /api/v1/platform/tenants`: the platform, a bare axum and sqlx handler, and FastAPI with asyncpg, each in
//! separate processes on the same database.

use std::{path::Path, time::Duration};

use serde_json::Value;
use tokio::process::Command;

use crate::{
    Result, bare,
    database::{self, Database},
    figures::{Rounds, is_short, setting, sized},
    issuer::Issuer,
    load::{Round, Target},
    process::{Contender, free_address},
    server::{POOL, Server},
};

const PATH: &str = "/api/v1/platform/tenants";
const CONNECTIONS: usize = 16;
const PEER_WORKERS: usize = 2;
const PEER_FOLDER: &str = "bench/fastapi";
const VENV: &str = "var/bench/venv";

/// Measures a small and a large platform.
pub(crate) async fn run() -> Result<()> {
    let issuer = Issuer::serve().await?;
    // The short mode installs nothing.
    if !is_short() {
        install_peer(PEER_FOLDER, VENV).await?;
    }
    for tenants in [200, sized(10_000, 1000)] {
        measure(&issuer, tenants).await?;
    }
    Ok(())
}

async fn measure(issuer: &Issuer, tenants: i64) -> Result<()> {
    let database = Database::create("bench_tenants").await?;
    fill(&database, tenants).await?;
    let server = Server::start(&database, issuer).await?;
    let (bare, _bare) = start_bare(&database).await?;
    let mut contenders = vec![("platform", server.target(PATH)), ("bare axum + sqlx", bare)];
    let mut _peer = None;
    if Path::new(VENV).join("bin/uvicorn").exists() {
        let (target, process) = start_peer(&database, issuer).await?;
        contenders.push(("FastAPI + asyncpg", target));
        _peer = Some(process);
    } else {
        println!("left out: FastAPI + asyncpg, which is not installed in {VENV}");
    }
    same_answers(&contenders).await?;
    let rounds = setting("BENCH_ROUNDS", 9);
    let period = Duration::from_millis(setting("BENCH_MILLIS", 2500));
    println!("50 of {tenants} tenants, {CONNECTIONS} connections, {rounds} rounds of {} ms", period.as_millis());
    for (_, target) in &contenders {
        target.load(CONNECTIONS, Duration::from_millis(sized(2000, 100))).await?;
    }
    let mut all: Vec<Vec<Round>> = vec![Vec::new(); contenders.len()];
    for _ in 0..rounds {
        for ((_, target), measured) in contenders.iter().zip(&mut all) {
            measured.push(target.load(CONNECTIONS, period).await?);
        }
    }
    for ((name, _), measured) in contenders.iter().zip(&all) {
        let times = |percent| measured.iter().map(|round| round.times.percentile(percent)).collect::<Rounds>();
        let speed: Rounds = measured.iter().map(|round| round.per_second).collect();
        let (p50, p99) = (times(50).show(2), times(99).show(2));
        println!("{name:<18} {:>26} requests/s   p50 {p50} ms   p99 {p99} ms", speed.show(0));
    }
    let speed = |index: usize| all[index].iter().map(|round| round.per_second).collect::<Vec<_>>();
    let p99 = |index: usize| all[index].iter().map(|round| round.times.percentile(99)).collect::<Vec<_>>();
    println!("requests/s, platform / bare       {}", Rounds::ratio(&speed(0), &speed(1)).show(2));
    if contenders.len() < 3 {
        return Ok(());
    }
    println!("requests/s, platform / FastAPI    {}", Rounds::ratio(&speed(0), &speed(2)).show(2));
    println!("p99, platform / FastAPI           {}", Rounds::ratio(&p99(0), &p99(2)).show(2));
    Ok(())
}

async fn fill(database: &Database, tenants: i64) -> Result<()> {
    let mut superuser = database.superuser().await?;
    sqlx::query(
        "insert into tenants (id, slug, display_name, default_language)
         select gen_random_uuid(), 'tenant-' || i, 'Tenant ' || md5(i::text), 'en' from generate_series(1, $1) i",
    )
    .bind(tenants)
    .execute(&mut superuser)
    .await?;
    database::execute(
        &mut superuser,
        "insert into tenant_modules (tenant_id, module_id)
         select id, module from tenants, unnest(array['feedback', 'analytics']) module where slug ~ '[02468]$'",
    )
    .await?;
    database::execute(&mut superuser, "vacuum analyze").await
}

async fn start_bare(database: &Database) -> Result<(Target, Contender)> {
    let address = free_address()?;
    let variables = [("BARE_ADDRESS", address.clone()), ("BARE_DATABASE_URL", database.superuser_url())];
    let target = Target { address, path: PATH.to_owned(), headers: Vec::new() };
    let process = Contender::start(&std::env::current_exe()?, ["bare"], &variables, &target).await?;
    Ok((target, process))
}

async fn start_peer(database: &Database, issuer: &Issuer) -> Result<(Target, Contender)> {
    let address = free_address()?;
    let port = address.rsplit(':').next().unwrap_or_default().to_owned();
    let variables = [
        ("PEER_AUTH_URL", issuer.auth_url.clone()),
        ("PEER_DATABASE_URL", database.superuser_url()),
        ("PEER_POOL_SIZE", (POOL / PEER_WORKERS).to_string()),
        ("PEER_LIST_SQL", bare::LIST.to_owned()),
    ];
    let workers = PEER_WORKERS.to_string();
    let arguments = ["app:app", "--app-dir", PEER_FOLDER, "--port", &port, "--workers", &workers, "--no-access-log"];
    let arguments = arguments.into_iter().chain(["--log-level", "warning"]);
    let headers = vec![("authorization", format!("Bearer {}", issuer.operator))];
    let target = Target { address, path: PATH.to_owned(), headers };
    let process = Contender::start(&Path::new(VENV).join("bin/uvicorn"), arguments, &variables, &target).await?;
    Ok((target, process))
}

/// Installs the pinned packages of the peer in a folder, once, into a folder of their own.
pub(crate) async fn install_peer(folder: &str, venv: &str) -> Result<()> {
    let (venv, list) = (Path::new(venv), Path::new(folder).join("requirements.txt"));
    let stamp = venv.join("requirements.txt");
    let wanted = std::fs::read(&list)?;
    if std::fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    println!("installing the peer of {folder} into {}", venv.display());
    run_quietly(Command::new("python3").args(["-m", "venv"]).arg(venv)).await?;
    run_quietly(Command::new(venv.join("bin/pip")).args(["install", "--quiet", "--requirement"]).arg(&list)).await?;
    Ok(std::fs::write(stamp, wanted)?)
}

async fn run_quietly(command: &mut Command) -> Result<()> {
    let output = command.output().await.map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// The contenders must do the same work: their answers are equal but for the writing of times.
async fn same_answers(contenders: &[(&str, Target)]) -> Result<()> {
    let mut first = None;
    for (name, target) in contenders {
        let mut answer: Value = serde_json::from_slice(&target.fetch().await?)?;
        for item in answer["items"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            item.remove("created_at");
            item.remove("updated_at");
        }
        let expected = first.get_or_insert_with(|| answer.clone());
        if *expected != answer {
            let items = |answer: &Value| answer["items"].as_array().cloned().unwrap_or_default();
            let differ = items(expected).into_iter().zip(items(&answer)).find(|(one, other)| one != other);
            let (one, other) = differ.unwrap_or_default();
            return Err(format!("{name} does not answer as the platform does: {other} instead of {one}").into());
        }
    }
    Ok(())
}
