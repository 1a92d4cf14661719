//! Blocks: paragraphs, headings, lists, quotes, fenced code and rules, parsed line by line.

use super::inline::parse_inline;
use super::scan::parse_decimal;
use super::{Block, MAX_DEPTH};

/// Parses a whole answer. Never fails: what is not understood stays text.
pub fn parse(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    parse_lines(&lines, 0)
}

fn parse_lines(lines: &[&str], depth: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let used = if first.trim().is_empty() { 1 } else { take_block(rest, depth, &mut blocks) };
        rest = rest.get(used..).unwrap_or_default();
    }
    blocks
}

/// Reads one block from the head of `lines` and returns how many lines it took, at least one.
fn take_block(lines: &[&str], depth: usize, blocks: &mut Vec<Block>) -> usize {
    let line = lines.first().map_or("", |line| line.trim_start());
    if let Some(fence) = fence_of(line) {
        return take_code(lines, fence, blocks);
    }
    if let Some(title) = heading_of(line) {
        blocks.push(Block::Heading(parse_inline(title)));
        return 1;
    }
    if is_rule(line) {
        blocks.push(Block::Rule);
        return 1;
    }
    if depth < MAX_DEPTH && line.starts_with('>') {
        return take_quote(lines, depth, blocks);
    }
    if depth < MAX_DEPTH && item_of(line).is_some() {
        return take_list(lines, depth, blocks);
    }
    take_paragraph(lines, depth, blocks)
}

fn take_code(lines: &[&str], fence: &str, blocks: &mut Vec<Block>) -> usize {
    let inside = lines.iter().skip(1).take_while(|line| !line.trim().starts_with(fence));
    let code: Vec<&str> = inside.copied().collect();
    blocks.push(Block::Code(code.join("\n")));
    code.len() + 2
}

fn take_quote(lines: &[&str], depth: usize, blocks: &mut Vec<Block>) -> usize {
    let quoted = lines.iter().map_while(|line| line.trim_start().strip_prefix('>'));
    let inside: Vec<&str> = quoted.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    blocks.push(Block::Quote(parse_lines(&inside, depth + 1)));
    inside.len()
}

fn take_paragraph(lines: &[&str], depth: usize, blocks: &mut Vec<Block>) -> usize {
    let rest = lines.iter().skip(1).take_while(|line| !line.trim().is_empty() && !interrupts(line.trim_start(), depth));
    let count = 1 + rest.count();
    let text: Vec<&str> = lines.iter().take(count).map(|line| line.trim_start()).collect();
    blocks.push(Block::Paragraph(parse_inline(text.join("\n").trim_end())));
    count
}

/// Whether a line ends the paragraph above it. Only a list that starts at 1 does, so that "in\n1998. It" stays prose.
fn interrupts(line: &str, depth: usize) -> bool {
    let nests = line.starts_with('>') || item_of(line).is_some_and(|item| item.number.is_none_or(|number| number == 1));
    fence_of(line).is_some() || heading_of(line).is_some() || is_rule(line) || (depth < MAX_DEPTH && nests)
}

struct Item<'a> {
    number: Option<u32>,
    /// Columns from the start of the (trimmed) line to the item's text.
    width: usize,
    text: &'a str,
}

/// Collects the items of one list; lines indented under an item belong to it.
fn take_list(lines: &[&str], depth: usize, blocks: &mut Vec<Block>) -> usize {
    let ordered = lines.first().and_then(|line| item_of(line.trim_start())).and_then(|item| item.number);
    let base = lines.first().map_or(0, |line| indent(line));
    let mut items: Vec<Vec<&str>> = Vec::new();
    let mut content = 0;
    let mut used = 0;
    let mut gap = false;
    for line in lines {
        let here = indent(line);
        let blank = line.trim().is_empty();
        let item =
            item_of(line.trim_start()).filter(|item| here < base + 2 && item.number.is_some() == ordered.is_some());
        if blank {
            used += 1;
            gap = true;
            continue;
        }
        if let Some(item) = item {
            content = here + item.width;
            items.push(vec![item.text]);
        } else if here > base && (here >= content.min(base + 2)) {
            push_continued(&mut items, gap, line.get(content.min(here)..).unwrap_or_default());
        } else if gap || interrupts(line.trim_start(), 0) {
            break;
        } else {
            push_continued(&mut items, false, line.trim_start());
        }
        used += 1;
        gap = false;
    }
    let items = items.iter().map(|lines| parse_lines(lines, depth + 1)).collect();
    blocks.push(Block::List { start: ordered, items });
    used.max(1)
}

