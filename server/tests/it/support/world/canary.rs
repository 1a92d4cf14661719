//! The mark in every text of a tenant's rows. A new text column is marked automatically, or fails here until its mark
//! is defined.

use contract::TenantId;
use sqlx::{AssertSqlSafe, PgPool, query_scalar};

/// The word in every text of the other tenant.
pub const CANARY: &str = "canaryzebra";

/// Columns whose values are restricted by the database, so that they cannot contain the mark.
const RESTRICTED: &[&str] = &[
    "chat_messages.answered_by",
    "chat_messages.confidence",
    "chat_messages.language",
    "chat_messages.role",
    "chat_messages.small_talk",
    "chatbot_faq.state",
    "chatbot_feedback.category",
    "chatbot_feedback.rating",
    "chatbot_sources.kind",
    "api_keys.prefix",
    "api_keys.scopes",
    // The rows of a user are reached by their user alone.
    "kh_bookmarks.realm",
    "kh_bookmarks.user_id",
    "kh_saved_searches.realm",
    "kh_saved_searches.user_id",
    "kh_search_history.realm",
    "kh_search_history.user_id",
    // One of the platform's models, or its questions find nothing.
    "chatbots.embedding_model",
    // The sum of the picture's bytes.
    "branding_pictures.name",
    // Names of language models.
    "chatbots.answer_model",
    "tenants.answer_model",
    "tenants.answer_models",
    "jobs.state",
    "uploads.code",
    "uploads.content_hash",
    "uploads.file_type",
    "uploads.state",
    "website_pages.code",
    "website_pages.state",
    "websites.code",
    "websites.proven_by",
    "websites.schedule",
    "websites.state",
    "chatbots.provisioning",
    "chatbots.status",
    "chatbots.template_id",
    "output_filter_audit.filter_layer",
    "people_changes.actor_role",
    "people_changes.outcome",
    "platform_audit_log.actor_role",
    "platform_audit_log_archive.actor_role",
    "tenant_modules.module_id",
    // Numbers alone.
    "tenants.quotas",
    "widget_origins.outcome",
];

/// Marks every text of the tenant's rows.
pub(super) async fn mark(pool: &PgPool, tenant: TenantId) {
    let columns: Vec<(String, String, String)> = sqlx::query_as(
        "select c.relname::text, a.attname::text, format_type(a.atttypid, null)
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and (c.relname = 'tenants'
                or exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id'))
         order by 1, 2",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    for (table, column, kind) in columns {
        let name = format!("{table}.{column}");
        if RESTRICTED.contains(&name.as_str()) {
            continue;
        }
        let Some(value) = marked(&name, &kind) else { continue };
        let key = if table == "tenants" { "id" } else { "tenant_id" };
        let sql = format!("update {table} set {column} = {value} where {key} = '{tenant}'");
        let done = sqlx::query(AssertSqlSafe(sql)).execute(pool).await;
        assert!(done.unwrap_or_else(|error| panic!("{name}: {error}")).rows_affected() > 0, "{name} has no row");
        let sql = format!("select bool_and({column}::text ~ '{CANARY}') from {table} where {key} = '{tenant}'");
        let all: bool = query_scalar(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap();
        assert!(all, "{name} carries no mark");
    }
}

/// The expression that marks a column; `None` for types without text.
fn marked(name: &str, kind: &str) -> Option<String> {
    // The place in the table makes it unique.
    let unique = format!("'{CANARY}-' || translate(ctid::text, '(,)', 'x-x')");
    let value = match (name, kind) {
        // The page is compared with the Origin header, so the mark is in its host.
        ("tenant_branding.allowed_origins", _) => "array['https://canaryzebra.example.org']".to_owned(),
        (
            "chatbots.language"
            | "tenants.default_language"
            | "output_filter_audit.language"
            | "kh_document_summaries.language",
            _,
        ) => format!("'{CANARY}'"),
        // It must find something.
        ("kh_saved_searches.query", _) => format!("'{CANARY}'"),
        // Contains the tenant's own name for it.
        ("uploads.external_id", _) => format!("'{CANARY}.md'"),
        (_, "text") => unique,
        (_, "text[]") => format!("array[{unique}]"),
        (_, "tsvector") => format!("to_tsvector('english', heading || ' ' || content || ' {CANARY}')"),
        ("chatbots.small_talk", _) => format!("'{{\"greeting\": \"{CANARY}\"}}'"),
        ("chatbots.template_snapshot", _) => {
            format!("template_snapshot || '{{\"name\": \"{CANARY}\"}}'")
        }
        ("chatbots.template_answers", _) => {
            format!("'{{\"before\": [], \"now\": [{{\"question\": \"{CANARY}\", \"answer\": \"{CANARY}\"}}]}}'")
        }
        ("chatbot_branding.fields" | "tenant_branding.fields", _) => format!("'{{\"header_title\": \"{CANARY}\"}}'"),
        ("kh_saved_searches.filters", _) => format!("'{{\"languages\": \"{CANARY}\"}}'"),
        ("uploads.skipped", _) => {
            format!("'[{{\"path\": \"{CANARY}\", \"code\": \"malformed\", \"detail\": \"{CANARY}\"}}]'")
        }
        ("people_changes.wanted" | "people_changes.before", _) => format!("'{{\"role\": \"{CANARY}\"}}'"),
        ("jobs.payload", _) => format!("'{{\"upload\": \"{CANARY}\"}}'"),
        ("jobs.result", _) => format!("'{{\"report\": \"{CANARY}\"}}'"),
        ("chat_messages.sources", _) => {
            format!("'[{{\"source_title\": \"{CANARY}\", \"content_snippet\": \"{CANARY}\", \"score\": 0.5}}]'")
        }
        // Kinds and numbers only, and the type of the column checks them when they are read.
        ("documents.omissions", _) => return None,
        ("chat_messages.citations", _) => format!("'[{{\"marker\": \"{CANARY}\", \"source_index\": 0}}]'"),
        ("platform_audit_log.details" | "platform_audit_log_archive.details", _) => {
            format!("'{{\"after\": \"{CANARY}\"}}'")
        }
        (
            _,
            "uuid"
            | "uuid[]"
            | "integer"
            | "integer[]"
            | "bigint"
            | "bigint[]"
            | "boolean"
            | "timestamp with time zone"
            | "date"
            | "vector"
            | "halfvec"
            | "bytea",
        ) => {
            return None;
        }
        (_, kind) => panic!("{name} of type {kind}: say here how it carries the mark"),
    };
    Some(value)
}
