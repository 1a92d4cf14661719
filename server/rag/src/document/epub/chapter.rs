//! Prepares a chapter for the reader of HTML. In a book, nothing is around the text, and links lead nowhere; notes stand
//! behind the sentences that refer to them.

use std::collections::{HashMap, HashSet};

use super::{
    super::{Content, Section, html, notes, zip},
    sheets::{Rules, Sheets},
};

/// Elements that HTML reads up to their closing tag, and that XHTML may leave without one: `<title/>`.
const UP_TO_CLOSING_TAG: [&str; 3] = ["title", "script", "style"];
/// Attributes that change what a chapter shows. The others only give names to its parts.
const KEPT: [&str; 12] = [
    "style",
    "colspan",
    "rowspan",
    "start",
    "value",
    "hidden",
    "type",
    "reversed",
    "dir",
    "open",
    "close",
    "separators",
];
/// The first of the characters that mark the places of notes; they have no meaning outside of programs.
const FIRST_MARK: u32 = 0xf_0000;
/// Maximum notes of a chapter, one for each of these characters.
const MAX_NOTES: usize = 60_000;

/// A tag of a chapter.
struct Tag<'a> {
    start: usize,
    end: usize,
    name: &'a str,
    /// What stands behind its name.
    rest: &'a str,
    is_closing: bool,
    is_empty: bool,
}

impl<'a> Tag<'a> {
    /// The next tag from this place on. Comments and declarations are none.
    fn next(text: &'a str, from: usize) -> Option<Self> {
        let mut from = from;
        loop {
            let start = from + text.get(from..)?.find('<')?;
            let rest = &text[start..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                from = start + 4 + comment.find("-->")?;
                continue;
            }
            let is_closing = rest.starts_with("</");
            let inner = start + if is_closing { 2 } else { 1 };
            if !text[inner..].starts_with(|letter: char| letter.is_ascii_alphabetic()) {
                from = inner;
                continue;
            }
            let end = inner + end_of_tag(&text[inner..])?;
            let body = text[inner..end - 1].trim_end();
            let is_empty = body.ends_with('/');
            let body = body.trim_end_matches('/');
            let name = body.split(|letter: char| letter.is_whitespace()).next().unwrap_or_default();
            return Some(Self { start, end, name, rest: &body[name.len()..], is_closing, is_empty });
        }
    }

    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Its attributes with their values as they are written.
    fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut rest = self.rest;
        std::iter::from_fn(move || {
            let (name, after) = rest.trim_start().split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (value, after) = after[1..].split_once(quote)?;
            rest = after;
            // Before it, there can be attributes without a value.
            Some((name.split_whitespace().last().unwrap_or_default(), value))
        })
    }

    fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Whether the element is a note.
    fn is_note(&self) -> bool {
        let has = |name: &str, words: &[&str]| {
            self.attribute(name).is_some_and(|value| value.split_whitespace().any(|word| words.contains(&word)))
        };
        !self.is_closing
            && (has("epub:type", &["footnote", "endnote", "rearnote", "note"])
                || has("role", &["doc-footnote", "doc-endnote"]))
    }
}

/// The bytes of a tag up to its end, which is not within quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    None
}

/// The place behind the element that a tag opens.
fn end_of_element(text: &str, tag: &Tag<'_>) -> usize {
    let (mut depth, mut at) = (usize::from(!tag.is_empty), tag.end);
    while depth > 0 {
        let Some(next) = Tag::next(text, at) else { return text.len() };
        if next.is(tag.name) {
            depth = if next.is_closing { depth - 1 } else { depth + usize::from(!next.is_empty) };
        }
        at = next.end;
    }
    at
}

/// The notes of a book by the place that links to them name, such as `text/one.xhtml#note-1`.
#[derive(Default)]
pub(super) struct Notes {
    texts: HashMap<String, String>,
    /// The notes that some text refers to.
    referred: HashSet<String>,
}

