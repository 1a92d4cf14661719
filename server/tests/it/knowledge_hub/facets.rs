//! Facets and totals against a naive count over all documents, for random filters.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sqlx::FromRow;

use super::{search, switch};
use crate::support::Platform;

/// Filter sets that are tried.
const SETS: u32 = 200;

/// Documents with one to three versions, of sources of every kind of chatbots in three languages. One chatbot is deactivated and one is
/// of another tenant.
const FILL: &str = "
    insert into chatbots (id, tenant_id, slug, name, language, vector_collection, provisioning, status)
    select gen_random_uuid(), t.id, 'c' || n, 'c' || n, (array['en', 'de', 'de-AT'])[n % 3 + 1], 'passages', 'ready',
           case when n = 6 then 'deactivated' else 'active' end
    from tenants t cross join generate_series(1, 6) n;
    insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name)
    select gen_random_uuid(), c.tenant_id, c.id, k, k || n
    from chatbots c cross join unnest(array['files', 'upload', 'api', 'website', 'faq']) k cross join generate_series(1, 2) n;
    insert into documents (id, tenant_id, chatbot_id, source_id, path, title, content_hash, version)
    select gen_random_uuid(), s.tenant_id, s.chatbot_id, s.id, n::text, 'x', 'x', 1 + abs(hashtext(s.id::text || n)) % 3
    from chatbot_sources s cross join generate_series(1, 4) n;
    insert into document_versions (id, tenant_id, chatbot_id, document_id, version, title, content_hash, passage_count, created_at)
    select gen_random_uuid(), d.tenant_id, d.chatbot_id, d.id, v, 'x', 'x', 0,
           '2025-01-31 23:59:59Z'::timestamptz + make_interval(hours => abs(hashtext(d.id::text || v)) % 9000)
    from documents d cross join lateral generate_series(1, d.version) v;";

#[derive(FromRow)]
struct Document {
    source: String,
    chatbot: String,
    kind: String,
    language: String,
    /// `2025-01-31`.
    day: String,
}

#[derive(Default)]
struct Chosen {
    sources: Option<BTreeSet<String>>,
    chatbots: Option<BTreeSet<String>>,
    kinds: Option<BTreeSet<String>>,
    languages: Option<BTreeSet<String>>,
    from: Option<String>,
    to: Option<String>,
}

impl Chosen {
    /// Which of the five filters a document passes.
    fn passes(&self, of: &Document) -> [bool; 5] {
        let is_in = |set: &Option<BTreeSet<String>>, value: &str| set.as_ref().is_none_or(|set| set.contains(value));
        let main = of.language.split('-').next().unwrap();
        [
            is_in(&self.sources, &of.source),
            is_in(&self.chatbots, &of.chatbot),
            is_in(&self.kinds, &of.kind),
            is_in(&self.languages, &of.language) || is_in(&self.languages, main),
            self.from.as_ref().is_none_or(|from| of.day >= *from) && self.to.as_ref().is_none_or(|to| of.day <= *to),
        ]
    }

    /// Whether one of the filters names a value.
    fn names(&self, filter: usize, value: &str) -> bool {
        let lists = [&self.sources, &self.chatbots, &self.kinds, &self.languages];
        lists.get(filter).copied().and_then(Option::as_ref).is_some_and(|list| list.contains(value))
    }

    fn query(&self) -> String {
        let list = |name: &str, set: &Option<BTreeSet<String>>| {
            let values: Vec<&str> = set.iter().flatten().map(String::as_str).collect();
            if values.is_empty() { String::new() } else { format!("&{name}={}", values.join(",")) }
        };
        let day = |name: &str, day: &Option<String>| day.as_ref().map_or(String::new(), |day| format!("&{name}={day}"));
        [
            "limit=1".to_owned(),
            list("sources", &self.sources),
            list("chatbots", &self.chatbots),
            list("kinds", &self.kinds),
            list("languages", &self.languages),
            day("date_from", &self.from),
            day("date_to", &self.to),
        ]
        .concat()
    }
}

