//! Measures the cost of an audit row for a mutation: changing a tenant in a transaction with the row and without it,
//! through the store, on an empty log and on one of a million rows, with and without the index of `json_search`.

use std::time::{Duration, Instant};

use contract::{TenantId, audit::actions};
use sqlx::{AssertSqlSafe, Executor, PgConnection};
use store::{AuditEntry, ConnectionShares, Db, DbSettings, Exemption, Scope, audit};
use uuid::Uuid;

use crate::{
    Result,
    audit_log::{self, SEARCH_INDEX},
    database::{self, Database},
    figures::{Times, setting, sized},
};

const TENANTS: i64 = 200;

/// Measures four states of the log.
pub(crate) async fn run() -> Result<()> {
    let database = Database::create("bench_price").await?;
    let mut superuser = database.superuser().await?;
    let tenants: Vec<Uuid> = sqlx::query_scalar(
        "insert into tenants (id, slug, display_name, default_language)
         select uuidv7(), 'tenant-' || i, 'Tenant ' || i, 'en' from generate_series(1, $1) i returning id",
    )
    .bind(TENANTS)
    .fetch_all(&mut superuser)
    .await?;
    let db = Db::connect(&DbSettings {
        url: database.login_url()?,
        max_connections: 2,
        acquire_timeout: Duration::from_secs(5),
        statement_timeout: Duration::from_secs(30),
        prepared_statements: true,
        max_exports: 1,
        shares: ConnectionShares::of(2),
    })
    .await?;
    let definition: String = sqlx::query_scalar("select indexdef from pg_indexes where indexname = $1")
        .bind(SEARCH_INDEX)
        .fetch_one(&mut superuser)
        .await?;
    let drop = format!("drop index {SEARCH_INDEX}");
    println!("PATCH of a tenant as a transaction, one at a time, in turn; this PostgreSQL does not wait for the disk");
    compare(&db, &tenants, "empty log").await?;
    database::execute(&mut superuser, "truncate platform_audit_log").await?;
    superuser.execute(AssertSqlSafe(drop)).await?;
    compare(&db, &tenants, "empty log, no search index").await?;
    database::execute(&mut superuser, "truncate platform_audit_log").await?;
    let rows = sized(1_000_000, 2000);
    audit_log::fill(&mut superuser, rows, false).await?;
    compare(&db, &tenants, &format!("{rows} rows, no search index")).await?;
    let started = Instant::now();
    superuser.execute(AssertSqlSafe(definition)).await?;
    println!(
        "  making the search index took {:.0} s, {}",
        started.elapsed().as_secs_f64(),
        sizes(&mut superuser).await?
    );
    compare(&db, &tenants, &format!("{rows} rows")).await
}

async fn sizes(connection: &mut PgConnection) -> Result<String> {
    Ok(sqlx::query_scalar(
        "select 'it has ' || pg_size_pretty(pg_relation_size($1::regclass)) || ', the table '
             || pg_size_pretty(pg_relation_size('platform_audit_log'::regclass))",
    )
    .bind(SEARCH_INDEX)
    .fetch_one(connection)
    .await?)
}

async fn compare(db: &Db, tenants: &[Uuid], state: &str) -> Result<()> {
    let calls = usize::try_from(setting("BENCH_CALLS", 100) * 15)?;
    let (mut with, mut without) = (Times::default(), Times::default());
    for call in 0..calls + 50 {
        let tenant = TenantId(tenants[call % tenants.len()]);
        for (audited, times) in [(true, &mut with), (false, &mut without)] {
            let started = Instant::now();
            change(db, tenant, &format!("Changed {call} {audited}"), audited).await?;
            if call >= 50 {
                times.push(started.elapsed());
            }
        }
    }
    let line = |times: &Times| {
        format!("p50 {:.2}  p99 {:.2}  mean {:.2} ms", times.percentile(50), times.percentile(99), times.mean())
    };
    println!("{state}, {calls} of each");
    println!("  with its audit row     {}", line(&with));
    println!("  without                {}", line(&without));
    let (medians, means) = (with.percentile(50) / without.percentile(50), with.mean() / without.mean());
    println!("  with / without         median {medians:.2}, mean {means:.2}");
    Ok(())
}

/// The transaction of `service::tenants::update`.
async fn change(db: &Db, id: TenantId, name: &str, audited: bool) -> Result<()> {
    let mut tx = db.write(&Scope::operator().with_user("svc-platform", "olivia")).await?;
    let before = store::tenants::find_for_update(&mut tx, id).await?.ok_or("the tenant is gone")?;
    let mut after = before.clone();
    name.clone_into(&mut after.display_name);
    store::tenants::update(&mut tx, &after).await?;
    let after = store::tenants::find(&mut tx, id).await?.ok_or("the tenant is gone")?;
    if audited {
        let details = audit::changed(&before, &after).ok_or("nothing changed")?;
        Ok(tx.commit_audited(&entry(id, details)).await?)
    } else {
        Ok(tx.commit_exempt(Exemption::Provisioning).await?)
    }
}

fn entry(id: TenantId, details: serde_json::Value) -> AuditEntry {
    AuditEntry {
        actor: audit::Actor {
            role: "operator",
            user: "olivia".to_owned(),
            ip_address: Some(std::net::Ipv4Addr::LOCALHOST.into()),
            session_id: Some("bench".to_owned()),
        },
        tenant_id: Some(id),
        chatbot_id: None,
        action: actions::TENANT_UPDATED,
        entity_type: "tenant",
        entity_id: id.to_string(),
        details,
    }
}
