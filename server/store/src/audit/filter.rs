//! The SQL conditions of an [`AuditFilter`]. Only conditions that are set appear in the statement, so that the planner
//! can use them.

use contract::{Timestamp, audit::AuditFilter};
use sqlx::{Postgres, QueryBuilder};
use uuid::Uuid;

use crate::{
    error::Result,
    export::{ExportTx, literal},
    list,
};

enum Value {
    Text(String),
    Id(Uuid),
    Moment(Timestamp),
}

/// The text to search the details for.
pub(super) fn search(filter: &AuditFilter) -> Option<&str> {
    filter.json_search.as_deref().filter(|text| !text.is_empty())
}

/// Each condition up to its value, and the value.
fn conditions(filter: &AuditFilter) -> Vec<(&'static str, Value)> {
    let text = |value: &Option<String>| value.clone().map(Value::Text);
    let (from, to) = filter.range();
    [
        ("entity_id =", text(&filter.entity_id)),
        ("entity_type =", text(&filter.entity_type)),
        ("action =", text(&filter.action)),
        ("actor_role =", text(&filter.actor_role)),
        ("actor_user =", text(&filter.actor_user)),
        ("tenant_id =", filter.tenant_id.map(|id| Value::Id(id.0))),
        ("chatbot_id =", filter.chatbot_id.map(|id| Value::Id(id.0))),
        ("occurred_at >=", from.map(Value::Moment)),
        ("occurred_at <=", to.map(Value::Moment)),
        ("details::text ilike", search(filter).map(|text| Value::Text(list::containing(text)))),
    ]
    .into_iter()
    .filter_map(|(test, value)| Some((test, value?)))
    .collect()
}

/// Appends `where` with every condition of the filter; more may follow with `and`.
pub(super) fn push(query: &mut QueryBuilder<Postgres>, filter: &AuditFilter) {
    query.push(" where true");
    for (test, value) in conditions(filter) {
        query.push(" and ").push(test).push(" ");
        match value {
            Value::Text(text) => query.push_bind(text),
            Value::Id(id) => query.push_bind(id),
            Value::Moment(moment) => query.push_bind(moment),
        };
    }
}

/// The same conditions with their values in the text, for a statement that takes no parameters.
pub(super) async fn in_text(tx: &mut ExportTx, filter: &AuditFilter) -> Result<String> {
    let conditions = conditions(filter);
    let texts = conditions.iter().filter_map(|(_, value)| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    });
    let mut quoted = tx.quoted(&texts.collect::<Vec<_>>()).await?.into_iter();
    let mut sql = String::from(" where true");
    for (test, value) in conditions {
        let literal = match value {
            Value::Text(_) => quoted.next().unwrap_or_else(|| "null".to_owned()),
            Value::Id(id) => literal::id(id),
            Value::Moment(moment) => literal::moment(moment),
        };
        sql.push_str(&format!(" and {test} {literal}"));
    }
    Ok(sql)
}
