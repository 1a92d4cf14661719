//! Own questions and answers from a CSV file: all rows or none, with one audit row.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use contract::{
    ChatbotId, FaqId, TenantId, Validate,
    audit::actions,
    csv::restored,
    faq::{
        MAX_FAQ_ENTRIES, NewFaqEntry,
        import::{FaqImport, FaqImportEntry, FaqImportError, FaqImportOutcome, MAX_FAQ_IMPORT_ERRORS},
    },
};
use rag::document::{
    Unreadable,
    questions::{self, Row},
};
use serde_json::{Map, Value, json};
use store::{
    WriteTx, audit,
    faq::{self, KnownEntry},
};
use uuid::Uuid;

use super::{INDEXING_TIMEOUT, indexing, measures};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::chatbot_tx::{self, Lock},
    state::App,
};

/// What an import does with each row.
#[derive(Debug, Default)]
struct Plan {
    writes: Vec<Write>,
    unchanged: i64,
    refused: i64,
    errors: Vec<FaqImportError>,
}

impl Plan {
    fn refuse(&mut self, errors: Vec<FaqImportError>) {
        self.refused += 1;
        self.errors.extend(errors);
    }
}

#[derive(Debug)]
struct Write {
    line: i64,
    /// The entry that has the question already, with its former texts.
    former: Option<(FaqId, NewFaqEntry)>,
    entry: NewFaqEntry,
}

impl Write {
    fn outcome(&self) -> FaqImportOutcome {
        if self.former.is_some() { FaqImportOutcome::Changed } else { FaqImportOutcome::Added }
    }
}

