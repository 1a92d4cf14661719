//! PDF to sections, one per page: joins lines into paragraphs and leaves out running headers and footers.

use std::collections::HashMap;

use lopdf::{Document, Error, LoadOptions};

use super::{
    Content, Layout, Omissions, Unreadable,
    builder::{Builder, add_line},
    label::{Form, Label, Labels},
    page_heading,
};

mod font;
mod text;

const FORMAT: &str = "PDF";
/// Maximum bytes of one unpacked stream.
const MAX_STREAM: usize = 32 * 1024 * 1024;
/// Minimum pages for the detection of running headers and footers: lines that begin or end most pages.
const MIN_PAGES: usize = 3;

/// The document's title and the text of its pages.
pub(super) fn read(bytes: &[u8]) -> Result<Content, Unreadable> {
    let (title, pages) = extract(bytes)?;
    let blank_pages = (1..).zip(&pages).filter(|(_, page)| page.trim().is_empty()).map(|(number, _)| number).collect();
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.lines().map(str::trim).collect()).collect();
    let running = running_lines(&pages);
    let several = pages.len() > 1;
    let mut sections = Vec::new();
    for (number, lines) in (1..).zip(&pages) {
        let mut builder = Builder::default();
        for paragraph in paragraphs(lines, &running) {
            add_paragraph(&mut builder, &paragraph);
        }
        for mut section in builder.finish() {
            if several {
                section.heading_path = vec![page_heading(number)];
            }
            section.anchor = Some(format!("page={number}"));
            sections.push(section);
        }
    }
    Ok(Content { title, sections, layout: Layout::Text, blank_pages, omissions: Omissions::new() })
}

fn extract(bytes: &[u8]) -> Result<(Option<String>, Vec<String>), Unreadable> {
    let options = LoadOptions { max_decompressed_size: Some(MAX_STREAM), ..LoadOptions::default() };
    let document = Document::load_mem_with_options(bytes, options).map_err(unreadable)?;
    if document.is_encrypted() {
        return Err(Unreadable::Encrypted);
    }
    let pages = text::pages(&document)?;
    if pages.is_empty() {
        return Err(malformed(&"it has no pages"));
    }
    if pages.iter().all(|page| page.trim().is_empty()) {
        return Err(Unreadable::Scanned(u32::try_from(pages.len()).unwrap_or(u32::MAX)));
    }
    Ok((title(&document), pages))
}

fn unreadable(error: Error) -> Unreadable {
    match error {
        Error::InvalidPassword | Error::Decryption(_) => Unreadable::Encrypted,
        error => malformed(&error),
    }
}

fn malformed(error: &dyn std::fmt::Display) -> Unreadable {
    Unreadable::Malformed(FORMAT, error.to_string())
}

/// The title in the document's metadata.
fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let (_, info) = document.dereference(info).ok()?;
    let title = lopdf::decode_text_string(info.as_dict().ok()?.get(b"Title").ok()?).ok()?;
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

/// First and last lines that most pages share, without their numbers.
fn running_lines(pages: &[Vec<&str>]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for lines in pages {
        let mut edges: Vec<String> = edges(lines).map(without_numbers).collect();
        edges.dedup();
        for line in edges {
            *counts.entry(line).or_default() += 1;
        }
    }
    let most = |count: usize| pages.len() >= MIN_PAGES && count * 2 > pages.len();
    counts.into_iter().filter(|(_, count)| most(*count)).map(|(line, _)| line).collect()
}

fn edges<'a>(lines: &'a [&str]) -> impl Iterator<Item = &'a str> {
    let mut filled = lines.iter().copied().filter(|line| !line.is_empty());
    let first = filled.next();
    first.into_iter().chain(filled.next_back())
}

fn without_numbers(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_digit()).collect::<String>().trim().to_owned()
}

/// Adds a paragraph, or an item of a list.
fn add_paragraph(builder: &mut Builder, paragraph: &str) {
    match Label::of(paragraph) {
        Some(Label { form: Form::Bullet, rest, .. }) => {
            builder.open_list(None);
            builder.open_item();
            builder.text(rest);
            builder.close_list();
        }
        _ => {
            builder.text(paragraph);
            builder.end_block();
        }
    }
}

/// Joins the lines of a page into paragraphs, and words that were hyphenated at the end of a line. An item or a clause is a
/// paragraph of its own.
fn paragraphs(lines: &[&str], running: &[String]) -> Vec<String> {
    let last = lines.iter().rposition(|line| !line.is_empty());
    let first = lines.iter().position(|line| !line.is_empty());
    let (mut paragraphs, mut labels) = (vec![String::new()], Labels::default());
    for (index, line) in lines.iter().enumerate() {
        let at_edge = Some(index) == first || Some(index) == last;
        if at_edge && running.contains(&without_numbers(line)) {
            continue;
        }
        let Some(current) = paragraphs.last_mut() else { continue };
        if line.is_empty() {
            labels.end_paragraph();
            if !current.is_empty() {
                paragraphs.push(String::new());
            }
        } else if labels.read(line).is_some() && !current.is_empty() {
            paragraphs.push((*line).to_owned());
        } else {
            add_line(current, line);
        }
    }
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_paragraphs_and_parted_words_whole() {
        let lines = ["The instal-", "lation takes", "a while.", "", "Then it", "runs."];
        assert_eq!(paragraphs(&lines, &[]), ["The installation takes a while.", "Then it runs."]);
    }

    #[test]
    fn items_and_clauses_are_paragraphs_of_their_own() {
        let lines =
            ["Bring:", "• the card", "• a warm", "coat", "", "1.1 These terms apply", "from 3. May.", "1.2 All."];
        let paragraphs = paragraphs(&lines, &[]);
        let expected = ["Bring:", "• the card", "• a warm coat", "1.1 These terms apply from 3. May.", "1.2 All."];
        assert_eq!(paragraphs, expected);
        let mut builder = Builder::default();
        paragraphs[..3].iter().for_each(|paragraph| add_paragraph(&mut builder, paragraph));
        assert_eq!(builder.finish()[0].text, "Bring:\n\n- the card\n- a warm coat");
    }

    #[test]
    fn a_hyphen_for_the_end_of_a_word_stays_and_a_soft_one_goes() {
        let lines = ["Vor-", "und Nachteile der Wasser\u{ad}", "pumpe, zwei-", "bis dreimal geprüft."];
        assert_eq!(paragraphs(&lines, &[]), ["Vor- und Nachteile der Wasserpumpe, zwei- bis dreimal geprüft."]);
    }

    #[test]
    fn running_headers_and_footers_are_found_by_their_place() {
        let pages: Vec<Vec<&str>> = vec![
            vec!["Manual", "", "One.", "Page 1"],
            vec!["Manual", "Two.", "Page 2"],
            vec!["Manual", "Three.", "Page 3"],
        ];
        let mut running = running_lines(&pages);
        running.sort();
        assert_eq!(running, ["Manual", "Page"]);
        assert_eq!(paragraphs(&pages[1], &running), ["Two."]);
        assert!(running_lines(&pages[..2]).is_empty());
    }
}
