//! How many chatbots were created from each template, and how many of them have an older version of it.

use contract::TemplateId;
use sqlx::FromRow;

use crate::{connection::PgConnection, error::Result};

/// How many chatbots were created from a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adoption {
    pub template: TemplateId,
    pub name: String,
    /// Active chatbots of live tenants that were created from it.
    pub chatbots: i64,
    /// Of these, the chatbots with an older version; 0 when the template is deactivated and offers no update.
    pub behind: i64,
}

#[derive(FromRow)]
struct AdoptionRow {
    id: String,
    name: String,
    chatbots: i64,
    behind: i64,
}

/// The usage of all templates, or of the most used active ones, most chatbots first (operator, vendor).
pub async fn of_templates(connection: &mut PgConnection, most: Option<i64>) -> Result<Vec<Adoption>> {
    let rows: Vec<AdoptionRow> = sqlx::query_as(
        "select t.id, t.name, count(made.id) as chatbots,
                count(made.id) filter (where t.status = 'active' and made.template_version < t.version) as behind
         from chatbot_templates t
         left join (
             select c.id, c.template_id, c.template_version from chatbots c
             join tenants owner on owner.id = c.tenant_id
             where c.status = 'active' and owner.deleted_at is null
         ) made on made.template_id = t.id
         where $1::bigint is null or t.status = 'active'
         group by t.id, t.name
         order by count(made.id) desc, t.name, t.id
         limit $1::bigint",
    )
    .bind(most)
    .fetch_all(connection)
    .await?;
    let adoption = |row: AdoptionRow| {
        Ok(Adoption { template: row.id.try_into()?, name: row.name, chatbots: row.chatbots, behind: row.behind })
    };
    rows.into_iter().map(adoption).collect()
}
