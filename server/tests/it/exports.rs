//! The CSV streams: their rules, and their audit row however they end.

mod audit_log;
mod endings;
mod process;
mod refusals;
mod rules;
mod tenants;

use std::time::Duration;

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::support::{Platform, Tenant, Token, moment};

const PATH: &str = "/api/v1/platform/output-filter-audit/export";
/// The longest wait for something that must happen.
const BOUND: Duration = Duration::from_secs(60);
const HEADER: &str = r#""id","tenant_id","chatbot_id","session_id","user_question","matched_pattern","category","filter_layer","language","created_at","excerpt","full_output""#;

/// Stores `count` triggers of a tenant, one a second from 2026-01-01 00:00:01, with outputs of about `bytes` bytes.
async fn fill(platform: &Platform, tenant: Tenant, count: i64, bytes: i32) {
    sqlx::query(
        "insert into output_filter_audit (id, tenant_id, chatbot_id, user_question, matched_pattern, category,
                                          filter_layer, language, created_at, excerpt, full_output)
         select gen_random_uuid(), $1, $2, 'question ' || n, 'rule-7', 'pii', 'inline', 'en',
                timestamptz '2026-01-01 00:00Z' + n * interval '1 second', 'excerpt', repeat('x', $4)
         from generate_series(1, $3) n",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .bind(count)
    .bind(bytes)
    .execute(platform.everything())
    .await
    .unwrap();
}

/// The details of all audit rows of exports, oldest first.
async fn audit_details(platform: &Platform) -> Vec<Value> {
    sqlx::query_scalar(
        "select details from platform_audit_log where action = 'output_filter_audit.exported' order by occurred_at, id",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap()
}

/// Waits until exports have written `count` rows.
async fn wait_for_details(platform: &Platform, count: usize) -> Vec<Value> {
    let deadline = std::time::Instant::now() + BOUND;
    loop {
        let rows = audit_details(platform).await;
        if rows.len() >= count || std::time::Instant::now() > deadline {
            assert_eq!(rows.len(), count);
            return rows;
        }
        moment().await;
    }
}

/// An export whose response is read manually, over a connection with a small receive buffer.
async fn open(platform: &Platform, query: &str) -> TcpStream {
    open_at(platform, platform.base_url.strip_prefix("http://").unwrap(), query).await
}

/// The same at another server's address.
async fn open_at(platform: &Platform, address: &str, query: &str) -> TcpStream {
    open_as(&platform.keys.operator(), address, &format!("{PATH}?{query}")).await
}

/// The same for any path and token.
async fn open_as(token: &Token, address: &str, path: &str) -> TcpStream {
    begin(token, address, &format!("GET {path}"), "\r\n").await
}

/// Like [`open_as`], for an export that is requested by POST.
async fn post_as(token: &Token, address: &str, path: &str) -> TcpStream {
    let rest = "content-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
    begin(token, address, &format!("POST {path}"), rest).await
}

async fn begin(token: &Token, address: &str, line: &str, rest: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let token = token.encode();
    let head = format!("{line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n{rest}");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Reads until `bytes` bytes are there or the answer ends.
async fn read(stream: &mut TcpStream, bytes: usize) -> Vec<u8> {
    let mut text = vec![0; bytes];
    let mut filled = 0;
    while filled < bytes {
        match tokio::time::timeout(BOUND, stream.read(&mut text[filled..])).await.unwrap() {
            Ok(0) | Err(_) => break,
            Ok(read) => filled += read,
        }
    }
    text.truncate(filled);
    text
}

/// Waits until no connection of the platform is inside a transaction or runs a query.
async fn all_quiet(platform: &Platform) {
    let deadline = std::time::Instant::now() + BOUND;
    loop {
        let busy: Vec<String> = sqlx::query_scalar(
            "select state || ': ' || left(query, 80) from pg_stat_activity
             where datname = current_database() and usename = 'svc_app' and state <> 'idle'",
        )
        .fetch_all(platform.everything())
        .await
        .unwrap();
        if busy.is_empty() {
            return;
        }
        assert!(std::time::Instant::now() < deadline, "{busy:?}");
        moment().await;
    }
}