impl Notes {
    /// Finds the notes of all chapters, given with their paths, and what refers to them.
    pub(super) fn find(chapters: &[(String, String)]) -> Self {
        let mut notes = Self::default();
        for (path, text) in chapters.iter().filter(|(_, text)| text.contains("note")) {
            let mut at = 0;
            while let Some(tag) = Tag::next(text, at) {
                at = tag.end;
                if let Some(id) = tag.attribute("id").filter(|_| tag.is_note()) {
                    at = end_of_element(text, &tag);
                    notes.texts.insert(format!("{path}#{id}"), text_of_note(&text[tag.start..at]));
                }
            }
        }
        for (path, text) in chapters.iter().filter(|_| !notes.texts.is_empty()) {
            let mut at = 0;
            while let Some(tag) = Tag::next(text, at) {
                at = tag.end;
                notes.referred.extend(notes.target(path, &tag));
            }
        }
        notes
    }

    /// The note that a link leads to.
    fn target(&self, path: &str, tag: &Tag<'_>) -> Option<String> {
        let href = tag.attribute("href").filter(|_| tag.is("a") && !tag.is_closing)?;
        let (file, id) = href.split_once('#')?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let file = if file.is_empty() { path.to_owned() } else { zip::resolve_path(folder, file) };
        Some(format!("{file}#{id}")).filter(|key| self.texts.contains_key(key))
    }
}

/// The words of a note on one line, without the link back and without its number.
fn text_of_note(note: &str) -> String {
    let mut text = String::with_capacity(note.len());
    let mut at = 0;
    while let Some(tag) = Tag::next(note, at) {
        text.push_str(&note[at..tag.start]);
        at = tag.end;
        let is_link = tag.is("a") && !tag.is_closing && tag.attribute("href").is_some_and(|href| href.contains('#'));
        let end = if is_link { end_of_element(note, &tag) } else { usize::MAX };
        // A link back is short.
        if end.saturating_sub(tag.end) < 20 {
            at = end;
        } else if !matches!(tag.name, "aside" | "li" | "a" | "section") {
            text.push_str(&note[tag.start..tag.end]);
        }
    }
    text.push_str(&note[at..]);
    let content = html::content(&format!("<body><div>{text}</div></body>"));
    let words: Vec<&str> = content.sections.iter().flat_map(|section| section.text.split_whitespace()).collect();
    let text = words.join(" ");
    let label = text.trim_start_matches(['[', '(']).trim_start_matches(|mark: char| mark.is_ascii_digit());
    let text = match label.strip_prefix(['.', ')', ']', ':']) {
        Some(rest) if text.len() - label.len() < 6 => rest,
        _ => &text,
    };
    text.trim_matches(|mark: char| mark.is_whitespace() || "↩↑⏎^\u{fe0e}".contains(mark)).to_owned()
}

/// The sections of a chapter, its title, and what they leave out.
pub(super) fn read(path: &str, chapter: &str, notes: &Notes, sheets: &Sheets) -> Content {
    let mut places = Vec::new();
    let mut content = html::content(&prepared(path, chapter, notes, &rules(path, chapter, sheets), &mut places));
    if !places.is_empty() {
        let mut used_notes = HashSet::new();
        content.sections.iter_mut().for_each(|section| place_notes(section, &places, &mut used_notes));
    }
    content
}

/// The rules of the style sheets that a chapter has or links to.
fn rules(path: &str, chapter: &str, sheets: &Sheets) -> Rules {
    let (mut rules, mut at) = (Rules::default(), 0);
    while let Some(tag) = Tag::next(chapter, at) {
        at = tag.end;
        if tag.is("body") {
            break;
        } else if tag.is("link") && tag.attribute("rel") == Some("stylesheet") {
            rules.extend(sheets.rules(path, tag.attribute("href").unwrap_or_default()));
        } else if tag.is("style") && !tag.is_closing {
            at = end_of_element(chapter, &tag);
            rules.extend(Rules::read(&chapter[tag.end..at]));
        }
    }
    rules
}

