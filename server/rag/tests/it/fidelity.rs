//! How faithfully own files of all formats are read: `cargo test -p rag --test it -- fidelity --nocapture` prints the shares.
//! With `FIDELITY_CORPUS=FOLDER`, the files and what is expected of them are written there, for `bench/fidelity`.

pub(crate) mod model;
mod samples;
pub(crate) mod writers;

use std::{collections::HashMap, fs, path::PathBuf};

use rag::document::{Document, Omission, read_document};
use tempfile::TempDir;

use self::{
    model::{Asked, Look, Sample},
    writers::WRITERS,
};

/// Words that follow each other within so many words are in order.
const NEAR: usize = 8;

#[derive(Debug, Default, Clone, Copy)]
struct Shares {
    words: usize,
    kept: usize,
    pairs: usize,
    ordered: usize,
    cells: usize,
    right: usize,
    hidden: usize,
}

/// Runs of letters and digits.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn compare(document: &Document, sample: &Sample) -> (Shares, Vec<String>) {
    let mut lines: Vec<&str> = Vec::new();
    for section in &document.sections {
        lines.extend(section.heading_path.iter().map(String::as_str));
        lines.push(&section.text);
    }
    let (read, seen) = (words(&lines.join("\n")), words(&sample.seen()));
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, word) in read.iter().enumerate() {
        places.entry(word).or_default().push(at);
    }
    let of = |word: &String| places.get(word.as_str()).map(Vec::as_slice).unwrap_or_default();
    let mut shares = Shares {
        words: seen.len(),
        kept: seen.iter().filter(|word| !of(word).is_empty()).count(),
        ..Shares::default()
    };
    for pair in seen.windows(2) {
        let follows = |at: &usize| (1..NEAR).any(|step| of(&pair[1]).contains(&(at + step)));
        shares.pairs += 1;
        shares.ordered += usize::from(of(&pair[0]).iter().any(follows));
    }
    let shown = sample.hidden();
    let shown: Vec<_> = shown.iter().filter(|word| words(word).iter().all(|word| !of(word).is_empty())).collect();
    shares.hidden = shown.len();
    let asked = sample.asked();
    let wrong: Vec<String> = asked
        .iter()
        .filter(|asked| !has(document, asked))
        .map(|Asked { value, row, column, group }| format!("{value} of {row:?} {column:?} {group:?}"))
        .collect();
    (shares.cells, shares.right) = (asked.len(), asked.len() - wrong.len());
    let faults = wrong.into_iter().chain(shown.into_iter().map(|word| format!("shows {word}")));
    (shares, faults.collect())
}

/// Whether a value stands in a row and a column with the names that it has in the file, and below the title of its group.
fn has(document: &Document, asked: &Asked) -> bool {
    let contains = |text: &str, names: &[String]| names.iter().all(|name| text.contains(name.as_str()));
    document.sections.iter().any(|section| {
        let cells = |line: &str| -> Vec<String> {
            line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
        };
        let above = section.heading_path.join(" ");
        let (mut header, mut group): (Vec<String>, _) = (Vec::new(), above.clone());
        let lines: Vec<&str> = section.text.lines().collect();
        lines.iter().enumerate().any(|(at, line)| {
            let is_in_group = |group: &str| asked.group.as_ref().is_none_or(|name| group.contains(name));
            if !line.starts_with('|') {
                group = format!("{above} {line}");
                return asked.column.is_empty()
                    && is_in_group(&group)
                    && contains(line, &asked.row)
                    && line.contains(asked.value.as_str());
            }
            let row = cells(line);
            if lines.get(at + 1).is_some_and(|next| next.starts_with("|---")) {
                header.clone_from(&row);
                // A table without a header has its first row there.
                return asked.column.is_empty() && row.contains(&asked.value) && contains(line, &asked.row);
            }
            if row.iter().filter(|cell| !cell.is_empty()).count() == 1 {
                group = format!("{above} {}", row[0]);
            }
            let is_right = |column: usize| header.get(column).is_some_and(|name| contains(name, &asked.column));
            let mut values = row.iter().enumerate().filter(|(_, cell)| **cell == asked.value);
            contains(line, &asked.row)
                && (is_in_group(&group) || is_in_group(line))
                && values.any(|(column, _)| asked.column.is_empty() || is_right(column))
        })
    })
}

/// Struck and hidden places that are left out without being counted.
fn untold(document: &Document, sample: &Sample) -> Vec<String> {
    let kinds = [(Omission::StruckText, Look::Struck), (Omission::HiddenText, Look::Hidden)];
    let kinds = kinds.map(|(kind, look)| (kind, sample.count(look)));
    let is_told = |(kind, count): &(Omission, u32)| document.omissions.get(kind).copied().unwrap_or(0) == *count;
    let untold = kinds.into_iter().filter(|kind| !is_told(kind));
    untold
        .map(|(kind, count)| format!("{count} places of {kind:?} are not counted: {:?}", document.omissions))
        .collect()
}

fn samples() -> Vec<Sample> {
    samples::price_lists().into_iter().chain(samples::texts()).collect()
}

/// Writes what is expected of a file beside it.
fn expectation(sample: &Sample) -> String {
    let cell = |asked: Asked| serde_json::json!({ "value": asked.value, "row": asked.row, "column": asked.column });
    let cells: Vec<_> = sample.asked().into_iter().map(cell).collect();
    serde_json::json!({ "text": sample.seen(), "hidden": sample.hidden(), "cells": cells }).to_string()
}

#[test]
#[allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "a table for developers")]
fn own_files_of_all_formats_are_read_faithfully() {
    let corpus = std::env::var_os("FIDELITY_CORPUS").map(PathBuf::from);
    let folder = TempDir::new().unwrap();
    let root = corpus.as_deref().unwrap_or(folder.path());
    let mut report = String::new();
    println!(
        "| format | files | words kept | pairs in order | cells with their names | hidden words shown |\n|---|---|---|---|---|---|"
    );
    for (format, write) in WRITERS {
        let (mut total, mut files) = (Shares::default(), 0);
        for sample in samples() {
            let Some(bytes) = write(&sample) else { continue };
            let path = root.join(format!("{}.{format}", sample.name));
            fs::write(&path, bytes).unwrap();
            if corpus.is_some() {
                fs::write(root.join(format!("{}.{format}.json", sample.name)), expectation(&sample)).unwrap();
            }
            let document = read_document(&path, root).unwrap();
            let (shares, mut faults) = compare(&document, &sample);
            faults.extend(untold(&document, &sample));
            files += 1;
            total.words += shares.words;
            total.kept += shares.kept;
            total.pairs += shares.pairs;
            total.ordered += shares.ordered;
            total.cells += shares.cells;
            total.right += shares.right;
            total.hidden += shares.hidden;
            if shares.kept * 100 < shares.words * 97 || shares.ordered * 100 < shares.pairs * 93 || !faults.is_empty() {
                let text: Vec<_> = document.sections.iter().map(|section| section.text.as_str()).collect();
                let text: String = text.join("\n").chars().take(1200).collect();
                report.push_str(&format!(
                    "\n=== {}.{format} {shares:?}\n{}\n{text}\n",
                    sample.name,
                    faults.iter().take(6).cloned().collect::<Vec<_>>().join("\n")
                ));
            }
        }
        let share = |part: usize, whole: usize| part as f32 / whole.max(1) as f32;
        println!(
            "| {format} | {files} | {:.3} | {:.3} | {:.3} | {} |",
            share(total.kept, total.words),
            share(total.ordered, total.pairs),
            share(total.right, total.cells),
            total.hidden
        );
    }
    assert!(report.is_empty(), "{report}");
}
