//! The words of a query in the searched collections: their stems in each language, and the rarity of each.

use std::collections::HashSet;

use contract::{ChatbotId, TenantId};
use sqlx::{AssertSqlSafe, FromRow};

use super::BY_WORDS;
use crate::{
    connection::PgConnection,
    error::Result,
    passages::{WordForm, rarity},
    scope::literal,
};

/// Maximum stems of a query that are looked up per language.
const MAX_STEMS: i64 = 12;
/// Passages of the sample in which common stems are counted.
const SAMPLE_SIZE: i64 = 1000;
/// Minimum passages of the sample with a stem for it to be common. Rare ones are counted in all collections.
const MIN_COMMON: i64 = 5;
/// Maximum passages with a rare stem that are counted.
const MAX_COUNTED: i64 = 500;
/// Maximum passages of all collections together that are compared with the words.
const MAX_CANDIDATES: i64 = 5000;
/// Minimum number of passages of one collection that are compared when all words select them.
const MIN_CANDIDATES_EACH: i64 = 100;

/// A stem with its counts.
#[derive(Debug, Clone, PartialEq, FromRow)]
struct Stem {
    stem: String,
    word: i32,
    weight: f32,
    passages: i64,
}

/// The words of a query in one language, weighted by their rarity in the collections of that language.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryWords {
    /// For each word its stems as `tsquery` literals with their weights.
    words: Vec<Vec<(String, f64)>>,
    /// The total weight of all words.
    total: f64,
    /// The `tsquery` literal that selects candidates.
    choosing: String,
    /// Maximum candidates of one collection.
    candidates: i64,
    /// All stems as one `tsquery` text, used to mark them in a passage.
    marking: String,
}

/// The result of looking up a query's words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LookedUp {
    /// The words that occur in some passage; `None` when none does.
    pub words: Option<QueryWords>,
    /// The positions of the words that occur in no passage.
    pub unknown: HashSet<usize>,
}

/// Looks up the words of a query in the collections of one language, with the number of passages of each. Runs in a
/// transaction of [`Scope::system`](crate::Scope::system), like every search by words.
///
/// Counting a common stem exactly would read most passages of all collections, so it is counted in a sample. Stems that
/// are rare in the sample are counted by the indexes.
pub async fn look_up(
    connection: &mut PgConnection,
    tenant: TenantId,
    collections: &[(ChatbotId, i64)],
    (forms, language): (&[WordForm], &str),
) -> Result<LookedUp> {
    if collections.is_empty() || forms.is_empty() {
        return Ok(LookedUp::default());
    }
    let texts: Vec<&str> = forms.iter().map(|form| form.text.as_str()).collect();
    let words: Vec<i32> = forms.iter().map(|form| form.word).collect();
    let weights: Vec<f32> = forms.iter().map(|form| form.weight).collect();
    let passages: i64 = collections.iter().map(|(_, passages)| passages).sum();
    sqlx::raw_sql(BY_WORDS).execute(&mut *connection).await?;
    let stems: Vec<Stem> = sqlx::query_as(AssertSqlSafe(stems(collections, passages)))
        .persistent(false)
        .bind(tenant.0)
        .bind(texts)
        .bind(words)
        .bind(weights)
        .bind(language)
        .bind(passages)
        .fetch_all(connection)
        .await?;
    Ok(weighted(&stems, passages, collections.len()))
}

/// The statement that looks stems up. The sample consists of whole pages, different ones of each collection; a small
/// collection is read as a whole.
fn stems(collections: &[(ChatbotId, i64)], passages: i64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "numbers of passages")]
    let percent = (100.0 * SAMPLE_SIZE as f64 / passages.max(1) as f64).min(100.0);
    let all_arms = |arm: &dyn Fn(usize, &ChatbotId) -> String| {
        let arms = collections.iter().enumerate().map(|(place, (chatbot, _))| arm(place, chatbot));
        arms.collect::<Vec<_>>().join(" union all ")
    };
    let sample = all_arms(&|place, chatbot| {
        format!(
            "select strip(keywords) as keywords from passages tablesample system ({percent:.6}) repeatable ({place})
             where tenant_id = $1 and chatbot_id = '{chatbot}'"
        )
    });
    let having = all_arms(&|_, chatbot| {
        format!(
            "select 1 from passages
             where tenant_id = $1 and chatbot_id = '{chatbot}' and keywords @@ quote_literal(f.lexeme)::tsquery"
        )
    });
    let counted = format!("(select count(*) from (select 1 from ({having}) arms limit {MAX_COUNTED}) counted)");
    let passages = if percent < 100.0 {
        format!(
            "case when f.seen >= {MIN_COMMON} then f.seen * $6 / f.size
                  else (select case when n < {MAX_COUNTED} then n else greatest(n, f.seen * $6 / greatest(f.size, 1)) end
                        from {counted} c (n)) end"
        )
    } else {
        // The sample covers everything.
        "f.seen + 0 * $6::bigint".to_owned()
    };
    format!(
        "with forms as materialized (
             select lexeme, f.word, max(f.weight) as weight
             from unnest($2::text[], $3::int[], $4::real[]) f (text, word, weight)
             cross join lateral unnest(text_words($5, f.text))
             group by lexeme, f.word
             order by max(f.weight) desc, length(lexeme) desc, lexeme
             limit {MAX_STEMS}
         ), sample as materialized ({sample}), seen as materialized (
             select f.*, (select count(*) from sample) as size,
                    (select count(*) from sample s where s.keywords @@ quote_literal(f.lexeme)::tsquery) as seen
             from forms f
         )
         select f.lexeme as stem, f.word, f.weight, ({passages})::bigint as passages
         from seen f
         order by f.word, f.weight desc, f.lexeme"
    )
}

