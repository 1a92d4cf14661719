//! Glyphs to words, words to pieces of lines, and pieces to rows.

use super::{
    glyphs::{Glyph, Group, MIDDLE, Rule},
    grid::Grid,
    scripts,
    tags::Role,
};

/// A gap of this share of the size separates two words.
const WORD: f32 = 0.15;
/// Wider gaps than this are no spacing of letters.
const WIDEST_SPACING: f32 = 0.35;
/// A jump of this many sizes ends a run of glyphs.
const JUMP: f32 = 1.0;
/// Glyphs of a run from which on wide gaps are taken for the spacing of its letters.
const SPACED: usize = 5;
/// A gap of so many sizes parts two pieces of a line. A smaller one is enough if they were not drawn one after the other.
const GAP: f32 = 1.1;
const GAP_OF_OTHERS: f32 = 0.6;
/// Maximum glyphs or words at one place that are compared.
const MAX_NEAR: usize = 64;
/// Maximum glyphs of the mark of a note or a power, and of words above and below it that are searched for its own.
const MAX_MARK: usize = 3;
const MAX_NEAR_LINES: usize = 64;
/// A mark is smaller than this share of its word's size, and at most so many of its sizes above or below its line.
const SMALL: f32 = 0.85;
const HIGHEST_RAISED: f32 = 0.65;
/// Baselines closer than this share of the size are the same.
const SAME_BASELINE: f32 = 0.05;
/// A mark that was drawn apart is this share of its size above or below the line.
const LEAST_RAISED: f32 = 0.25;
/// Baselines closer than this share of the size are one line.
const SAME_LINE: f32 = 0.35;

/// A word with its box.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) glyphs: Vec<Glyph>,
    pub(super) x: f32,
    pub(super) end: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) is_bold: bool,
    /// Whether it stands above the line, such as the mark of a note.
    is_raised: bool,
    /// Whether a space or a gap was before it.
    after_space: bool,
    /// Whether a space was shown before it.
    is_spaced: bool,
    /// Its place in the order in which words are drawn.
    order: usize,
}

/// A gap between two words of a piece: its edges, and its place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) at: usize,
}

/// A piece of a line without a wide gap.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) x: f32,
    pub(super) end: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) is_bold: bool,
    pub(super) is_right_to_left: bool,
    /// Whether it is a name with its value, between which dots were.
    pub(super) is_entry: bool,
    /// The number and the level of the heading to which it belongs, as the tags say.
    pub(super) heading: Option<(u32, u8)>,
    /// The gaps between its words.
    pub(super) gaps: Vec<Gap>,
}

impl Piece {
    /// The middle of its letters along y.
    pub(super) fn middle(&self) -> f32 {
        self.y - MIDDLE * self.size
    }
}

/// The pieces on one baseline, from left to right.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) pieces: Vec<Piece>,
    /// Whether lines are drawn around it.
    pub(super) is_framed: bool,
    /// The table for which it stands.
    pub(super) grid: Option<Box<Grid>>,
}

impl Row {
    pub(super) fn y(&self) -> f32 {
        self.pieces.first().map_or(0.0, |piece| piece.y)
    }

    pub(super) fn size(&self) -> f32 {
        self.pieces.iter().map(|piece| piece.size).fold(0.0, f32::max)
    }

    /// The middle of its letters along y.
    pub(super) fn middle(&self) -> f32 {
        self.y() - MIDDLE * self.size()
    }

