//! The prepared answers of a template as own answers of a chatbot: each knows the template's question that it came from, so
//! that a later version of the template changes it unless its tenant did.

use std::collections::HashSet;

use contract::{ChatbotId, FaqId, TenantId, faq::NewFaqEntry, templates::FaqEntry};
use serde_json::{Map, Value};
use store::{
    PgConnection, WriteTx,
    chatbots::template_answers::TemplateAnswers,
    documents::{self, SourceKind},
    faq::{self, KnownEntry},
};
use uuid::Uuid;

use super::{SOURCE, measures};

/// Who wrote an answer that came from a template.
const AUTHOR: &str = "template";

/// What happens when the template and the tenant both changed an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    /// The tenant's stays.
    Keep,
    /// The template's replaces it.
    Replace,
}

/// An entry of a template with the normalised key of its question.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Keyed<'a> {
    entry: &'a FaqEntry,
    key: String,
}

/// One change of a chatbot's own answers.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step<'a> {
    Add(&'a FaqEntry),
    Change(&'a KnownEntry, &'a FaqEntry),
    Remove(&'a KnownEntry),
}

/// What a chatbot has of its template's answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerComparison {
    /// The answers that came from the template, and own ones to its new questions, as they are now.
    pub current: Vec<FaqEntry>,
    /// Whether the template and the tenant changed the same answer.
    pub has_conflicts: bool,
}

/// Compares what a chatbot has of its template's answers with what the template says now.
///
/// # Errors
/// When the database fails.
pub async fn compare(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    answers: &TemplateAnswers,
) -> store::Result<AnswerComparison> {
    let stored_entries = faq::all(connection, tenant, chatbot).await?;
    let (before, now) = (keyed(connection, &answers.before).await?, keyed(connection, &answers.now).await?);
    let (_, has_conflicts) = plan(&before, &now, &stored_entries, OnConflict::Keep);
    let mut entries: Vec<&KnownEntry> =
        before.iter().filter_map(|one| from_template(&stored_entries, &one.key)).collect();
    let answered = now.iter().filter_map(|one| holder(&stored_entries, &one.key));
    for entry in answered {
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    let current = entries
        .into_iter()
        .map(|KnownEntry { entry, .. }| FaqEntry { question: entry.question.clone(), answer: entry.answer.clone() });
    Ok(AnswerComparison { current: current.collect(), has_conflicts })
}

/// What changed of a chatbot's own answers.
#[derive(Debug, Default)]
pub struct Merged {
    /// Passages of removed answers.
    pub removed_passages: Vec<Uuid>,
    before: Map<String, Value>,
    after: Map<String, Value>,
}

impl Merged {
    /// Lengths and hashes before and after by id, for the audit log; `None` without a change.
    pub fn details(self) -> Option<[Value; 2]> {
        let is_empty = self.before.is_empty() && self.after.is_empty();
        (!is_empty).then(|| [self.before, self.after].map(Value::Object))
    }
}

/// Takes a template's answers over. Those of the tenant stay: the ones that it wrote to the same questions, and with
/// [`OnConflict::Keep`] the ones that it changed or removed. The chatbot must be locked, and what is new is still to be
/// indexed.
///
/// # Errors
/// When the database fails.
pub async fn merge(
    tx: &mut WriteTx,
    (tenant, chatbot): (TenantId, ChatbotId),
    answers: &TemplateAnswers,
    on_conflict: OnConflict,
) -> store::Result<Merged> {
    let stored_entries = faq::all(tx, tenant, chatbot).await?;
    let (before, now) = (keyed(tx, &answers.before).await?, keyed(tx, &answers.now).await?);
    let (steps, _) = plan(&before, &now, &stored_entries, on_conflict);
    let mut merged = Merged::default();
    for step in steps {
        let (id, new, from) = match step {
            Step::Remove(removed) => {
                faq::delete(tx, tenant, chatbot, removed.id).await?;
                let source = documents::upsert_source(tx, tenant, chatbot, SourceKind::Faq, SOURCE).await?;
                merged
                    .removed_passages
                    .extend(documents::remove(tx, tenant, chatbot, source, &removed.id.to_string()).await?);
                merged.before.insert(removed.id.to_string(), measures(&removed.entry));
                continue;
            }
            Step::Add(entry) => {
                let new = NewFaqEntry {
                    question: entry.question.clone(),
                    variants: Vec::new(),
                    answer: entry.answer.clone(),
                };
                let id = FaqId(Uuid::now_v7());
                faq::insert(tx, tenant, chatbot, id, &new, AUTHOR).await?;
                (id, new, entry)
            }
            Step::Change(changed, entry) => {
                let variants = changed.entry.variants.clone();
                let new = NewFaqEntry { question: entry.question.clone(), variants, answer: entry.answer.clone() };
                faq::update(tx, tenant, chatbot, changed.id, &new.clone().normalized()).await?;
                merged.before.insert(changed.id.to_string(), measures(&changed.entry));
                (changed.id, new, entry)
            }
        };
        faq::set_template_question(tx, tenant, chatbot, id, &from.question).await?;
        merged.after.insert(id.to_string(), measures(&new));
    }
    Ok(merged)
}

/// The entries with keys, without questions that appear before.
async fn keyed<'a>(connection: &mut PgConnection, entries: &'a [FaqEntry]) -> store::Result<Vec<Keyed<'a>>> {
    let questions: Vec<&str> = entries.iter().map(|entry| entry.question.as_str()).collect();
    let keys = faq::keys(connection, &questions).await?;
    let mut keys_so_far = HashSet::new();
    let first = entries.iter().zip(keys).filter(|(_, key)| keys_so_far.insert(key.clone()));
    Ok(first.map(|(entry, key)| Keyed { entry, key }).collect())
}

