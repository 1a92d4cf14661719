//! Reads the files of a folder as documents: `cargo run --release -p rag --example read_files -- FOLDER [TEXTS]`.
//!
//! Prints one line a file: its path, the seconds, and its words or the reason why it was not read. Writes what was read
//! to the folder TEXTS. `bench/fidelity` compares it with what other readers read.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use rag::document::{Document, is_document_type, read_document};

fn main() {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let folder = arguments.next().expect("the first argument is a folder");
    let texts = arguments.next();
    for path in files(&folder) {
        let started = Instant::now();
        let read = read_document(&path, &folder);
        let seconds = started.elapsed().as_secs_f64();
        let name = path.strip_prefix(&folder).unwrap().display();
        match read {
            Ok(document) => {
                let text = text(&document);
                println!("{name}\t{seconds:.4}\t{}\t{:?}", text.split_whitespace().count(), document.omissions);
                if let Some(texts) = &texts {
                    let target = texts.join(format!("{name}.txt"));
                    fs::create_dir_all(target.parent().unwrap()).unwrap();
                    fs::write(target, text).unwrap();
                }
            }
            Err(reason) => println!("{name}\t{seconds:.4}\t{}\t{reason}", reason.code()),
        }
    }
}

/// The files below a folder that may be documents, in the order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().and_then(|extension| extension.to_str()).is_some_and(is_document_type) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The title, the headings and the text of a document.
fn text(document: &Document) -> String {
    let mut text = format!("{}\n", document.title);
    let mut above: &[String] = &[];
    for section in &document.sections {
        let common = section.heading_path.iter().zip(above).take_while(|(one, other)| one == other).count();
        for (level, heading) in section.heading_path.iter().enumerate().skip(common) {
            text += &format!("\n{} {heading}\n", "#".repeat(level + 1));
        }
        text += &format!("\n{}\n", section.text);
        above = &section.heading_path;
    }
    text
}
