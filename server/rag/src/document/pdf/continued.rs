//! Paragraphs and tables that go on in the next column or on the next page.

use std::collections::HashMap;

use super::{
    grid::Grid,
    join,
    lines::ends_sentence,
    paragraphs::{Block, Paragraph},
};

/// Maximum blocks between the parts of a table on two pages.
const MAX_BETWEEN: usize = 4;

/// A block with its page, from 1.
pub(super) type PageBlock = (u32, Block);

/// Joins a paragraph that goes on in the next column or on the next page.
pub(super) fn continue_paragraphs(blocks: &mut Vec<PageBlock>) {
    let mut whole: Vec<PageBlock> = Vec::with_capacity(blocks.len());
    for (page, block) in blocks.drain(..) {
        if let (Some((_, Block::Text(last))), Block::Text(next)) = (whole.last_mut(), &block)
            && next.begins_column
            && goes_on(last, next)
        {
            join(&mut last.text, &next.text);
            last.lines += next.lines;
            last.ends_wide = next.ends_wide;
            continue;
        }
        whole.push((page, block));
    }
    *blocks = whole;
}

/// Whether a sentence goes on: it has no end, and the next paragraph looks like its rest.
fn goes_on(last: &Paragraph, next: &Paragraph) -> bool {
    let is_alike = (last.size - next.size).abs() < 0.6 && last.is_bold == next.is_bold;
    let is_rest = next.text.starts_with(char::is_lowercase) || last.text.ends_with([',', '-', '\u{ad}']);
    is_alike
        && !ends_sentence(&last.text)
        && !next.is_item
        && (is_rest || last.ends_wide && last.lines > 1 && next.lines > 1)
}

/// The page of a table, the names of its columns, and their places.
type Header = (u32, Vec<String>, Vec<(f32, f32)>);

/// Gives a table that goes on over a page the header of its beginning.
pub(super) fn continue_tables(blocks: &mut Vec<PageBlock>) {
    let mut header: Option<Header> = None;
    let mut names_of_tables: HashMap<u32, Vec<String>> = HashMap::new();
    let mut repetitions = Vec::new();
    for at in 0..blocks.len() {
        let (above, own) = blocks.split_at_mut(at);
        let (page, Block::Table(grid)) = &mut own[0] else {
            header = None;
            continue;
        };
        let last = above.iter_mut().rev().take(MAX_BETWEEN).find_map(|(last, block)| match block {
            Block::Table(above) if *last + 1 == *page => Some(above),
            _ => None,
        });
        if let Some(above) = last {
            join_row(above, grid);
        }
        // The tags say where a table begins.
        let is_begun = grid.has_header && grid.part.is_some_and(|part| part.first == 0);
        let is_next = |header: &&Header| !is_begun && header.0 + 1 == *page && are_alike(&header.2, &grid.columns);
        let names_of_first_part =
            grid.part.filter(|part| part.first > 0).and_then(|part| names_of_tables.get(&part.table));
        let names_of_first_part = names_of_first_part.filter(|names| names.len() == grid.columns.len());
        if let Some(names) = names_of_first_part.or(header.as_ref().filter(is_next).map(|(_, names, _)| names)) {
            // A program may show the names again without tags.
            let is_again = |(_, block): &&PageBlock| matches!(block, Block::Text(text) if text.text == names.join(" "));
            repetitions.extend(above.last().filter(is_again).map(|_| at - 1));
            if grid.rows.first() != Some(names) {
                grid.rows.insert(0, names.clone());
            }
            grid.has_header = true;
        }
        let names = grid.rows.first().filter(|_| grid.has_header);
        names_of_tables.extend(grid.part.zip(names).map(|(part, names)| (part.table, names.clone())));
        header = names.map(|names| (*page, names.clone(), grid.columns.clone()));
    }
    let mut at = 0..;
    blocks.retain(|_| at.next().is_none_or(|at| repetitions.binary_search(&at).is_err()));
}

/// Moves the rest of a row that goes on over a page to its beginning.
fn join_row(above: &mut Grid, grid: &mut Grid) {
    let (Some(begin), Some(rest)) = (above.part, grid.part) else { return };
    let last = above.rows.last_mut().filter(|last| last.len() == grid.columns.len());
    if let Some(last) = last.filter(|_| begin.table == rest.table && begin.last == rest.first && !grid.rows.is_empty())
    {
        let texts = grid.rows.remove(0);
        last.iter_mut().zip(texts).filter(|(_, text)| !text.is_empty()).for_each(|(cell, text)| join(cell, &text));
    }
}

/// Whether columns stand at the same places.
fn are_alike(one: &[(f32, f32)], other: &[(f32, f32)]) -> bool {
    let is_empty = |column: &(f32, f32)| column.0 > column.1;
    let is_one = |(one, other): (&(f32, f32), &(f32, f32))| {
        is_empty(one) || is_empty(other) || one.0 < other.1 && other.0 < one.1
    };
    one.len() == other.len() && one.iter().zip(other).all(is_one)
}