/// The own answer that came from the template's question.
fn from_template<'a>(entries: &'a [KnownEntry], key: &str) -> Option<&'a KnownEntry> {
    entries.iter().find(|entry| entry.template_key.as_deref() == Some(key))
}

/// The own answer to a question, in any of its phrasings.
fn holder<'a>(entries: &'a [KnownEntry], key: &str) -> Option<&'a KnownEntry> {
    entries.iter().find(|entry| entry.keys.iter().any(|own| own == key))
}

/// Whether the tenant changed what the template said.
fn is_edited(stored: &KnownEntry, template: &Keyed<'_>) -> bool {
    stored.keys.first() != Some(&template.key) || stored.entry.answer != template.entry.answer
}

/// The changes that make a chatbot's own answers what the template says now, and whether the tenant changed one of them.
fn plan<'a>(
    before: &[Keyed<'a>],
    now: &[Keyed<'a>],
    stored_entries: &'a [KnownEntry],
    on_conflict: OnConflict,
) -> (Vec<Step<'a>>, bool) {
    let mut steps = Vec::new();
    let mut has_conflicts = false;
    let mut add = |step: Step<'a>, is_conflict: bool| {
        has_conflicts |= is_conflict;
        if !is_conflict || on_conflict == OnConflict::Replace {
            steps.push(step);
        }
    };
    for entry in now {
        let former = before.iter().find(|former| former.key == entry.key);
        if former.is_some_and(|former| former.entry.answer == entry.entry.answer) {
            continue;
        }
        let of_template = from_template(stored_entries, &entry.key);
        let other = holder(stored_entries, &entry.key).filter(|other| of_template.is_none_or(|own| own.id != other.id));
        match (of_template, other) {
            // The tenant's own answer to the question stays in any case beside one that was renamed.
            (Some(_), Some(_)) => {}
            (Some(own), None) if is_edited(own, entry) => {
                add(Step::Change(own, entry.entry), former.is_none_or(|former| is_edited(own, former)));
            }
            (None, Some(own)) if own.entry.answer != entry.entry.answer && own.keys.first() == Some(&entry.key) => {
                add(Step::Change(own, entry.entry), true);
            }
            (Some(_), None) | (None, Some(_)) => {}
            (None, None) => add(Step::Add(entry.entry), former.is_some()),
        }
    }
    for former in before.iter().filter(|former| now.iter().all(|entry| entry.key != former.key)) {
        if let Some(own) = from_template(stored_entries, &former.key) {
            add(Step::Remove(own), is_edited(own, former));
        }
    }
    (steps, has_conflicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(list: &[(&str, &str)]) -> Vec<FaqEntry> {
        let entry = |(question, answer): &(&str, &str)| FaqEntry {
            question: (*question).to_owned(),
            answer: (*answer).to_owned(),
        };
        list.iter().map(entry).collect()
    }

    fn keyed(list: &[FaqEntry]) -> Vec<Keyed<'_>> {
        list.iter().map(|entry| Keyed { entry, key: entry.question.to_lowercase() }).collect()
    }

    fn stored_entry(id: u128, (question, answer): (&str, &str), template: Option<&str>) -> KnownEntry {
        KnownEntry {
            id: FaqId(Uuid::from_u128(id)),
            entry: NewFaqEntry { question: question.to_owned(), variants: Vec::new(), answer: answer.to_owned() },
            keys: vec![question.to_lowercase()],
            template_key: template.map(str::to_lowercase),
        }
    }

    /// The steps as words, and whether there is a conflict.
    fn planned(
        before: &[(&str, &str)],
        now: &[(&str, &str)],
        stored_entries: &[KnownEntry],
        on_conflict: OnConflict,
    ) -> (Vec<String>, bool) {
        let (before, now) = (entries(before), entries(now));
        let (steps, has_conflicts) = plan(&keyed(&before), &keyed(&now), stored_entries, on_conflict);
        let word = |step: &Step<'_>| match step {
            Step::Add(entry) => format!("+{}={}", entry.question, entry.answer),
            Step::Change(own, entry) => format!("{}={}", own.entry.question, entry.answer),
            Step::Remove(own) => format!("-{}", own.entry.question),
        };
        (steps.iter().map(word).collect(), has_conflicts)
    }

    #[test]
    fn new_changed_and_dropped_answers_are_taken() {
        let own = [
            stored_entry(1, ("A", "1"), Some("A")),
            stored_entry(2, ("B", "2"), Some("B")),
            stored_entry(3, ("Z", "own"), None),
        ];
        let (steps, has_conflicts) =
            planned(&[("A", "1"), ("B", "2")], &[("A", "one"), ("C", "3")], &own, OnConflict::Keep);
        assert_eq!((steps, has_conflicts), (vec!["A=one".to_owned(), "+C=3".to_owned(), "-B".to_owned()], false));
    }

    #[test]
    fn the_tenants_edit_stays_unless_the_templates_was_chosen() {
        for (own, replaced) in [
            (vec![stored_entry(1, ("A", "mine"), Some("A"))], "A=one"),
            (vec![stored_entry(1, ("Renamed", "1"), Some("A"))], "Renamed=one"),
            (vec![], "+A=one"),
        ] {
            let ask = |on_conflict| planned(&[("A", "1")], &[("A", "one")], &own, on_conflict);
            assert_eq!(ask(OnConflict::Keep), (vec![], true));
            assert_eq!(ask(OnConflict::Replace), (vec![replaced.to_owned()], true));
        }
        let edited = [stored_entry(1, ("A", "mine"), Some("A"))];
        assert_eq!(planned(&[("A", "1")], &[], &edited, OnConflict::Keep), (vec![], true));
        assert_eq!(planned(&[("A", "1")], &[("A", "1")], &edited, OnConflict::Replace), (vec![], false));
    }

    #[test]
    fn an_own_answer_to_a_new_question_stays() {
        let own = [stored_entry(1, ("a", "mine"), None)];
        assert_eq!(planned(&[], &[("A", "1")], &own, OnConflict::Keep), (vec![], true));
        assert_eq!(planned(&[], &[("A", "1")], &own, OnConflict::Replace), (vec!["a=1".to_owned()], true));
        assert_eq!(planned(&[], &[("A", "mine")], &own, OnConflict::Keep), (vec![], false));
    }
}
