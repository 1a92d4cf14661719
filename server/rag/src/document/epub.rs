//! EPUB to sections: the chapters in reading order, each read as HTML. Those outside of it follow at the end.

mod chapter;
mod sheets;

use roxmltree::Node;

use self::{chapter::Notes, sheets::Sheets};
use super::{
    Content, Omission, Omissions, Unreadable, charset,
    xml::{Format, attribute, is, plain},
    zip,
};

const FORMAT: Format = Format("EPUB");
/// Maximum bytes of one part.
const MAX_PART: u64 = 64 * 1024 * 1024;

/// The document's title, its sections, and what they leave out.
pub(super) fn read(bytes: &[u8]) -> Result<Content, Unreadable> {
    let is_wanted = |path: &str| {
        let is_of = |extension: &str| path.to_ascii_lowercase().ends_with(extension);
        path.starts_with("META-INF/")
            || [".opf", ".xhtml", ".html", ".htm", ".xml", ".svg", ".css"].into_iter().any(is_of)
    };
    let mut parts = zip::files_where(bytes, is_wanted, MAX_PART)?;
    if parts.contains_key("META-INF/encryption.xml") && parts.contains_key("META-INF/rights.xml") {
        return Err(Unreadable::Encrypted);
    }
    let container = FORMAT.text(parts.remove("META-INF/container.xml"), "container")?;
    let container = FORMAT.parse(&container)?;
    let root = container.descendants().find(|node| is(*node, "rootfile")).and_then(|node| attribute(node, "full-path"));
    let root = root.ok_or_else(|| FORMAT.malformed(&"it has no list of its parts"))?;
    let package = FORMAT.text(parts.remove(root), "list of its parts")?;
    let package = FORMAT.parse(&package)?;
    let folder = root.rsplit_once('/').map(|(folder, _)| folder).unwrap_or_default();
    let item = |id: &str| {
        let is_it = |node: &Node<'_, '_>| is(*node, "item") && attribute(*node, "id") == Some(id);
        package.descendants().find(is_it)
    };
    let is_contents = |node: &Node<'_, '_>| {
        let is_navigation =
            attribute(*node, "properties").is_some_and(|words| words.split(' ').any(|word| word == "nav"));
        is_navigation || attribute(*node, "media-type").is_some_and(|kind| kind.ends_with("ncx+xml"))
    };
    // What is not in the reading order, such as tables, comes last.
    let (linear, others): (Vec<_>, Vec<_>) = package
        .descendants()
        .filter(|node| is(*node, "itemref"))
        .partition(|node| attribute(*node, "linear") != Some("no"));
    let items = linear.into_iter().chain(others).filter_map(|chapter| item(attribute(chapter, "idref")?));
    let (mut chapters, mut omissions) = (Vec::new(), Omissions::new());
    for item in items.filter(|node| !is_contents(node)) {
        let Some(path) = attribute(item, "href").map(|href| zip::resolve_path(folder, href)) else { continue };
        match parts.remove(&path) {
            Some(chapter) => chapters.push((path, charset::decode_html(&chapter)?)),
            // A chapter in another format, which is no picture.
            None if attribute(item, "media-type").is_some_and(|kind| !kind.starts_with("image/") && !is_read(kind)) => {
                *omissions.entry(Omission::EmbeddedObjects).or_default() += 1;
            }
            None => {}
        }
    }
    let mut sheets = Sheets::default();
    for (path, sheet) in parts {
        if path.to_ascii_lowercase().ends_with(".css") {
            sheets.add(path, &String::from_utf8_lossy(&sheet));
        }
    }
    let notes = Notes::find(&chapters);
    let mut sections = Vec::new();
    for (path, chapter) in &chapters {
        let read = chapter::read(path, chapter, &notes, &sheets);
        for (kind, count) in read.omissions {
            *omissions.entry(kind).or_default() += count;
        }
        sections.extend(read.sections.into_iter().map(|mut section| {
            if section.heading_path.is_empty() {
                section.heading_path.extend(read.title.clone());
            }
            // No link can lead to a place within a book.
            section.anchor = None;
            section
        }));
    }
    let title = package.descendants().find(|node| is(*node, "title")).and_then(plain);
    Ok(Content { omissions, ..(title, sections).into() })
}

/// Whether chapters of this media type are read.
fn is_read(media_type: &str) -> bool {
    media_type.ends_with("html") || media_type.ends_with("xml")
}
