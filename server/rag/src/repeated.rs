//! Finds text that repeats word for word on the HTML pages of a source, such as cookie notices, newsletter forms and
//! "Was this page helpful?". A page is compared with pages that were stored before it. So the first pages keep such a
//! text, and a question about it still has an answer.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::{
    block::{Block, blocks},
    chunk::announces,
    document::{Document, Layout, Section, has_contact},
};

/// Maximum pages that a page is compared with.
pub const COMPARED_PAGES: i64 = 20;
/// Pages that must have a block before another page leaves it out.
const MIN_PAGES: usize = 4;
/// Maximum hashes of a page. A page with more is a whole book and says little about other pages.
const MAX_HASHES: usize = 1_000;

/// The hashes of the headings, paragraphs and lists of an HTML page, sorted. Other documents and very long pages have
/// none.
pub fn hashes(document: &Document) -> Vec<i64> {
    if document.layout != Layout::WebPage {
        return Vec::new();
    }
    let mut hashes: Vec<i64> = Vec::new();
    if let Some(contact) = contact(document) {
        hashes.push(contact_hash(contact));
    }
    for section in &document.sections {
        hashes.extend(heading_hash(section));
        hashes.extend(blocks(&section.text).iter().filter_map(block_hash));
    }
    hashes.sort_unstable();
    hashes.dedup();
    if hashes.len() > MAX_HASHES { Vec::new() } else { hashes }
}

/// The hashes that at least four pages and three quarters of the pages have. One page is enough for the contact data of the
/// site.
pub fn on_most(pages: &[Vec<i64>]) -> HashSet<i64> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for hash in pages.iter().flatten() {
        *counts.entry(*hash).or_default() += 1;
    }
    let enough = MIN_PAGES.max((pages.len() * 3).div_ceil(4));
    counts.into_iter().filter(|(hash, count)| *count >= enough || *hash < 0).map(|(hash, _)| hash).collect()
}

/// The page without its repeated blocks, and the number of these. `None` when it has none, and when it has nothing else.
pub fn leave_out(page: &Document, repeated: &HashSet<i64>) -> Option<(Document, usize)> {
    if repeated.is_empty() {
        return None;
    }
    let title = page.sections.iter().find_map(|section| section.heading_path.first());
    // Under a heading that only this page has, such as a question, a repeated text is an answer.
    let is_answer = |section: &Section| {
        let is_below_title = section.heading_path.len() == 1 && section.heading_path.first() == title;
        !is_below_title && heading_hash(section).is_some_and(|hash| !repeated.contains(&hash))
    };
    let (mut sections, mut left_out) = (Vec::new(), 0);
    let contact = contact(page).filter(|contact| repeated.contains(&contact_hash(contact)));
    for section in &page.sections {
        if contact.is_some_and(|contact| std::ptr::eq(contact, section)) {
            left_out += 1;
            continue;
        }
        let (text, count) = own_text(&section.text, repeated);
        if count == 0 || (text.is_empty() && is_answer(section)) {
            sections.push(section.clone());
            continue;
        }
        left_out += count;
        if !text.is_empty() {
            sections.push(Section { text, ..section.clone() });
        }
    }
    let is_other = left_out > 0 && !sections.is_empty();
    is_other.then(|| (Document { sections, ..page.clone() }, left_out))
}

/// The text without its repeated blocks, and the number of these. A line that announces the next block stays with it, and
/// so does a block below an announcement that only this page has.
fn own_text(text: &str, repeated: &HashSet<i64>) -> (String, usize) {
    let all = blocks(text);
    let is_repeated = |block: &Block<'_>| block_hash(block).is_some_and(|hash| repeated.contains(&hash));
    let is_own_announcement = |block: &Block<'_>| !is_repeated(block) && block.text().trim_end().ends_with(':');
    let mut own_blocks = Vec::new();
    let mut is_next_own = false;
    for (at, block) in all.iter().enumerate().rev() {
        let is_announced = at > 0 && is_own_announcement(&all[at - 1]);
        is_next_own = !is_repeated(block) || is_announced || (is_next_own && announces(block.text()));
        if is_next_own {
            own_blocks.push(block.text());
        }
    }
    own_blocks.reverse();
    (own_blocks.join("\n\n"), all.len() - own_blocks.len())
}

/// The hash of a block that may be left out. Code and tables stay: a command repeats in many instructions.
fn block_hash(block: &Block<'_>) -> Option<i64> {
    match block {
        Block::Paragraph(text) | Block::List(text) => Some(hash(text)),
        Block::Code(_) | Block::Table(_) | Block::Heading(_) => None,
    }
}

fn heading_hash(section: &Section) -> Option<i64> {
    section.heading_path.last().map(|heading| hash(&format!("# {heading}")))
}

/// The last section of a page, if the reader of HTML has made it of the contact data around the page's text: a list without
/// a heading.
fn contact(page: &Document) -> Option<&Section> {
    let contact = page.sections.last().filter(|last| page.sections.len() > 1 && last.heading_path.is_empty())?;
    let is_list = matches!(blocks(&contact.text)[..], [Block::List(_)]);
    (is_list && has_contact(&contact.text)).then_some(contact)
}

/// The hash of contact data, below 0. All others are not.
fn contact_hash(contact: &Section) -> i64 {
    hash(&contact.text) | i64::MIN
}

