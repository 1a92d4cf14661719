//! Splits a text into pieces that are never split further: sentences, list items, lines of code, rows of a table.

use super::estimate_tokens;
use crate::block::{Block, blocks, sentences};

/// A piece and how it joins the one before it.
pub(super) struct Piece {
    /// The text; at most the limit's tokens.
    pub(super) text: String,
    /// Whether it belongs to the same block as the piece before.
    pub(super) continues: bool,
    /// The separator between the two if it does.
    pub(super) joint: &'static str,
}

/// The pieces of `text`, each of at most `limit` tokens: whole blocks where they are small enough.
pub(super) fn pieces(text: &str, limit: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for block in blocks(text) {
        let text = block.text();
        if estimate_tokens(text) <= limit / 2 {
            pieces.push(Piece { text: text.to_owned(), continues: false, joint: "" });
            continue;
        }
        match block {
            Block::Paragraph(_) | Block::Heading(_) => split_prose(text, limit, &mut pieces),
            Block::List(_) => split_list(text, limit, &mut pieces),
            Block::Code(_) => split_code(text, limit, &mut pieces),
            Block::Table(_) => split_table(text, limit, &mut pieces),
        }
    }
    pieces
}

fn split_prose(text: &str, limit: usize, pieces: &mut Vec<Piece>) {
    let parts = sentences(text).into_iter().flat_map(|sentence| bounded(sentence, limit));
    for (number, text) in parts.enumerate() {
        pieces.push(Piece { text, continues: number > 0, joint: " " });
    }
}

fn split_list(text: &str, limit: usize, pieces: &mut Vec<Piece>) {
    let parts = text.lines().flat_map(|line| bounded(line, limit));
    for (number, text) in parts.enumerate() {
        pieces.push(Piece { text, continues: number > 0, joint: "\n" });
    }
}

/// Code that fits stays whole; longer code is cut between lines, each part in its own fences.
fn split_code(text: &str, limit: usize, pieces: &mut Vec<Piece>) {
    if estimate_tokens(text) <= limit {
        pieces.push(Piece { text: text.to_owned(), continues: false, joint: "" });
        return;
    }
    let fence: String = text.chars().take_while(|c| *c == '`').collect();
    let room = limit.saturating_sub(2 * fence.len()).max(1);
    let body = text.lines().skip(1).filter(|line| line.trim_end() != fence);
    for part in grouped(body.flat_map(|line| bounded(line, room)), room) {
        pieces.push(Piece { text: format!("{fence}\n{part}\n{fence}"), continues: false, joint: "" });
    }
}

/// A table that fits stays whole; a longer one is cut between rows, each part under the header.
fn split_table(text: &str, limit: usize, pieces: &mut Vec<Piece>) {
    let header: Vec<&str> = text.lines().take(2).collect();
    let head = header.join("\n");
    let cost = estimate_tokens(&head);
    if estimate_tokens(text) <= limit || cost > limit / 2 {
        return match estimate_tokens(text) <= limit {
            true => pieces.push(Piece { text: text.to_owned(), continues: false, joint: "" }),
            false => split_list(text, limit, pieces),
        };
    }
    let room = limit - cost;
    for part in grouped(text.lines().skip(2).flat_map(|row| bounded(row, room)), room) {
        pieces.push(Piece { text: format!("{head}\n{part}"), continues: false, joint: "" });
    }
}

/// Joins lines as long as they fit.
fn grouped(lines: impl Iterator<Item = String>, limit: usize) -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    let mut size = 0;
    for line in lines {
        let cost = estimate_tokens(&line);
        match groups.last_mut() {
            Some(group) if size + cost <= limit => {
                group.push('\n');
                group.push_str(&line);
                size += cost;
            }
            _ => {
                groups.push(line);
                size = cost;
            }
        }
    }
    groups
}

/// `text` whole, or cut between words, or inside a word that alone is too long.
fn bounded(text: &str, limit: usize) -> Vec<String> {
    if estimate_tokens(text) <= limit {
        return vec![text.to_owned()];
    }
    let (mut parts, mut current, mut size) = (Vec::new(), String::new(), 0);
    for word in text.split_inclusive(' ').flat_map(|word| fragments(word, limit)) {
        let cost = estimate_tokens(word);
        if size + cost > limit && !current.is_empty() {
            parts.push(std::mem::take(&mut current).trim_end().to_owned());
            size = 0;
        }
        current.push_str(word);
        size += cost;
    }
    parts.push(current.trim_end().to_owned());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A word in parts that fit, cut at character borders.
fn fragments(word: &str, limit: usize) -> Vec<&str> {
    if estimate_tokens(word) <= limit {
        return vec![word];
    }
    let (mut parts, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let end = rest.char_indices().nth(limit).map_or(rest.len(), |(at, _)| at);
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}
