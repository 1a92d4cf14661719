//! EPUB to sections: the chapters in reading order, each read as HTML.

use roxmltree::Node;

use super::{
    Section, Unreadable, charset, html,
    xml::{Format, attribute, is, plain},
    zip,
};

const FORMAT: Format = Format("EPUB");
/// Maximum bytes of one part.
const MAX_PART: u64 = 64 * 1024 * 1024;
/// Elements that HTML reads up to their closing tag, and that XHTML may leave without one: `<title/>`.
const UP_TO_CLOSING_TAG: [&str; 3] = ["title", "script", "style"];

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<(Option<String>, Vec<Section>), Unreadable> {
    let is_wanted = |path: &str| {
        let is_of = |extension: &str| path.to_ascii_lowercase().ends_with(extension);
        path.starts_with("META-INF/") || [".opf", ".xhtml", ".html", ".htm", ".xml"].into_iter().any(is_of)
    };
    let mut parts = zip::wanted(bytes, is_wanted, MAX_PART)?;
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
        package.descendants().find(is_it).and_then(|node| attribute(node, "href"))
    };
    let chapters =
        package.descendants().filter(|node| is(*node, "itemref") && attribute(*node, "linear") != Some("no"));
    let mut sections = Vec::new();
    for href in chapters.filter_map(|chapter| attribute(chapter, "idref")).filter_map(item) {
        let Some(chapter) = parts.remove(&joined(folder, href)) else { continue };
        let (title, read) = html::read(&with_closing_tags(&charset::decode_html(&chapter)?));
        sections.extend(read.into_iter().map(|mut section| {
            if section.heading_path.is_empty() {
                section.heading_path.extend(title.clone());
            }
            // No link can lead to a place within a book.
            section.anchor = None;
            section
        }));
    }
    let title = package.descendants().find(|node| is(*node, "title")).and_then(plain);
    Ok((title, sections))
}

/// The chapter with a closing tag behind each empty element that would otherwise swallow the text after it.
fn with_closing_tags(chapter: &str) -> String {
    let mut text = String::with_capacity(chapter.len());
    let mut rest = chapter;
    while let Some(end) = rest.find("/>") {
        let start = rest[..end].rfind('<').unwrap_or(end);
        let tag = rest[start..end].trim_start_matches('<');
        let name = tag.split(char::is_whitespace).next().unwrap_or_default();
        if !tag.contains('>') && UP_TO_CLOSING_TAG.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            text.push_str(&format!("{}></{name}>", &rest[..end]));
        } else {
            text.push_str(&rest[..end + 2]);
        }
        rest = &rest[end + 2..];
    }
    text + rest
}

/// Resolves the path of a part that is referenced from `folder`.
fn joined(folder: &str, href: &str) -> String {
    let href = href.split('#').next().unwrap_or(href);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    unescaped(&parts.join("/"))
}

/// Decodes the percent-escaped bytes of a path.
fn unescaped(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_parts_begin_at_the_root() {
        assert_eq!(joined("OEBPS/text", "../a%20b.xhtml#x"), "OEBPS/a b.xhtml");
        assert_eq!(joined("", "c/%zz.html"), "c/%zz.html");
    }

    #[test]
    fn an_empty_element_swallows_no_text() {
        let chapter = with_closing_tags(
            r#"<html><head><title/><script type="a/b" src="a.js" /><STYLE/></head><body><p>One.<br/></p><p>Two.</p></body></html>"#,
        );
        let (title, sections) = html::read(&chapter);
        assert_eq!((title, sections[0].text.as_str()), (None, "One.\n\nTwo."));
        for unchanged in ["/>", "a />", "<br/><titles/><a title='x'/>", "<style id='x'>a/></style>"] {
            assert_eq!(with_closing_tags(unchanged), unchanged);
        }
    }
}
