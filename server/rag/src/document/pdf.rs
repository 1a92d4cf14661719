//! PDF to sections: what the pages show, with its places, becomes lines, columns, tables, paragraphs and headings.

use lopdf::{Document, Error, LoadOptions, Object};

use self::{continued::PageBlock, page::Page, tags::Tags};
use super::{Content, Layout, Omission, Omissions, Unreadable, builder};

mod boxes;
mod code_map;
mod collections;
mod color;
mod columns;
mod continued;
mod decoding;
mod font;
mod form;
mod glyph_names;
mod glyphs;
mod grid;
mod gutters;
mod justified;
mod lattice;
mod lines;
mod marks;
mod matrix;
mod operations;
mod outline;
mod page;
mod paragraphs;
mod path;
mod program;
mod rotated;
mod running;
mod scripts;
mod sheets;
mod standard_widths;
mod state;
mod tables;
mod tagged;
mod tags;
mod text;
mod title;
mod to_unicode;
mod visible;

const FORMAT: &str = "PDF";
/// Maximum bytes of one unpacked stream.
const MAX_STREAM: usize = 32 * 1024 * 1024;
/// A document of which more than one code in so many has no known character is not readable.
const UNKNOWN: usize = 3;

/// What a file has that is encrypted.
const ENCRYPTION: &[u8] = b"/Encrypt";

/// The document's title and the text of its pages.
pub(super) fn read(bytes: &[u8]) -> Result<Content, Unreadable> {
    let options = LoadOptions { max_decompressed_size: Some(MAX_STREAM), ..LoadOptions::default() };
    let mut document = Document::load_mem_with_options(bytes, options).map_err(unreadable)?;
    if document.is_encrypted() {
        return Err(Unreadable::Encrypted);
    }
    resolve_filters(&mut document);
    let is_sheet = sheets::is_sheet(&document);
    let mut tags = Tags::read(&document);
    let mut pages: Vec<Page> = Vec::new();
    text::pages(&document, &mut tags, |shapes, tags| pages.push(Page::of(shapes, tags, is_sheet)))?;
    // Without the password, the objects that list the pages may be unreadable.
    if pages.is_empty() && bytes.windows(ENCRYPTION.len()).any(|part| part == ENCRYPTION) {
        return Err(Unreadable::Encrypted);
    }
    let omissions = omissions(&document, &pages)?;
    let is_blank = |page: &Page| page.rows().next().is_none() && page.unknown == 0;
    let blank_pages = (1..).zip(&pages).filter(|(_, page)| is_blank(page)).map(|(number, _)| number).collect();
    if is_sheet {
        sheets::join(&mut pages);
    }
    running::remove(&mut pages);
    let several = pages.len() > 1;
    let count = pages.len();
    let blocks = |(number, page): (u32, Page)| page.blocks(count).into_iter().map(move |block| (number, block));
    let blocks: Vec<PageBlock> = (1..).zip(pages).flat_map(blocks).collect();
    let (first, sections) = outline::sections(blocks, several);
    let title = title::of(&document).or(first.filter(|first| title::is_title(first)));
    Ok(Content { title, sections, layout: Layout::Text, blank_pages, omissions })
}

/// Follows the reference if `object` is one.
fn resolve<'a>(document: &'a Document, object: &'a Object) -> &'a Object {
    document.dereference(object).map_or(object, |(_, object)| object)
}

/// Adds a line. Scripts without spaces between words need none between lines.
fn join(text: &mut String, line: &str) {
    let is_dense =
        |letter: char| matches!(letter, '\u{3000}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}');
    if text.ends_with(is_dense) && line.starts_with(is_dense) {
        text.push_str(line);
    } else {
        builder::add_line(text, line);
    }
}

/// Puts filters that are objects of their own, as invoices of SAP have them, into the dictionaries of their streams, where
/// lopdf looks for them.
fn resolve_filters(document: &mut Document) {
    let mut filters = Vec::new();
    for (id, object) in &document.objects {
        let Object::Stream(stream) = object else { continue };
        for key in ["Filter", "DecodeParms"] {
            let Ok(value) = stream.dict.get(key.as_bytes()) else { continue };
            let direct = match resolve(document, value) {
                Object::Array(list) => Object::Array(list.iter().map(|one| resolve(document, one).clone()).collect()),
                one => one.clone(),
            };
            if direct != *value {
                filters.push((*id, key, direct));
            }
        }
    }
    for (id, key, direct) in filters {
        if let Some(Object::Stream(stream)) = document.objects.get_mut(&id) {
            stream.dict.set(key, direct);
        }
    }
}

/// The lines that nobody sees, the codes without a known character, and attached files.
fn omissions(document: &Document, pages: &[Page]) -> Result<Omissions, Unreadable> {
    if pages.is_empty() {
        return Err(malformed(&"it has no pages"));
    }
    let (characters, unknown) =
        pages.iter().fold((0, 0), |(characters, unknown), page| (characters + page.characters, unknown + page.unknown));
    if unknown * UNKNOWN > characters + unknown {
        return Err(Unreadable::Undecodable);
    }
    if pages.iter().all(|page| page.rows().next().is_none()) {
        return Err(Unreadable::Scanned(u32::try_from(pages.len()).unwrap_or(u32::MAX)));
    }
    let hidden_lines = pages.iter().map(|page| page.hidden_lines).sum::<usize>();
    let counts = [
        (Omission::HiddenText, hidden_lines),
        (Omission::UnknownCharacters, unknown),
        (Omission::EmbeddedObjects, attachments(document)),
    ];
    let counts = counts.map(|(kind, count)| (kind, u32::try_from(count).unwrap_or(u32::MAX)));
    Ok(counts.into_iter().filter(|(_, count)| *count > 0).collect())
}

/// The number of files that are attached to the document or to a place of a page.
fn attachments(document: &Document) -> usize {
    let is_file = |object: &Object| object.as_dict().is_ok_and(|file| file.has(b"EF"));
    let own = |object: &Object| {
        let Ok(outer) = object.as_dict() else { return 0 };
        let names = outer.get(b"Names").and_then(Object::as_array).into_iter().flatten();
        names.chain(outer.get(b"FS")).filter(|file| is_file(file)).count()
    };
    document.objects.values().map(|object| usize::from(is_file(object)) + own(object)).sum()
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