fn hash(text: &str) -> i64 {
    let mut first = [0; 8];
    first.copy_from_slice(&Sha256::digest(text.as_bytes())[..8]);
    i64::from_be_bytes(first) & i64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::web_page::read_page;

    fn page(body: &str) -> Document {
        let html = format!("<title>Shop</title><body><main>{body}</main></body>");
        read_page("https://example.com/a", html.as_bytes(), None).unwrap().document.unwrap()
    }

    fn text(document: &Document) -> String {
        document.sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n\n")
    }

    /// What is left out of a page after four pages of this kind.
    fn after_four(other: impl Fn(usize) -> String, body: &str) -> Option<(Document, usize)> {
        let pages: Vec<Vec<i64>> = (0..4).map(|number| hashes(&page(&other(number)))).collect();
        leave_out(&page(body), &on_most(&pages))
    }

    #[test]
    fn repeated_blocks_stay_on_the_first_four_pages() {
        let body = |number: usize| {
            format!(
                "<h1>Model {number}</h1><div><p>We use cookies on this site.</p></div>\
                 <p>Model {number} weighs {number} kilograms.</p><ul><li>Help desk</li><li>Call 555</li></ul>\
                 <h2>Newsletter</h2><p>News by mail, once a month.</p>"
            )
        };
        let mut earlier_pages: Vec<Vec<i64>> = Vec::new();
        for number in 0..7 {
            let page = page(&body(number));
            let own = leave_out(&page, &on_most(&earlier_pages));
            earlier_pages.push(hashes(&page));
            let Some((own, left_out)) = own else {
                assert!(number < 4, "page {number}");
                continue;
            };
            assert_eq!((number >= 4, left_out), (true, 3), "page {number}");
            assert_eq!(text(&own), format!("Model {number} weighs {number} kilograms."));
            assert_eq!(own.content_hash, page.content_hash);
        }
    }

    #[test]
    fn contact_data_around_the_text_stays_on_the_first_page() {
        let page = |number: usize| {
            let html = format!("<title>Shop</title><body><main><h1>Model {number}</h1><p>It weighs {number} kilograms, packed in a box.</p></main>
                <footer><p>Harbour shop, phone 040 123 45 67</p></footer></body>");
            read_page("https://example.com/a", html.as_bytes(), None).unwrap().document.unwrap()
        };
        let first = page(1);
        assert_eq!(leave_out(&first, &on_most(&[])), None);
        assert!(text(&first).ends_with("- Harbour shop, phone 040 123 45 67"));
        let (second, left_out) = leave_out(&page(2), &on_most(&[hashes(&first)])).unwrap();
        assert_eq!((text(&second).as_str(), left_out), ("It weighs 2 kilograms, packed in a box.", 1));
    }

    #[test]
    fn a_page_of_nothing_else_stays_as_it_is() {
        let body = "<h1>Cookies</h1><p>We use cookies on this site.</p><p>They expire after a year.</p>";
        assert_eq!(after_four(|_| body.to_owned(), body), None);
    }

    #[test]
    fn a_repeated_answer_stays_below_its_question() {
        let body = |question: &str| {
            format!(
                "<h1>Help {question}</h1><p>About {question}.</p><h2>Is {question} covered?</h2><p>For two years.</p>"
            )
        };
        assert_eq!(after_four(|number| body(&format!("part {number}")), &body("the door")), None);
    }

    #[test]
    fn a_repeated_list_stays_below_its_own_announcement() {
        let body = |tool: &str| {
            format!(
                "<h1>With a {tool}</h1><p>About the {tool}.</p><p>For the {tool} you need:</p>\
                 <ul><li>gloves</li><li>goggles</li></ul>"
            )
        };
        assert_eq!(after_four(|number| body(&format!("tool {number}")), &body("saw")), None);
        let other = |number: usize| {
            format!("<h1>Part {number}</h1><p>Part {number}.</p><ul><li>gloves</li><li>goggles</li></ul>")
        };
        let (_, left_out) = after_four(other, &other(9)).unwrap();
        assert_eq!(left_out, 1, "without an announcement it does not");
    }

    #[test]
    fn announcements_code_and_tables_stay() {
        let body = |tool: &str| {
            format!(
                "<h1>With a {tool}</h1><p>You need:</p><ul><li>a {tool}</li></ul><pre>make</pre>\
                 <table><tr><th>Size</th><th>Price</th></tr><tr><td>1</td><td>2</td></tr></table>"
            )
        };
        assert_eq!(after_four(|number| body(&format!("tool {number}")), &body("saw")), None);
    }

    #[test]
    fn a_block_of_fewer_than_three_quarters_stays() {
        let pages = |having: usize| (0..20).map(|at| vec![i64::from(at < having)]).collect::<Vec<_>>();
        assert_eq!(on_most(&pages(14)), HashSet::new());
        assert_eq!(on_most(&pages(15)), HashSet::from([1]));
        assert_eq!(on_most(&[vec![1], vec![1], vec![1]]), HashSet::new());
    }

    #[test]
    fn only_html_pages_have_hashes() {
        let read = page("<h1>Facts</h1><p>The tower is tall.</p>");
        assert_eq!(hashes(&read).len(), 2);
        assert_eq!(hashes(&Document { layout: Layout::Text, ..read }), [0; 0]);
    }
}