fn push_continued<'a>(items: &mut [Vec<&'a str>], gap: bool, line: &'a str) {
    if let Some(item) = items.last_mut() {
        if gap {
            item.push("");
        }
        item.push(line);
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// `- text`, `* text`, `+ text`, `1. text`, `1) text`.
fn item_of(line: &str) -> Option<Item<'_>> {
    if let Some(text) = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)) {
        return Some(Item { number: None, width: 2, text });
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 9 {
        return None;
    }
    let (number, rest) = line.split_at_checked(digits)?;
    let text = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
    Some(Item { number: parse_decimal(number), width: digits + 2, text })
}

fn heading_of(line: &str) -> Option<&str> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line.get(level..)?.strip_prefix(' ')?;
    (1..=6).contains(&level).then(|| title.trim().trim_end_matches('#').trim_end())
}

/// The fence that a line opens. One with backticks after other text, such as "```ls``` lists files", is code within the line.
pub(super) fn fence_of(line: &str) -> Option<&'static str> {
    let fence = ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence))?;
    let ends = fence == "```" && line.bytes().skip_while(|byte| *byte == b'`').any(|byte| byte == b'`');
    (!ends).then_some(fence)
}

fn is_rule(line: &str) -> bool {
    let marks = line.bytes().filter(|byte| *byte != b' ');
    let first = line.as_bytes().first().copied().unwrap_or_default();
    matches!(first, b'-' | b'*' | b'_') && marks.clone().count() >= 3 && marks.clone().all(|byte| byte == first)
}

#[cfg(test)]
mod tests {
    use super::super::Inline;
    use super::*;

    fn text(text: &str) -> Vec<Inline> {
        vec![Inline::Text(text.to_owned())]
    }

    fn paragraph(content: &str) -> Block {
        Block::Paragraph(text(content))
    }

    #[test]
    fn paragraphs_are_parted_by_blank_lines_and_wrapped_lines_join() {
        assert_eq!(parse("one\ntwo\n\n\nthree"), [paragraph("one\ntwo"), paragraph("three")]);
        assert_eq!(parse(""), []);
    }

    #[test]
    fn headings_rules_and_quotes_are_recognised() {
        let blocks = parse("## Title ##\n---\n> quoted\n> more\nafter");
        let quote = Block::Quote(vec![paragraph("quoted\nmore")]);
        assert_eq!(blocks, [Block::Heading(text("Title")), Block::Rule, quote, paragraph("after")]);
        assert_eq!(parse("#hashtag"), [paragraph("#hashtag")]);
    }

    #[test]
    fn code_keeps_its_lines_and_an_open_fence_runs_to_the_end() {
        let code = Block::Code("a <b>\n  *c*".to_owned());
        assert_eq!(parse("```sh\na <b>\n  *c*\n```\nx"), [code, paragraph("x")]);
        assert_eq!(parse("```\nopen"), [Block::Code("open".to_owned())]);
    }

    #[test]
    fn three_backticks_that_end_in_their_line_open_no_block() {
        let mut line = vec![Inline::Code("ls".to_owned())];
        line.extend(text(" lists files."));
        assert_eq!(parse("```ls``` lists files.\n\nend"), [Block::Paragraph(line), paragraph("end")]);
        assert_eq!(parse("````sh\na\n````"), [Block::Code("a".to_owned())]);
    }

    #[test]
    fn lists_nest_and_keep_their_first_number() {
        let inner = Block::List { start: None, items: vec![vec![paragraph("b")], vec![paragraph("c")]] };
        let outer = Block::List { start: Some(3), items: vec![vec![paragraph("a"), inner], vec![paragraph("d")]] };
        assert_eq!(parse("3. a\n   - b\n   - c\n4. d"), [outer]);
    }

    #[test]
    fn an_item_may_have_a_second_paragraph_and_a_wrapped_line() {
        let items = vec![vec![paragraph("a\nwrapped"), paragraph("second")], vec![paragraph("b")]];
        assert_eq!(
            parse("- a\nwrapped\n\n  second\n- b\n\nend"),
            [Block::List { start: None, items }, paragraph("end")]
        );
    }

    #[test]
    fn a_year_at_the_start_of_a_wrapped_line_is_no_list() {
        assert_eq!(parse("founded in\n1993. It grew"), [paragraph("founded in\n1993. It grew")]);
    }

    #[test]
    fn deep_nesting_stays_bounded() {
        let deep = ">".repeat(5_000);
        assert_eq!(parse(&deep).len(), 1);
        let list: String = (0..200).map(|n| [&" ".repeat(n * 2), "- x\n"].concat()).collect();
        assert!(!parse(&list).is_empty());
    }

    #[test]
    fn any_text_is_parsed_without_panicking() {
        for odd in [
            "\u{0}",
            "- ",
            "1.",
            "#",
            "```",
            "> ",
            "é\n  é",
            "*",
            "- é\n é",
            "\t- a",
            "[",
            "![",
            "`",
            "[1",
            "[](",
            "---",
        ] {
            let _ = parse(odd);
            let _ = parse(&[odd, "\n", odd, "\n\n  ", odd].concat());
        }
    }
}
