//! Markdown of this project's documentation to HTML. Headings get the fragments that links in the files use.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// The content of a page.
pub(super) fn to_html(markdown: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut fragment_counts = HashMap::new();
    for position in 0..events.len() {
        match &events[position] {
            Event::Start(Tag::Heading { .. }) => {
                let fragment = fragment(&events[position + 1..], &mut fragment_counts);
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[position] {
                    *id = Some(fragment.into());
                }
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let address = address(dest_url);
                if let Event::Start(Tag::Link { dest_url, .. }) = &mut events[position] {
                    *dest_url = CowStr::from(address);
                }
            }
            _ => {}
        }
    }
    // Wide tables scroll by themselves.
    let framed = events.into_iter().flat_map(|event| match event {
        Event::Start(Tag::Table(_)) => vec![Event::Html("<div class=\"docs__table\" tabindex=\"0\">".into()), event],
        Event::End(TagEnd::Table) => vec![event, Event::Html("</div>".into())],
        _ => vec![event],
    });
    let mut content = String::new();
    html::push_html(&mut content, framed);
    content
}

/// The fragment of a heading: its words in lower case with hyphens, and a number when another heading has the same.
fn fragment(after: &[Event<'_>], fragment_counts: &mut HashMap<String, usize>) -> String {
    let inner = after.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let text: String = inner
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        })
        .collect();
    let is_kept = |mark: &char| mark.is_alphanumeric() || matches!(mark, ' ' | '-' | '_');
    let fragment: String = text.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-");
    let before = fragment_counts.entry(fragment.clone()).or_default();
    *before += 1;
    if *before == 1 { fragment } else { format!("{fragment}-{}", *before - 1) }
}

/// The address of a link: other pages are below `/docs/`, other files of the repository only have a name there.
fn address(link: &str) -> String {
    let (path, fragment) = link.split_once('#').map_or((link, ""), |(path, fragment)| (path, fragment));
    let hash = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    match path.strip_suffix(".md") {
        Some(page) if !page.contains('/') && !page.is_empty() => format!("/docs/{page}{hash}"),
        _ if path == "openapi.json" => "/openapi.json".to_owned(),
        _ => link.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_fragments_that_links_use() {
        let html = to_html("# Widget\n\n## If it `fails`: what?\n\n## Again\n\n## Again\n");
        for id in ["widget", "if-it-fails-what", "again", "again-1"] {
            assert!(html.contains(&format!("id=\"{id}\"")), "{html}");
        }
    }

    #[test]
    fn links_between_files_become_addresses() {
        assert_eq!(address("api.md#errors"), "/docs/api#errors");
        assert_eq!(address("openapi.json"), "/openapi.json");
        assert_eq!(address("#errors"), "#errors");
        assert_eq!(address("https://example.com/a.md"), "https://example.com/a.md");
    }
}
