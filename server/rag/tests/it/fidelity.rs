//! How faithfully own files of all formats are read: `cargo test -p rag --test it -- fidelity --nocapture` prints the shares.
//! With `FIDELITY_CORPUS=FOLDER`, the files and what is expected of them are written there, for `bench/fidelity`.

pub(crate) mod model;
mod samples;
pub(crate) mod writers;

use std::{collections::HashMap, fs, path::PathBuf};

use rag::document::{Document, Omission, read_document};
use tempfile::TempDir;

use self::{
    model::{ExpectedCell, Look, Sample},
    writers::WRITERS,
};

/// Words that follow each other within so many words are in order.
const NEAR: usize = 8;

#[derive(Debug, Default, Clone, Copy)]
struct Shares {
    words: usize,
    words_read: usize,
    pairs: usize,
    pairs_in_order: usize,
    cells: usize,
    right: usize,
    hidden_words: usize,
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
    let (read, visible) = (words(&lines.join("\n")), words(&sample.visible_text()));
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, word) in read.iter().enumerate() {
        places.entry(word).or_default().push(at);
    }
    let places_of = |word: &String| places.get(word.as_str()).map(Vec::as_slice).unwrap_or_default();
    let mut shares = Shares {
        words: visible.len(),
        words_read: visible.iter().filter(|word| !places_of(word).is_empty()).count(),
        ..Shares::default()
    };
    for pair in visible.windows(2) {
        let follows = |at: &usize| (1..NEAR).any(|step| places_of(&pair[1]).contains(&(at + step)));
        shares.pairs += 1;
        shares.pairs_in_order += usize::from(places_of(&pair[0]).iter().any(follows));
    }
    let visible_secrets = sample.hidden_words();
    let visible_secrets: Vec<_> =
        visible_secrets.iter().filter(|word| words(word).iter().all(|word| !places_of(word).is_empty())).collect();
    shares.hidden_words = visible_secrets.len();
    let expected = sample.expected_cells();
    let wrong: Vec<String> = expected
        .iter()
        .filter(|expected| !has(document, expected))
        .map(|ExpectedCell { value, row, column, group }| format!("{value} of {row:?} {column:?} {group:?}"))
        .collect();
    (shares.cells, shares.right) = (expected.len(), expected.len() - wrong.len());
    let faults = wrong.into_iter().chain(visible_secrets.into_iter().map(|word| format!("shows {word}")));
    (shares, faults.collect())
}

/// Whether a value stands in a row and a column with the names that it has in the file, and below the title of its group.
fn has(document: &Document, expected: &ExpectedCell) -> bool {
    let contains = |text: &str, names: &[String]| names.iter().all(|name| text.contains(name.as_str()));
    document.sections.iter().any(|section| {
        let cells = |line: &str| -> Vec<String> {
            line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
        };
        let above = section.heading_path.join(" ");
        let (mut header, mut group): (Vec<String>, _) = (Vec::new(), above.clone());
        let lines: Vec<&str> = section.text.lines().collect();
        lines.iter().enumerate().any(|(at, line)| {
            let is_in_group = |group: &str| expected.group.as_ref().is_none_or(|name| group.contains(name));
            if !line.starts_with('|') {
                group = format!("{above} {line}");
                return expected.column.is_empty()
                    && is_in_group(&group)
                    && contains(line, &expected.row)
                    && line.contains(expected.value.as_str());
            }
            let row = cells(line);
            if lines.get(at + 1).is_some_and(|next| next.starts_with("|---")) {
                header.clone_from(&row);
                // A table without a header has its first row there.
                return expected.column.is_empty() && row.contains(&expected.value) && contains(line, &expected.row);
            }
            if row.iter().filter(|cell| !cell.is_empty()).count() == 1 {
                group = format!("{above} {}", row[0]);
            }
            let is_right = |column: usize| header.get(column).is_some_and(|name| contains(name, &expected.column));
            let mut values = row.iter().enumerate().filter(|(_, cell)| **cell == expected.value);
            contains(line, &expected.row)
                && (is_in_group(&group) || is_in_group(line))
                && values.any(|(column, _)| expected.column.is_empty() || is_right(column))
        })
    })
}

/// Struck and hidden places that are left out without being counted.
fn uncounted(document: &Document, sample: &Sample) -> Vec<String> {
    let kinds = [(Omission::StruckText, Look::Struck), (Omission::HiddenText, Look::Hidden)];
    let kinds = kinds.map(|(kind, look)| (kind, sample.count(look)));
    let is_counted = |(kind, count): &(Omission, u32)| document.omissions.get(kind).copied().unwrap_or(0) == *count;
    let uncounted = kinds.into_iter().filter(|kind| !is_counted(kind));
    uncounted
        .map(|(kind, count)| format!("{count} places of {kind:?} are not counted: {:?}", document.omissions))
        .collect()
}

fn samples() -> Vec<Sample> {
    samples::price_lists().into_iter().chain(samples::texts()).collect()
}

/// Writes what is expected of a file beside it.
fn expectation(sample: &Sample) -> String {
    let cell = |expected: ExpectedCell| serde_json::json!({ "value": expected.value, "row": expected.row, "column": expected.column });
    let cells: Vec<_> = sample.expected_cells().into_iter().map(cell).collect();
    serde_json::json!({ "text": sample.visible_text(), "hidden": sample.hidden_words(), "cells": cells }).to_string()
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
            faults.extend(uncounted(&document, &sample));
            files += 1;
            total.words += shares.words;
            total.words_read += shares.words_read;
            total.pairs += shares.pairs;
            total.pairs_in_order += shares.pairs_in_order;
            total.cells += shares.cells;
            total.right += shares.right;
            total.hidden_words += shares.hidden_words;
            if shares.words_read * 100 < shares.words * 97
                || shares.pairs_in_order * 100 < shares.pairs * 93
                || !faults.is_empty()
            {
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
            share(total.words_read, total.words),
            share(total.pairs_in_order, total.pairs),
            share(total.right, total.cells),
            total.hidden_words
        );
    }
    assert!(report.is_empty(), "{report}");
}
