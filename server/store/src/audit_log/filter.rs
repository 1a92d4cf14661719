//! The conditions of an [`AuditFilter`]: only those that are set stand in the statement, so that the planner sees what
//! is asked for.

use contract::audit::AuditFilter;
use sqlx::{Postgres, QueryBuilder};

use crate::list;

/// Appends `where` with every condition of the filter; more may follow with `and`.
pub(super) fn push(query: &mut QueryBuilder<Postgres>, filter: &AuditFilter) {
    query.push(" where true");
    for (column, value) in [
        ("entity_id", &filter.entity_id),
        ("entity_type", &filter.entity_type),
        ("action", &filter.action),
        ("actor_role", &filter.actor_role),
        ("actor_user", &filter.actor_user),
    ] {
        if let Some(value) = value {
            query.push(format_args!(" and {column} = ")).push_bind(value.clone());
        }
    }
    if let Some(tenant) = filter.tenant_id {
        query.push(" and tenant_id = ").push_bind(tenant.0);
    }
    if let Some(chatbot) = filter.chatbot_id {
        query.push(" and chatbot_id = ").push_bind(chatbot.0);
    }
    let (from, to) = filter.range();
    if let Some(from) = from {
        query.push(" and occurred_at >= ").push_bind(from);
    }
    if let Some(to) = to {
        query.push(" and occurred_at <= ").push_bind(to);
    }
    if let Some(text) = filter.json_search.as_deref().filter(|text| !text.is_empty()) {
        query.push(" and details::text ilike ").push_bind(list::containing(text));
    }
}
