//! Bodies of pages that a preview fetched, stored until they are read.

use contract::{ChatbotId, TenantId, id::WebsitePageId};

use crate::{connection::PgConnection, error::Result};

/// Stores a body that a preview fetched. `file_type` decides how it is read.
pub async fn keep_body(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: WebsitePageId,
    (file_type, body): (&str, &[u8]),
) -> Result<()> {
    take_body(connection, tenant, id).await?;
    sqlx::query(
        "insert into website_bodies (page_id, tenant_id, chatbot_id, file_type, body) values ($1, $2, $3, $4, $5)",
    )
    .bind(id.0)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(file_type)
    .bind(body)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes and returns the body of a page.
pub async fn take_body(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: WebsitePageId,
) -> Result<Option<(String, Vec<u8>)>> {
    Ok(sqlx::query_as("delete from website_bodies where tenant_id = $1 and page_id = $2 returning file_type, body")
        .bind(tenant.0)
        .bind(id.0)
        .fetch_optional(connection)
        .await?)
}

/// The body of a page that a preview fetched.
pub async fn body(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: WebsitePageId,
) -> Result<Option<(String, Vec<u8>)>> {
    Ok(sqlx::query_as("select file_type, body from website_bodies where tenant_id = $1 and page_id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .fetch_optional(connection)
        .await?)
}