    pub(super) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// The rows of a group from top to bottom. In a sheet, the words of a cell have spaces between them.
pub(super) fn rows(group: &Group, is_sheet: bool) -> Vec<Row> {
    let mut words = words(&group.glyphs);
    words.sort_by(|one, other| one.y.total_cmp(&other.y));
    if attach_raised(&mut words) {
        words.sort_by(|one, other| one.y.total_cmp(&other.y));
    }
    let mut rows = Vec::new();
    let mut rest = words.as_mut_slice();
    while let Some(first) = rest.first() {
        let (y, size) = (first.y, first.size);
        let count = rest.iter().take_while(|word| word.y - y <= SAME_LINE * size.min(word.size)).count().max(1);
        let (line, further) = rest.split_at_mut(count);
        line.sort_by(|one, other| one.x.total_cmp(&other.x));
        let pieces = pieces(line, &group.rules, is_sheet);
        let is_framed = pieces.first().is_some_and(|piece| is_framed(piece, &group.rules));
        rows.push(Row { pieces, is_framed, grid: None });
        rest = further;
    }
    rows
}

/// Whether lines are drawn on all sides of a piece.
fn is_framed(piece: &Piece, rules: &[Rule]) -> bool {
    let over = |rule: &&Rule| rule.is_horizontal() && rule.x.0 <= piece.end && rule.x.1 >= piece.x;
    let sides = |rule: &&Rule| rule.is_vertical() && (rule.y.0..=rule.y.1).contains(&piece.middle());
    rules.iter().filter(sides).count() > 1
        && rules.iter().filter(over).any(|rule| rule.y.0 < piece.y - 0.5 * piece.size)
        && rules.iter().filter(over).any(|rule| rule.y.0 > piece.middle())
}

/// Words in the order in which they are drawn.
fn words(glyphs: &[Glyph]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = glyphs;
    while !rest.is_empty() {
        let follows = |pair: &[Glyph]| {
            let ([last, next], size) = ([pair[0], pair[1]], pair[0].size.max(pair[1].size));
            let gap = next.x - last.end;
            (next.y - last.y).abs() < SAME_BASELINE * size && gap < JUMP * size && gap > -0.5 * size
        };
        let length = 1 + rest.windows(2).take_while(|pair| follows(pair)).count();
        let (run, further) = rest.split_at(length);
        add_words(run, &mut words);
        rest = further;
    }
    words
}

/// Parts a run of glyphs on one baseline into words.
fn add_words(run: &[Glyph], words: &mut Vec<Word>) {
    let mut gaps: Vec<f32> = run.windows(2).map(|pair| (pair[1].x - pair[0].end) / pair[0].size.max(0.1)).collect();
    gaps.sort_by(f32::total_cmp);
    let spacing = gaps
        .get(gaps.len() / 4)
        .copied()
        .filter(|gap| run.len() >= SPACED && (0.1..WIDEST_SPACING).contains(gap))
        .unwrap_or(0.0);
    let mut first = true;
    for (at, glyph) in run.iter().enumerate() {
        let last = at.checked_sub(1).map(|last| run[last]);
        let parts = last
            .is_none_or(|last| glyph.after_space || glyph.x - last.end > (spacing + WORD) * glyph.size.min(last.size));
        if !parts && let Some(word) = words.last_mut() {
            word.end = word.end.max(glyph.end);
            word.size = word.size.max(glyph.size);
            word.glyphs.push(*glyph);
            continue;
        }
        let base = words.last().filter(|_| first).and_then(|last| base_of_mark(last, glyph));
        let (order, after_space) = (words.len(), glyph.after_space || !first);
        let Glyph { x, end, size, is_bold, .. } = *glyph;
        let (y, is_raised) = base.map_or((glyph.y, false), |(y, is_raised)| (y, is_raised));
        let is_spaced = glyph.after_space || is_raised;
        words.push(Word { glyphs: vec![*glyph], x, end, y, size, is_bold, is_raised, after_space, is_spaced, order });
        first = false;
    }
}

/// The baseline of a small glyph that stands a little above or below the word before it, and whether it is above.
fn base_of_mark(last: &Word, glyph: &Glyph) -> Option<(f32, bool)> {
    let (gap, up) = (glyph.x - last.end, last.y - glyph.y);
    let is_beside = glyph.size < SMALL * last.size && gap > -0.3 * last.size && gap < 0.4 * last.size;
    (is_beside && up.abs() > SAME_BASELINE * last.size && up.abs() < HIGHEST_RAISED * last.size)
        .then_some((last.y, up > 0.0))
}

/// Puts small marks and digits that were drawn apart from their words on the lines of those. Says whether there are any. The
/// words are ordered by y.
fn attach_raised(words: &mut [Word]) -> bool {
    let is_mark = |word: &Word| {
        word.glyphs.len() <= MAX_MARK
            && !word.is_raised
            && word.glyphs.iter().all(|glyph| !glyph.letter.is_alphabetic())
    };
    let mut marks = Vec::new();
    for at in (0..words.len()).filter(|at| is_mark(&words[*at])) {
        let (mark, first) = (&words[at], words[at].glyphs[0]);
        let near = words[..at].iter().rev().take(MAX_NEAR_LINES).chain(words[at + 1..].iter().take(MAX_NEAR_LINES));
        let is_beside =
            |word: &&Word| (word.y - mark.y).abs() < SAME_BASELINE * mark.size && (word.size - mark.size).abs() < 0.5;
        let is_followed =
            || near.clone().filter(is_beside).any(|word| (-0.1..1.0).contains(&((word.x - mark.end) / mark.size)));
        let before = near.clone().filter(|word| word.end <= mark.end).find_map(|word| base_of_mark(word, &first));
        let base = before.or_else(|| near.clone().find_map(|word| begins_note(mark, word)));
        let is_clear = |(y, _): &(f32, bool)| (y - mark.y).abs() > LEAST_RAISED * mark.size;
        if let Some(base) = base.filter(|base| is_clear(base) && !is_followed()) {
            marks.push((at, base));
        }
    }
    for (at, (y, is_raised)) in &marks {
        (words[*at].y, words[*at].is_raised) = (*y, *is_raised);
    }
    !marks.is_empty()
}

/// The baseline of a word behind a raised mark, which is that of a note below a table or a page.
fn begins_note(mark: &Word, word: &Word) -> Option<(f32, bool)> {
    let (gap, up) = (word.x - mark.end, word.y - mark.y);
    let is_beside = mark.size < SMALL * word.size && gap > -0.1 * word.size && gap < 0.6 * word.size;
    (is_beside && up > SAME_BASELINE * word.size && up < HIGHEST_RAISED * word.size).then_some((word.y, true))
}

/// Joins the words of a line, ordered by x, to pieces. Drops words that are drawn twice.
fn pieces(words: &[Word], rules: &[Rule], is_sheet: bool) -> Vec<Piece> {
    let mut distinct: Vec<&Word> = Vec::with_capacity(words.len());
    for word in words {
        // A part of a word may be drawn again.
        let is_double = |other: &&Word| {
            word.x < other.end
                && other.glyphs.len() >= word.glyphs.len()
                && word.glyphs.iter().all(|glyph| other.glyphs.iter().any(|one| one.repeats(glyph)))
        };
        if !distinct.iter().rev().take(MAX_NEAR).any(is_double) {
            distinct.push(word);
        }
    }
    let middle = words.first().map_or(0.0, |word| word.y - MIDDLE * word.size);
    let covers = |rule: &&Rule| rule.is_vertical() && (rule.y.0..=rule.y.1).contains(&middle);
    let cuts: Vec<f32> = rules.iter().filter(covers).map(|rule| rule.x.0).collect();
    let mut pieces: Vec<Vec<&Word>> = Vec::new();
    for word in distinct {
        let last = pieces.last().and_then(|piece| piece.last()).copied();
        let joins = last.is_some_and(|last| {
            let (gap, size) = (word.x - last.end, last.size.max(word.size));
            let in_order = word.order.abs_diff(last.order) == 1;
            let crosses = |x: &f32| (last.end - 1.0..=word.x + 1.0).contains(x);
            let are_numbers = is_number(last) && is_number(word);
            let least = if in_order && !are_numbers { GAP } else { GAP_OF_OTHERS };
            let least = if is_sheet && !word.is_spaced { WORD } else { least };
            gap < least * size && !cuts.iter().any(crosses)
        });
        match pieces.last_mut().filter(|_| joins) {
            Some(piece) => piece.push(word),
            None => pieces.push(vec![word]),
        }
    }
    pieces.into_iter().map(|words| piece(&words)).collect()
}

/// Whether a word is a number, which stands in a cell of its own.
fn is_number(word: &Word) -> bool {
    word.glyphs.iter().all(|glyph| glyph.letter.is_ascii_digit() || matches!(glyph.letter, '.' | ',' | '%' | '-' | '+'))
}

fn piece(words: &[&Word]) -> Piece {
    let whole = untangled(words);
    let words: Vec<&Word> = whole.as_ref().map_or_else(|| words.to_vec(), |words| words.iter().collect());
    let mut text = String::new();
    let mut gaps = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let last = at.checked_sub(1).and_then(|last| words.get(last));
        let letters: String = word.glyphs.iter().map(|glyph| glyph.letter).collect();
        if word.is_raised && last.is_some() {
            add_raised(&mut text, &letters);
            continue;
        }
        let begins_note = at == 1 && words[0].is_raised;
        let touches =
            last.is_some_and(|last| word.x - last.end < 0.12 * word.size && !word.after_space && !begins_note);
        if let Some(last) = last.filter(|_| !touches) {
            gaps.push(Gap { from: last.end, to: word.x, at: text.len() });
            text.push(' ');
        }
        text.push_str(&letters);
    }
    let (text, is_right_to_left) = match scripts::logical(&text) {
        (read, false) if read == text => (read, false),
        changed => {
            gaps.clear();
            changed
        }
    };
    let (x, end) = (words.iter().map(|word| word.x), words.iter().map(|word| word.end));
    let letters: usize = words.iter().map(|word| word.glyphs.len()).sum();
    let bold: usize = words.iter().filter(|word| word.is_bold).map(|word| word.glyphs.len()).sum();
    Piece {
        text,
        x: x.fold(f32::MAX, f32::min),
        end: end.fold(f32::MIN, f32::max),
        y: words.iter().find(|word| !word.is_raised).or(words.first()).map_or(0.0, |word| word.y),
        size: main_size(&words),
        is_bold: bold * 10 > letters * 9,
        is_right_to_left,
        is_entry: false,
        heading: heading(&words),
        gaps,
    }
}