fn weighted(stems: &[Stem], passages: i64, collections: usize) -> LookedUp {
    let mut places: Vec<i32> = stems.iter().map(|stem| stem.word).collect();
    places.sort_unstable();
    places.dedup();
    let (mut words, mut total, mut unknown) = (Vec::new(), 0.0, HashSet::new());
    for place in places {
        let of_word = || stems.iter().filter(|stem| stem.word == place);
        let value = |stem: &Stem| f64::from(stem.weight) * rarity(stem.passages, passages);
        total += of_word().map(value).fold(0.0, f64::max);
        let occurring: Vec<_> = of_word().filter(|stem| stem.passages > 0).collect();
        if occurring.is_empty() {
            unknown.extend(usize::try_from(place));
        } else {
            words.push(occurring.iter().map(|stem| (lexeme(&stem.stem), value(stem))).collect::<Vec<_>>());
        }
    }
    if words.is_empty() {
        return LookedUp { words: None, unknown };
    }
    let marking: Vec<String> = words.iter().flatten().map(|(lexeme, _)| lexeme.clone()).collect();
    let (choosing, candidates) = choosing(stems, &words, collections);
    let words = QueryWords { words, total, choosing: literal(&choosing), candidates, marking: marking.join(" | ") };
    LookedUp { words: Some(words), unknown }
}

/// The query that selects the passages to compare, and the maximum per collection. Rare stems select a passage alone;
/// when even the rarest is common, a passage must have all words.
fn choosing(stems: &[Stem], words: &[Vec<(String, f64)>], collections: usize) -> (String, i64) {
    let mut occurring: Vec<&Stem> = stems.iter().filter(|stem| stem.passages > 0).collect();
    occurring.sort_by_key(|stem| stem.passages);
    let mut taken = 0;
    let rare = occurring.iter().take_while(|stem| {
        taken += stem.passages;
        taken <= MAX_CANDIDATES
    });
    let rare: Vec<String> = rare.map(|stem| lexeme(&stem.stem)).collect();
    if !rare.is_empty() {
        return (rare.join(" | "), MAX_CANDIDATES);
    }
    let all = words.iter().map(|forms| {
        let forms: Vec<&str> = forms.iter().map(|(lexeme, _)| lexeme.as_str()).collect();
        format!("({})", forms.join(" | "))
    });
    let each = MAX_CANDIDATES / i64::try_from(collections.max(1)).unwrap_or(i64::MAX);
    (all.collect::<Vec<_>>().join(" & "), each.max(MIN_CANDIDATES_EACH))
}

impl QueryWords {
    /// SQL for the share of the words that a passage with these `keywords` has, 0 to 1.
    pub(super) fn share(&self, keywords: &str) -> String {
        let words = self.words.iter().map(|forms| {
            let forms = forms.iter().map(|(lexeme, value)| {
                format!(
                    "case when {keywords} @@ {}::tsquery then '{value:.6}'::float8 else '0'::float8 end",
                    literal(lexeme)
                )
            });
            format!("greatest({})", forms.collect::<Vec<_>>().join(", "))
        });
        format!("(({}) / '{:.6}'::float8)", words.collect::<Vec<_>>().join(" + "), self.total.max(1e-6))
    }

    /// SQL for whether a word is in the title or the headings.
    pub(super) fn in_heading(&self) -> String {
        let marked =
            self.words.iter().flatten().map(|(lexeme, _)| format!("{lexeme}:A")).collect::<Vec<_>>().join(" | ");
        format!("keywords @@ {}::tsquery", literal(&marked))
    }

    /// The literal of the query that selects candidates, and the maximum per collection.
    pub(super) fn choosing(&self) -> (&str, i64) {
        (&self.choosing, self.candidates)
    }

    /// All stems as a `tsquery` text.
    pub(super) fn marking(&self) -> &str {
        &self.marking
    }
}

/// A stem as a text search query that matches it literally.
fn lexeme(stem: &str) -> String {
    format!("'{}'", stem.replace('\\', "\\\\").replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(text: &str, word: i32, passages: i64) -> Stem {
        Stem { stem: text.to_owned(), word, weight: 1.0, passages }
    }

    #[test]
    fn rare_words_choose_and_common_ones_only_count() {
        let words = weighted(&[stem("shop", 0, 5000), stem("refund", 1, 3)], 10_000, 1).words.unwrap();
        assert_eq!(words.choosing, literal("'refund'"));
        assert_eq!(words.marking, "'shop' | 'refund'");
        let words = weighted(&[stem("shop", 0, 5001), stem("order", 1, 5001)], 10_000, 10).words.unwrap();
        assert_eq!((words.choosing, words.candidates), (literal("('shop') & ('order')"), 500));
    }

    #[test]
    fn words_that_no_passage_has_count_against_all_passages() {
        let words = weighted(&[stem("shop", 0, 5), stem("zebra", 1, 0)], 100, 1);
        assert_eq!(words.unknown, HashSet::from([1]));
        assert!(words.words.unwrap().total > 2.0 * rarity(5, 100));
        assert_eq!(weighted(&[stem("zebra", 0, 0)], 100, 1).words, None);
    }

    #[test]
    fn a_stem_cannot_leave_its_query() {
        assert_eq!(lexeme("o'x\\"), "'o''x\\\\'");
    }
}