/// The chapter as HTML without attributes and elements that only a website has around its text.
fn prepared(path: &str, chapter: &str, notes: &Notes, rules: &Rules, places: &mut Vec<String>) -> String {
    let mut text = String::with_capacity(chapter.len());
    let mut at = 0;
    while let Some(tag) = Tag::next(chapter, at) {
        text.push_str(&chapter[at..tag.start]);
        at = tag.end;
        let key = |id: &str| format!("{path}#{id}");
        let is_placed = tag.is_note() && tag.attribute("id").is_some_and(|id| notes.referred.contains(&key(id)));
        if is_placed {
            at = end_of_element(chapter, &tag);
        } else if tag.is("svg") && !tag.is_closing {
            at = end_of_element(chapter, &tag);
            push_drawing(&mut text, &chapter[tag.end..at]);
        } else if let Some(note) = notes.target(path, &tag).and_then(|key| notes.texts.get(&key)) {
            at = end_of_element(chapter, &tag);
            text.extend(mark(places.len()).filter(|_| !note.is_empty()));
            places.push(note.clone());
        } else {
            push_tag(&mut text, &tag, rules);
            if ["script", "style"].into_iter().any(|name| tag.is(name)) && !tag.is_closing && !tag.is_empty {
                let end = end_of_element(chapter, &tag);
                text.push_str(&chapter[at..end]);
                at = end;
            }
        }
    }
    text + &chapter[at..]
}

/// Adds the texts of a drawing in SVG as paragraphs.
fn push_drawing(text: &mut String, drawing: &str) {
    let mut at = 0;
    while let Some(tag) = Tag::next(drawing, at) {
        at = tag.end;
        if !tag.is("text") || tag.is_closing {
            continue;
        }
        at = end_of_element(drawing, &tag);
        let mut words = &drawing[tag.end..at];
        text.push_str("<p>");
        // Parts with a place of their own are other lines.
        while let Some(part) = Tag::next(words, 0) {
            text.push_str(&words[..part.start]);
            text.push_str(if part.attribute("x").or(part.attribute("dy")).is_some() { " " } else { "" });
            words = &words[part.end..];
        }
        text.push_str(words);
        text.push_str("</p>");
    }
}

/// Adds a tag, and a closing one behind an empty element that would otherwise swallow the text after it.
fn push_tag(text: &mut String, tag: &Tag<'_>, rules: &Rules) {
    let lower = tag.name.to_ascii_lowercase();
    let name = match lower.as_str() {
        "a" => "span",
        "aside" | "footer" | "header" | "form" | "main" => "div",
        name => name,
    };
    if tag.is_closing {
        text.push_str(&format!("</{name}>"));
        return;
    }
    text.push_str(&format!("<{name}"));
    let value = |name: &str| tag.attribute(name).unwrap_or_default();
    let (style, own) = (rules.style(tag.name, value("class"), value("id")), value("style"));
    if !style.is_empty() && !own.contains("display") && !own.contains("visibility") {
        text.push_str(&format!(" style=\"{style}{}\"", own.replace('"', "&quot;")));
    }
    for (attribute, value) in tag.attributes().filter(|(attribute, _)| KEPT.contains(attribute)) {
        text.push_str(&format!(" {attribute}=\"{}\"", value.replace('"', "&quot;")));
    }
    text.push('>');
    if tag.is_empty
        && (UP_TO_CLOSING_TAG.contains(&name) || matches!(name, "span" | "div" | "mspace" | "none" | "mprescripts"))
    {
        text.push_str(&format!("</{name}>"));
    }
}

/// The character for the place of a note.
fn mark(number: usize) -> Option<char> {
    (number < MAX_NOTES).then(|| char::from_u32(FIRST_MARK + u32::try_from(number).ok()?)).flatten()
}