/// The heading to which the tags say that all words belong.
fn heading(words: &[&Word]) -> Option<(u32, u8)> {
    let mut roles = words.iter().flat_map(|word| &word.glyphs).map(|glyph| glyph.role);
    let Some(Role::Heading(number, level)) = roles.next()? else { return None };
    roles.all(|role| role == Some(Role::Heading(number, level))).then_some((number, level))
}

/// The size of most letters.
fn main_size(words: &[&Word]) -> f32 {
    let letters = |size: f32| -> usize {
        words.iter().filter(|word| (word.size - size).abs() < 0.1).map(|word| word.glyphs.len()).sum()
    };
    let sizes = words.iter().take(16).map(|word| word.size);
    sizes.max_by_key(|size| letters(*size)).unwrap_or(0.0)
}

/// The glyphs of words that overlap each other, in one row: letters that are drawn twice in different pieces. None when no
/// letter is double.
fn untangled(words: &[&Word]) -> Option<Vec<Word>> {
    let overlap = |pair: &[&Word]| pair[0].end - pair[1].x > 0.3 * pair[1].size;
    if !words.windows(2).any(overlap) {
        return None;
    }
    let mut glyphs: Vec<Glyph> = words.iter().flat_map(|word| word.glyphs.iter().copied()).collect();
    let count = glyphs.len();
    glyphs.sort_by(|one, other| one.x.total_cmp(&other.x));
    let mut distinct: Vec<Glyph> = Vec::with_capacity(count);
    for glyph in glyphs {
        let near = distinct.iter().rev().take_while(|other| glyph.x - other.x < 0.5 * glyph.size).take(MAX_NEAR);
        if !near.into_iter().any(|other| glyph.repeats(other)) {
            distinct.push(glyph);
        }
    }
    if (count - distinct.len()) * 5 < count {
        return None;
    }
    let y = words.first()?.y;
    distinct.iter_mut().for_each(|glyph| glyph.y = y);
    let mut whole = Vec::new();
    add_words(&distinct, &mut whole);
    Some(whole)
}

/// Adds what is raised: cents behind a price, a power, or the mark of a note, none of which is a digit of what it follows.
fn add_raised(text: &mut String, mark: &str) {
    let is_digits = mark.chars().all(|letter| letter.is_ascii_digit());
    if is_digits && mark.len() == 2 && text.ends_with(|letter: char| letter.is_ascii_digit()) {
        text.push('.');
        text.push_str(mark);
        return;
    }
    let small = |letter: char| match letter {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(0x2070 + u32::from(letter) - u32::from('0')).unwrap_or(letter),
        letter => letter,
    };
    text.extend(mark.chars().map(small));
}

/// Whether a line ends with the mark of a sentence's end.
pub(super) fn ends_sentence(text: &str) -> bool {
    let end = text.trim_end_matches(['"', '”', '“', '’', ')', ']', '»', '«']);
    end.ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '؟', '…'])
}
