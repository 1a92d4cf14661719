//! What a search covers: the collections of the tenant's active chatbots, the documents that match the filters, and the
//! number of documents for each filter value.

use std::collections::{BTreeSet, HashSet};

use contract::{
    ChatbotId, TenantId, Timestamp,
    documents::SourceKind,
    knowledge_hub::{FacetValue, Facets, SearchFilters},
};
use sqlx::FromRow;
use uuid::Uuid;

use super::SOURCE_NAME;
use crate::{connection::PgConnection, error::Result};

/// Maximum values of one facet.
const MAX_VALUES: usize = 100;

/// A chatbot whose collection can be searched.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct SearchedChatbot {
    pub id: Uuid,
    pub language: String,
    /// The model of its vectors; `None` while it has no passages.
    pub embedding_model: Option<String>,
    /// The model of the vectors for questions in other languages.
    pub second_embedding_model: Option<String>,
    /// How many passages it has.
    pub passages: i64,
}

/// The filters as SQL parameters. The values of each are sorted, so that filters that select the same are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filters {
    sources: Option<Vec<Uuid>>,
    chatbots: Option<Vec<Uuid>>,
    kinds: Option<Vec<&'static str>>,
    languages: Option<Vec<String>>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

impl Filters {
    /// Converts the validated filters of a query.
    pub fn of(filters: &SearchFilters) -> Self {
        let (from, to) = filters.range();
        Self {
            sources: filters.source_ids().map(|ids| sorted(ids.into_iter().map(|id| id.0))),
            chatbots: filters.chatbot_ids().map(|ids| sorted(ids.into_iter().map(|id| id.0))),
            kinds: filters.source_kinds().map(|kinds| sorted(kinds.into_iter().map(SourceKind::as_str))),
            languages: filters.language_tags().map(sorted),
            from,
            to,
        }
    }

    /// Only documents that were read since then.
    #[must_use]
    pub fn since(mut self, since: Timestamp) -> Self {
        self.from = Some(self.from.map_or(since, |from| from.max(since)));
        self
    }

    /// Whether the filters distinguish documents of one chatbot.
    pub fn choose_documents(&self) -> bool {
        self.sources.is_some() || self.kinds.is_some() || self.from.is_some() || self.to.is_some()
    }

    /// The values of the filters that can have more values than a facet shows.
    fn values(&self) -> HashSet<String> {
        let ids = self.sources.iter().chain(&self.chatbots).flatten().map(Uuid::to_string);
        ids.chain(self.languages.iter().flatten().cloned()).collect()
    }

    fn admits(&self, chatbot: &SearchedChatbot) -> bool {
        let main = chatbot.language.split('-').next().unwrap_or_default();
        let speaks = |tags: &Vec<String>| tags.iter().any(|tag| *tag == chatbot.language || tag == main);
        self.chatbots.as_ref().is_none_or(|ids| ids.contains(&chatbot.id)) && self.languages.as_ref().is_none_or(speaks)
    }
}

/// The distinct values in their order.
fn sorted<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    values.into_iter().collect::<BTreeSet<T>>().into_iter().collect()
}

/// The active chatbots whose collection is ready and that pass the filters.
pub async fn chatbots(
    connection: &mut PgConnection,
    tenant: TenantId,
    filters: &Filters,
) -> Result<Vec<SearchedChatbot>> {
    let all: Vec<SearchedChatbot> = sqlx::query_as(
        "select c.id, c.language, c.embedding_model, c.second_embedding_model,
                coalesce((select sum(passage_count) from documents d
                          where d.tenant_id = c.tenant_id and d.chatbot_id = c.id), 0)::bigint as passages
         from chatbots c
         where c.tenant_id = $1 and c.status = 'active' and c.provisioning = 'ready'
         order by c.id",
    )
    .bind(tenant.0)
    .fetch_all(connection)
    .await?;
    Ok(all.into_iter().filter(|chatbot| filters.admits(chatbot)).collect())
}

/// Every document of a tenant's searchable chatbots in its newest version, with the filters that it matches. `$1` is
/// the tenant, `$2` to `$7` are the filters.
const DOCUMENTS: &str =
    "select v.id, d.id as own_id, d.source_id, {source_name} as source_name, s.kind, c.id as chatbot_id,
        c.name as chatbot_name, c.language, v.created_at, d.passage_count::bigint as passages,
        ($2::uuid[] is null or d.source_id = any ($2)) as by_source,
        ($3::uuid[] is null or d.chatbot_id = any ($3)) as by_chatbot,
        ($4::text[] is null or s.kind = any ($4)) as by_kind,
        ($5::text[] is null or c.language = any ($5) or split_part(c.language, '-', 1) = any ($5)) as by_language,
        ($6::timestamptz is null or v.created_at >= $6) and ($7::timestamptz is null or v.created_at <= $7) as by_date
    from documents d
    join document_versions v on v.tenant_id = d.tenant_id and v.document_id = d.id and v.version = d.version
    join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
    join chatbots c on c.tenant_id = d.tenant_id and c.id = d.chatbot_id
    where d.tenant_id = $1 and c.status = 'active' and c.provisioning = 'ready'";

fn documents() -> String {
    DOCUMENTS.replace("{source_name}", SOURCE_NAME)
}

macro_rules! bind_filters {
    ($query:expr, $tenant:expr, $filters:expr) => {
        $query
            .bind($tenant.0)
            .bind($filters.sources.as_ref())
            .bind($filters.chatbots.as_ref())
            .bind($filters.kinds.as_ref())
            .bind($filters.languages.as_ref())
            .bind($filters.from)
            .bind($filters.to)
    };
}