fn place_notes(section: &mut Section, places: &[String], used_notes: &mut HashSet<usize>) {
    let number = |letter: char| (letter as u32).checked_sub(FIRST_MARK).map(|at| at as usize);
    let note = |letter: char| number(letter).and_then(|at| Some((at, places.get(at)?)));
    let mut above = Vec::new();
    for heading in &mut section.heading_path {
        above.extend(
            heading.chars().filter_map(note).filter(|(at, _)| used_notes.insert(*at)).map(|(_, text)| text.clone()),
        );
        heading.retain(|letter| note(letter).is_none());
    }
    let line = |line: &str| {
        let texts: Vec<String> = line.chars().filter_map(note).map(|(_, text)| text.clone()).collect();
        if line.starts_with('|') {
            // Within the cell of a table.
            let part = |letter: char| note(letter).map_or_else(|| letter.to_string(), |(_, text)| format!(" ({text})"));
            return line.chars().map(part).collect();
        }
        let with_marks: String =
            line.chars().map(|letter| if note(letter).is_some() { notes::MARK } else { letter }).collect();
        notes::place(&with_marks, &texts)
    };
    above.extend([section.text.split('\n').map(line).collect::<Vec<String>>().join("\n")]);
    section.text = above.join("\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(chapters: &[(&str, &str)], at: usize) -> String {
        let chapters: Vec<_> = chapters.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let notes = Notes::find(&chapters);
        let mut sheets = Sheets::default();
        sheets.add(
            "t/main.css".to_owned(),
            ".draft,p#x,s.b.c{display:none} .c{display:none} p.c{display:block} .old{text-decoration:line-through}",
        );
        let content = read(&chapters[at].0, &chapters[at].1, &notes, &sheets);
        content.sections.into_iter().map(|section| section.text).collect::<Vec<_>>().join("\n\n")
    }

    #[test]
    fn notes_stand_behind_their_sentences() {
        let aside = "<aside epub:type=\"footnote\" id=\"n1\"><p><a href=\"#r1\">1</a> Since 1990.</p></aside>";
        let chapter = format!(
            "<body><p>The cat<a id=\"r1\" epub:type=\"noteref\" href=\"#n1\">1</a> is old. It <b>sleeps</b>.<sup><a href=\"ends.xhtml#e2\">2</a></sup></p>{aside}</body>"
        );
        let ends = "<body><h1>Notes</h1><ol><li role=\"doc-endnote\" id=\"e2\">2. On &amp; off. <a href=\"one.xhtml#r2\">↩</a></li>\
                    <li role=\"doc-endnote\" id=\"e3\">Nobody refers to it.</li></ol></body>";
        let book = [("t/one.xhtml", chapter.as_str()), ("t/ends.xhtml", ends)];
        assert_eq!(text(&book, 0), "The cat is old. (Since 1990.) It sleeps. (On & off.)");
        assert_eq!(text(&book, 1), "1. Nobody refers to it.");
    }

    #[test]
    fn links_and_boxes_of_a_book_are_text() {
        let chapter = "<body><aside class=\"sidebar\"><p>In a box.</p></aside><ul><li><a href='a.xhtml'>Boats and their owners</a></li>\
                       <li><a href='b.xhtml'>Rafts</a></li></ul><div class=\"footnotes\"><p>Old notes.</p></div></body>";
        let expected = "In a box.\n\n- Boats and their owners\n- Rafts\n\nOld notes.";
        assert_eq!(text(&[("a", chapter)], 0), expected);
    }

    #[test]
    fn style_sheets_of_a_book_hide_and_strike_text() {
        let chapter = "<html><head><link rel=\"stylesheet\" href=\"../t/main.css\"/><style>em{visibility:hidden}</style></head><body>\
            <p class=\"a draft\">Draft.</p><p id=\"x\">Secret.</p><p>One<em> or two</em>. <span class=\"old\">80</span> 70.</p>\
            <p class=\"c\">Three.</p><div class=\"c\">Four.</div><p class=\"draft\" style=\"display:block\">Five.</p></body></html>";
        assert_eq!(text(&[("t/one.xhtml", chapter)], 0), "One. 70.\n\nThree.\n\nFive.");
        assert!(text(&[("u/v/one.xhtml", chapter)], 0).contains("Draft."), "another folder has no such sheet");
    }

    #[test]
    fn words_of_drawings_are_text() {
        let chapter = "<body><svg><title>Icon</title><text x=\"1\">Har<tspan>bour</tspan><tspan dy=\"2\">gate</tspan></text><g><text>12 m</text></g></svg><p>Below.</p></body>";
        assert_eq!(text(&[("a", chapter)], 0), "Harbour gate\n\n12 m\n\nBelow.");
    }

    #[test]
    fn an_empty_element_swallows_no_text() {
        let chapter = r#"<html><head><title/><script type="a/b" src="a.js" /><STYLE/></head><body><p>One.<br/></p><a id="x"/><p>Two.</p></body></html>"#;
        assert_eq!(text(&[("a", chapter)], 0), "One.\n\nTwo.");
    }
}