/// A deterministic random generator.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    /// One to four of the values, half of the time.
    fn some(&mut self, values: &[String]) -> Option<BTreeSet<String>> {
        (self.roll(2) == 0).then(|| (0..=self.roll(4)).map(|_| values[self.roll(values.len())].clone()).collect())
    }

    fn chosen(&mut self, all: &[Document]) -> Chosen {
        let values = |of: fn(&Document) -> &String| -> Vec<String> {
            let mut values: Vec<String> = all.iter().map(|document| of(document).clone()).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let days = values(|of| &of.day);
        let mut sources = values(|of| &of.source);
        sources.push(uuid::Uuid::nil().to_string());
        let (mut from, mut to) = (None, None);
        if self.roll(3) == 0 {
            let mut range = [days[self.roll(days.len())].clone(), days[self.roll(days.len())].clone()];
            range.sort_unstable();
            let [first, last] = range;
            (from, to) = (Some(first), Some(last));
        }
        Chosen {
            sources: self.some(&sources),
            chatbots: self.some(&values(|of| &of.chatbot)),
            kinds: self.some(&values(|of| &of.kind)),
            languages: self.some(&["en".to_owned(), "de".to_owned(), "de-AT".to_owned(), "fr".to_owned()]),
            from,
            to,
        }
    }
}

/// The counts of a facet by value: of the documents that pass every other filter. Values that the filter names are there even if there
/// are none.
fn naive<'a>(
    all: &'a [Document],
    chosen: &Chosen,
    own: usize,
    value: impl Fn(&'a Document) -> &'a str,
) -> BTreeMap<&'a str, i64> {
    let mut counts = BTreeMap::new();
    for document in all {
        let (passes, value) = (chosen.passes(document), value(document));
        let is_counted = passes.iter().enumerate().all(|(filter, passes)| filter == own || *passes);
        if is_counted || chosen.names(own, value) {
            *counts.entry(value).or_default() += i64::from(is_counted);
        }
    }
    counts
}

fn counted(facet: &Value) -> BTreeMap<&str, i64> {
    let values = facet.as_array().unwrap().iter();
    values.map(|value| (value["value"].as_str().unwrap(), value["count"].as_i64().unwrap())).collect()
}

#[tokio::test]
async fn facets_and_totals_equal_a_naive_count_for_random_filters() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.add_tenant("other").await;
    switch(&platform, tenant.id, true).await;
    sqlx::raw_sql(FILL).execute(platform.everything()).await.unwrap();
    let all: Vec<Document> = sqlx::query_as(
        "select d.source_id::text as source, d.chatbot_id::text as chatbot, s.kind, c.language,
                to_char(v.created_at at time zone 'UTC', 'YYYY-MM-DD') as day
         from documents d, document_versions v, chatbot_sources s, chatbots c
         where d.tenant_id = $1 and v.document_id = d.id and v.version = d.version and s.id = d.source_id
           and c.id = d.chatbot_id and c.status = 'active'",
    )
    .bind(tenant.id.0)
    .fetch_all(platform.everything())
    .await
    .unwrap();
    assert!(all.len() > 200, "{}", all.len());
    let admin = platform.admin(tenant.id);
    let mut dice = Dice(23);
    for _ in 0..SETS {
        let chosen = dice.chosen(&all);
        let query = chosen.query();
        let answer = search(&admin, &query).await;
        let facets = &answer.body["facets"];
        assert_eq!(counted(&facets["sources"]), naive(&all, &chosen, 0, |of| &of.source), "{query}");
        assert_eq!(counted(&facets["chatbots"]), naive(&all, &chosen, 1, |of| &of.chatbot), "{query}");
        assert_eq!(counted(&facets["kinds"]), naive(&all, &chosen, 2, |of| &of.kind), "{query}");
        assert_eq!(counted(&facets["languages"]), naive(&all, &chosen, 3, |of| &of.language), "{query}");
        assert_eq!(counted(&facets["months"]), naive(&all, &chosen, 4, |of| &of.day[..7]), "{query}");
        let total = naive(&all, &chosen, usize::MAX, |_| "").into_values().sum::<i64>();
        assert_eq!(answer.body["total"], total, "{query}");
    }
}
