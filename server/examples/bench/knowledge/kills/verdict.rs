//! Checks the final state of the database: each document once, no duplicates, and no queued job.

use sqlx::PgConnection;

use crate::Result;

/// Figures that have to be 0.
const DEFECTS: [(&str, &str); 7] = [
    (
        "documents doubled",
        "select count(*) from (select 1 from documents group by chatbot_id, content_hash having count(*) > 1) doubled",
    ),
    (
        "passages doubled",
        "select count(*) from (select 1 from passages group by document_id, ordinal having count(*) > 1) doubled",
    ),
    (
        "passages without a document",
        "select count(*) from passages p left join documents d on d.id = p.document_id where d.id is null",
    ),
    (
        "documents with another number of passages",
        "select count(*)
         from documents d
         left join (select document_id, count(*) as many from passages group by document_id) p on p.document_id = d.id
         where d.passage_count <> coalesce(p.many, 0) or d.passage_count = 0",
    ),
    ("documents stored again", "select count(*) from documents where version > 1"),
    ("files of archives left out", "select count(*) from uploads where skipped <> '[]'"),
    ("jobs stuck", "select count(*) from jobs where state in ('queued', 'running') and kind = 'read_upload'"),
];

/// Prints it, for so many files with so many documents in them that were uploaded.
pub(super) async fn print(superuser: &mut PgConnection, files: u64, documents: u64) -> Result<()> {
    let jobs = "select count(*) from jobs";
    let interrupted = "select count(*) from jobs where attempts > 1";
    let deaths = "select coalesce(sum((attempts - 1) / 3), 0)::bigint from jobs";
    let (jobs, interrupted, deaths) =
        (count(superuser, jobs).await?, count(superuser, interrupted).await?, count(superuser, deaths).await?);
    println!("jobs {jobs}, of them interrupted {interrupted}, by {deaths} deaths");
    let ready = count(superuser, "select count(*) from uploads where state = 'ready'").await?;
    let given_up = count(superuser, "select count(*) from uploads where code = 'given_up'").await?;
    let read = count(superuser, "select count(*) from documents where upload_id is not null").await?;
    println!("files uploaded {files}, read {ready}, given up {given_up}, lost {}", i64::try_from(files)? - ready);
    println!("documents uploaded {documents}, read {read}, lost {}", i64::try_from(documents)? - read);
    for (name, sql) in DEFECTS {
        println!("{name}: {}", count(superuser, sql).await?);
    }
    Ok(())
}

async fn count(superuser: &mut PgConnection, sql: &'static str) -> Result<i64> {
    Ok(sqlx::query_scalar(sql).fetch_one(superuser).await?)
}