/// The number of documents for each value of each filter, ignoring that filter itself.
pub async fn facets(connection: &mut PgConnection, tenant: TenantId, filters: &Filters) -> Result<Facets> {
    let facets = [
        facet("sources", ["source_id::text", "source_name", "source_id = any ($2)"], "by_source"),
        facet("chatbots", ["chatbot_id::text", "chatbot_name", "chatbot_id = any ($3)"], "by_chatbot"),
        facet("kinds", ["kind", "kind", "kind = any ($4)"], "by_kind"),
        facet("languages", ["language", "language", "language = any ($5)"], "by_language"),
        facet("months", [MONTH, MONTH, "false"], "by_date"),
    ];
    let sql = format!("with d as materialized ({}) {}", documents(), facets.join(" union all "));
    let query = sqlx::query_as(sqlx::AssertSqlSafe(sql));
    let rows: Vec<(String, String, String, i64)> = bind_filters!(query, tenant, filters).fetch_all(connection).await?;
    Ok(by_name(rows, &filters.values()))
}

const MONTH: &str = "to_char(created_at, 'YYYY-MM')";

/// The documents of each value that pass the filters except for `own`. A value that is filtered by (`is_chosen`) is
/// listed even if there are none.
fn facet(name: &str, [value, label, is_chosen]: [&str; 3], own: &str) -> String {
    let others: Vec<&str> = ALL.split(" and ").filter(|filter| *filter != own).collect();
    let others = others.join(" and ");
    format!(
        "select '{name}', {value}, min({label}), count(*) filter (where {others}) from d
         group by 2 having bool_or(({others}) or {is_chosen})"
    )
}

/// Sorts values by their number of documents, and months newest first. Values that are filtered by are never left out.
fn by_name(rows: Vec<(String, String, String, i64)>, chosen: &HashSet<String>) -> Facets {
    let mut facets = Facets::default();
    for (facet, value, label, count) in rows {
        let list = match facet.as_str() {
            "sources" => &mut facets.sources,
            "chatbots" => &mut facets.chatbots,
            "kinds" => &mut facets.kinds,
            "languages" => &mut facets.languages,
            _ => &mut facets.months,
        };
        list.push(FacetValue { value, label, count });
    }
    for list in [&mut facets.sources, &mut facets.chatbots, &mut facets.kinds, &mut facets.languages] {
        list.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| (&a.label, &a.value).cmp(&(&b.label, &b.value))));
        let mut place = 0;
        list.retain(|of| {
            place += 1;
            place <= MAX_VALUES || chosen.contains(&of.value)
        });
    }
    facets.months.sort_by(|a, b| b.value.cmp(&a.value));
    facets.months.truncate(MAX_VALUES);
    facets
}

/// The documents that the filters select.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchingDocuments {
    /// Their own ids, not those of their versions.
    pub documents: Vec<Uuid>,
    /// The chatbots that have them.
    pub chatbots: HashSet<Uuid>,
    /// How many passages they have.
    pub passages: i64,
}

/// The documents that match all filters.
pub async fn matching(connection: &mut PgConnection, tenant: TenantId, filters: &Filters) -> Result<MatchingDocuments> {
    let sql = format!("select own_id, chatbot_id, passages from ({}) d where {ALL}", documents());
    let query = sqlx::query_as(sqlx::AssertSqlSafe(sql));
    let rows: Vec<(Uuid, Uuid, i64)> = bind_filters!(query, tenant, filters).fetch_all(connection).await?;
    let mut chosen = MatchingDocuments::default();
    for (document, chatbot, passages) in rows {
        chosen.documents.push(document);
        chosen.chatbots.insert(chatbot);
        chosen.passages += passages;
    }
    Ok(chosen)
}

const ALL: &str = "by_source and by_chatbot and by_kind and by_language and by_date";

/// A page of the documents that match all filters, newest first, as ids of chatbots and documents, and their total
/// number.
pub async fn newest(
    connection: &mut PgConnection,
    tenant: TenantId,
    filters: &Filters,
    (limit, offset): (i64, i64),
) -> Result<(Vec<(ChatbotId, Uuid)>, i64)> {
    let sql = format!("select count(*) from ({}) d where {ALL}", documents());
    let query = sqlx::query_scalar(sqlx::AssertSqlSafe(sql));
    let total = bind_filters!(query, tenant, filters).fetch_one(&mut *connection).await?;
    let sql = format!(
        "select chatbot_id, own_id from ({}) d where {ALL} order by created_at desc, id limit $8 offset $9",
        documents()
    );
    let query = sqlx::query_as(sqlx::AssertSqlSafe(sql));
    let page: Vec<(Uuid, Uuid)> =
        bind_filters!(query, tenant, filters).bind(limit).bind(offset).fetch_all(connection).await?;
    Ok((page.into_iter().map(|(chatbot, document)| (ChatbotId(chatbot), document)).collect(), total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_value_is_shown_however_few_documents_it_has() {
        let source = |number: u128| Uuid::from_u128(number).to_string();
        let row = |number| ("sources".to_owned(), source(number), format!("{number:03}"), 2);
        let rows: Vec<_> = (0..150).map(row).collect();
        let filters = Filters::of(&SearchFilters { sources: Some(source(149)), ..SearchFilters::default() });
        let listed = by_name(rows, &filters.values()).sources;
        assert_eq!((listed.len(), &listed[100].value), (101, &source(149)));
        assert_eq!(listed[99].value, source(99));
    }
}