/// Imports the rows of a file, or with `dry_run` only returns what would change. A question that an entry already has,
/// ignoring case, changes that entry. New entries are indexed as by [`super::create`].
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`; a validation error for a file that is not a table of questions and answers, and, without
/// `dry_run`, for each row that breaks a rule.
pub async fn import(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    file: Bytes,
    dry_run: bool,
) -> ApiResult<FaqImport> {
    let rows = read(&file);
    // The lock prevents two calls from adding the same question.
    let (mut tx, tenant) = chatbot_tx::begin_active(app, caller, chatbot, Lock::Chatbot).await?;
    let plan = plan(&mut tx, tenant, chatbot, rows?).await?;
    if !dry_run && plan.refused > 0 {
        return Err(ApiError::validation(plan.errors.into_iter().map(FaqImportError::located).collect()));
    }
    if dry_run || plan.writes.is_empty() {
        tx.discard().await?;
        return Ok(report(plan, dry_run));
    }
    let ids = write(&mut tx, (tenant, chatbot), &plan.writes, &caller.identity.username).await?;
    let details = details(&plan.writes, &ids);
    let report = report(plan, dry_run);
    let entity = ("chatbot_faq", format!("bulk:{}", ids.len()));
    let entry = chatbot_tx::entry(caller, (tenant, chatbot), actions::CHATBOT_FAQ_IMPORTED, entity, details);
    tx.commit_audited(&entry).await?;
    let _ = tokio::time::timeout(INDEXING_TIMEOUT, indexing::begin_all(app, tenant, chatbot, ids)).await;
    Ok(report)
}

/// The rows of a file, 1 to as many as a chatbot has entries.
fn read(file: &[u8]) -> ApiResult<Vec<Row>> {
    let refused = |msg: String, kind| ApiError::field(&["body"], msg, kind);
    let most = usize::try_from(MAX_FAQ_ENTRIES).unwrap_or(usize::MAX);
    let rows = questions::table(file, most + 1).map_err(|error| match error {
        Unreadable::NotText(_) => refused("must be a CSV file in UTF-8, UTF-16 or Windows-1252".to_owned(), "encoding"),
        Unreadable::Entry(_) => refused("must have the columns \"question\" and \"answer\"".to_owned(), "columns"),
        error => refused(format!("is not a CSV file: {error}"), "csv"),
    })?;
    match rows.len() {
        0 => Err(refused("must have at least one row".to_owned(), "too_few")),
        count if count > most => Err(refused(too_many(), "too_many")),
        _ => Ok(rows),
    }
}

fn too_many() -> String {
    format!("exceeds the limit of {MAX_FAQ_ENTRIES} entries per chatbot")
}

/// Compares the rows with the chatbot's entries. A row without variants leaves those of its entry.
async fn plan(tx: &mut WriteTx, tenant: TenantId, chatbot: ChatbotId, rows: Vec<Row>) -> ApiResult<Plan> {
    let stored = faq::all(tx, tenant, chatbot).await?;
    let mut entries: Vec<NewFaqEntry> = rows.iter().map(entry).collect();
    let questions: Vec<&str> = entries.iter().map(|entry| entry.question.as_str()).collect();
    let keys = faq::keys(tx, &questions).await?;
    // If several entries have the same question, the first one changes.
    let by_question: HashMap<&str, &KnownEntry> =
        stored.iter().rev().filter_map(|entry| Some((entry.keys.first()?.as_str(), entry))).collect();
    for ((row, entry), key) in rows.iter().zip(&mut entries).zip(&keys) {
        if let Some(former) = by_question.get(key.as_str()).filter(|_| row.variants.is_none()) {
            entry.variants.clone_from(&former.entry.variants);
        }
    }
    let phrasings = phrasing_keys(tx, &entries).await?;
    let in_file: HashSet<&str> = keys.iter().map(String::as_str).collect();
    let others = stored.iter().filter(|entry| entry.keys.first().is_none_or(|key| !in_file.contains(key.as_str())));
    let mut taken: HashSet<&str> = others.flat_map(|entry| &entry.keys).map(String::as_str).collect();
    let (mut count, mut plan, mut keys_so_far) =
        (i64::try_from(stored.len()).unwrap_or(i64::MAX), Plan::default(), HashSet::new());
    for (((row, entry), key), phrasings) in rows.iter().zip(entries).zip(&keys).zip(&phrasings) {
        let former = by_question.get(key.as_str());
        let errors = broken_rules(row, &entry);
        if !errors.is_empty() {
            plan.refuse(errors);
        } else if !keys_so_far.insert(key) {
            plan.refuse(vec![error(row, Some("question"), "duplicate", "appears more than once in the file")]);
        } else if let Some(place) = phrasings.iter().position(|key| !taken.insert(key)) {
            let field = if place == 0 { "question" } else { "variants" };
            plan.refuse(vec![error(row, Some(field), "duplicate", "is a phrasing of another question")]);
        } else if former.is_some_and(|former| former.entry == entry) {
            plan.unchanged += 1;
        } else if former.is_none() && count >= MAX_FAQ_ENTRIES {
            plan.refuse(vec![error(row, None, "too_many", &too_many())]);
        } else {
            count += i64::from(former.is_none());
            plan.writes.push(Write {
                line: line(row),
                former: former.map(|former| (former.id, former.entry.clone())),
                entry,
            });
        }
    }
    plan.errors.truncate(MAX_FAQ_IMPORT_ERRORS);
    Ok(plan)
}

/// The keys of each entry's phrasings.
async fn phrasing_keys(tx: &mut WriteTx, entries: &[NewFaqEntry]) -> ApiResult<Vec<Vec<String>>> {
    let all: Vec<&str> = entries.iter().flat_map(NewFaqEntry::phrasings).collect();
    let mut keys = faq::keys(tx, &all).await?.into_iter();
    Ok(entries.iter().map(|entry| keys.by_ref().take(1 + entry.variants.len()).collect()).collect())
}

/// The entry of a row, without the apostrophes that prevent a spreadsheet from running formulas.
fn entry(row: &Row) -> NewFaqEntry {
    let text = |cell: &str| restored(cell).trim().to_owned();
    let variants = text(row.variants.as_deref().unwrap_or_default());
    let variants = variants.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    NewFaqEntry { question: text(&row.question), variants, answer: text(&row.answer) }.normalized()
}

/// The line on which a row begins.
fn line(row: &Row) -> i64 {
    i64::try_from(row.line).unwrap_or(i64::MAX)
}

fn broken_rules(row: &Row, entry: &NewFaqEntry) -> Vec<FaqImportError> {
    if row.is_too_long {
        let msg = "must not have more cells than the first line; put texts with separators in quotes";
        return vec![error(row, None, "too_many_columns", msg)];
    }
    let broken = entry.validate();
    broken.iter().map(|rule| error(row, Some(rule.field()), &rule.kind, &rule.msg)).collect()
}

fn error(row: &Row, field: Option<&str>, kind: &str, msg: &str) -> FaqImportError {
    FaqImportError { line: line(row), field: field.map(str::to_owned), kind: kind.to_owned(), msg: msg.to_owned() }
}

/// Writes the entries; returns their ids.
async fn write(
    tx: &mut WriteTx,
    (tenant, chatbot): (TenantId, ChatbotId),
    writes: &[Write],
    user: &str,
) -> ApiResult<Vec<FaqId>> {
    let mut ids = Vec::with_capacity(writes.len());
    for Write { former, entry, .. } in writes {
        let id = former.as_ref().map_or_else(|| FaqId(Uuid::now_v7()), |(id, _)| *id);
        match former {
            Some(_) => faq::update(tx, tenant, chatbot, id, entry).await?,
            None => faq::insert(tx, tenant, chatbot, id, entry, user).await?,
        }
        ids.push(id);
    }
    Ok(ids)
}

/// What the audit row of an import says: the ids of new entries, and the lengths and hashes of changed ones before and
/// after. `before` is null when nothing changed.
fn details(writes: &[Write], ids: &[FaqId]) -> Value {
    let (mut added, mut was, mut is) = (Vec::new(), Map::new(), Map::new());
    for (write, id) in writes.iter().zip(ids) {
        match &write.former {
            None => added.push(id),
            Some((_, former)) => {
                if let Some(mut change) = audit::changed(&measures(former), &measures(&write.entry)) {
                    was.insert(id.to_string(), change["before"].take());
                    is.insert(id.to_string(), change["after"].take());
                }
            }
        }
    }
    let before = if was.is_empty() { Value::Null } else { json!({ "changed": was }) };
    let mut after = json!({ "added": added });
    if !is.is_empty() {
        after["changed"] = Value::Object(is);
    }
    json!({ "before": before, "after": after })
}

fn report(plan: Plan, dry_run: bool) -> FaqImport {
    let entries: Vec<_> = plan
        .writes
        .into_iter()
        .map(|write| FaqImportEntry { line: write.line, outcome: write.outcome(), question: write.entry.question })
        .collect();
    let of = |outcome| entries.iter().filter(|entry| entry.outcome == outcome).count();
    let count = |outcome| i64::try_from(of(outcome)).unwrap_or(i64::MAX);
    FaqImport {
        dry_run,
        added: count(FaqImportOutcome::Added),
        changed: count(FaqImportOutcome::Changed),
        unchanged: plan.unchanged,
        refused: plan.refused,
        entries,
        errors: plan.errors,
    }
}
