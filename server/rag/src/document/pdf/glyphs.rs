//! The glyphs and ruling lines of a page with their places, before anything is known about lines and words.

use std::collections::HashSet;

use super::scripts;

/// Maximum glyphs of a page.
pub(super) const MAX_GLYPHS: usize = 1_000_000;
/// Maximum ruling lines of a page.
const MAX_RULES: usize = 4_000;
/// Maximum lines of a page that nobody sees.
const MAX_HIDDEN: usize = 10_000;
/// Maximum directions of text on a page.
const MAX_DIRECTIONS: usize = 16;
/// A glyph drawn again within this share of its size and of its width is the same one: bold letters and shadows.
const SAME_PLACE: f32 = 0.3;
const SAME_WIDTH: f32 = 0.6;
/// A rectangle that is thinner than this is a line.
const THIN: f32 = 2.0;
/// A line that is shorter than this divides nothing.
const SHORTEST: f32 = 6.0;

/// A character in the frame of its direction: x grows along the line, y downwards from line to line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    pub(super) letter: char,
    pub(super) x: f32,
    pub(super) end: f32,
    /// The baseline.
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) is_bold: bool,
    /// Whether a space was shown before it.
    pub(super) after_space: bool,
}

impl Glyph {
    /// Whether it shows the same letter at the same place.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        let (width, size) = ((other.end - other.x).abs(), other.size.max(self.size));
        self.letter == other.letter
            && (self.x - other.x).abs() < (SAME_PLACE * size).min(SAME_WIDTH * width)
            && (self.y - other.y).abs() < SAME_PLACE * size
    }
}

/// A line that is drawn along x or along y.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) x: (f32, f32),
    pub(super) y: (f32, f32),
}

impl Rule {
    pub(super) fn is_horizontal(&self) -> bool {
        self.y.1 - self.y.0 < THIN && self.x.1 - self.x.0 >= SHORTEST
    }

    pub(super) fn is_vertical(&self) -> bool {
        self.x.1 - self.x.0 < THIN && self.y.1 - self.y.0 >= SHORTEST
    }
}

/// The glyphs of one direction, in the order in which they are drawn.
#[derive(Default)]
pub(super) struct Group {
    direction: (f32, f32),
    pub(super) glyphs: Vec<Glyph>,
    pub(super) rules: Vec<Rule>,
    after_space: bool,
}

impl Group {
    /// A point of the page in the frame of the direction.
    fn turned(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (cos, sin) = self.direction;
        (x * cos + y * sin, x * sin - y * cos)
    }
}

/// What a string shows, in units of the page.
pub(super) struct Shown {
    pub(super) start: (f32, f32),
    pub(super) end: (f32, f32),
    /// The direction of its line.
    pub(super) along: (f32, f32),
    pub(super) size: f32,
    pub(super) is_bold: bool,
}

impl Shown {
    /// Whether it stands on the same line as another one.
    pub(super) fn is_on_line_of(&self, other: &Self) -> bool {
        let (x, y) = (other.start.0 - self.start.0, other.start.1 - self.start.1);
        let length = self.along.0.hypot(self.along.1).max(f32::MIN_POSITIVE);
        ((x * self.along.1 - y * self.along.0) / length).abs() < SAME_PLACE * self.size
    }
}

/// What a page shows.
#[derive(Default)]
pub(super) struct Shapes {
    groups: Vec<Group>,
    rules: Vec<((f32, f32), (f32, f32))>,
    glyphs: usize,
    /// Codes without a known character.
    pub(super) unknown: usize,
    /// Codes of characters.
    pub(super) known: usize,
    /// The lines of text that nobody sees.
    hidden: HashSet<i32>,
}

impl Shapes {
    /// Whether the page has more glyphs than are read.
    pub(super) fn is_full(&self) -> bool {
        self.glyphs > MAX_GLYPHS
    }

    /// Adds the characters of one code.
    pub(super) fn show(&mut self, text: &str, shown: &Shown) {
        let Some(at) = self.group(shown.along) else { return };
        let count = text.chars().count();
        self.glyphs += count;
        self.known += count;
        let is_full = self.is_full();
        let group = &mut self.groups[at];
        let ((x, y), (end, _)) = (group.turned(shown.start), group.turned(shown.end));
        let (x, end) = (x.min(end), x.max(end));
        if ![x, end, y, shown.size].iter().all(|number| number.is_finite()) || shown.size <= 0.0 || is_full {
            return;
        }
        #[allow(clippy::cast_precision_loss, reason = "a code has few characters")]
        let width = (end - x) / count.max(1) as f32;
        let is_left = text.chars().any(scripts::is_right_to_left);
        let (size, is_bold) = (shown.size, shown.is_bold);
        let mut add = |at: usize, letter: char| {
            if letter.is_whitespace() || matches!(letter, '\u{200b}' | '\u{feff}') {
                group.after_space = true;
                return;
            }
            // The space before a letter that is read from right to left is on its other side: its gap shows it.
            let after_space = std::mem::take(&mut group.after_space) && !is_left;
            #[allow(clippy::cast_precision_loss, reason = "a code has few characters")]
            let x = x + width * at as f32;
            let glyph = Glyph { letter, x, end: x + width, y, size, is_bold, after_space };
            if !group.glyphs.last().is_some_and(|last| glyph.repeats(last)) {
                group.glyphs.push(glyph);
            }
        };
        if is_left {
            scripts::seen(text).into_iter().enumerate().for_each(|(at, letter)| add(at, letter));
        } else {
            text.chars().enumerate().for_each(|(at, letter)| add(at, letter));
        }
    }

    /// Notes a glyph that nobody sees.
    pub(super) fn hide(&mut self, shown: &Shown) {
        if self.hidden.len() < MAX_HIDDEN {
            #[allow(clippy::cast_possible_truncation, reason = "a place on a page")]
            self.hidden.insert(shown.start.1.round() as i32);
        }
    }

    /// The number of lines with text that nobody sees.
    pub(super) fn hidden(&self) -> usize {
        self.hidden.len()
    }

    /// The group of a direction.
    fn group(&mut self, along: (f32, f32)) -> Option<usize> {
        let length = along.0.hypot(along.1);
        let direction = (along.0 / length, along.1 / length);
        let near = |group: &Group| {
            (group.direction.0 - direction.0).abs() < 0.02 && (group.direction.1 - direction.1).abs() < 0.02
        };
        if !direction.0.is_finite() || !direction.1.is_finite() {
            return None;
        }
        self.groups.iter().position(near).or_else(|| {
            let fits = self.groups.len() < MAX_DIRECTIONS;
            fits.then(|| self.groups.push(Group { direction, ..Group::default() }));
            fits.then(|| self.groups.len() - 1)
        })
    }

    /// Adds a line that is drawn.
    pub(super) fn rule(&mut self, from: (f32, f32), to: (f32, f32)) {
        let is_finite = [from.0, from.1, to.0, to.1].iter().all(|number| number.is_finite());
        if is_finite && self.rules.len() < MAX_RULES {
            self.rules.push((from, to));
        }
    }

    /// The groups of directions, that of most glyphs first, each with the lines in its frame.
    pub(super) fn into_groups(self) -> Vec<Group> {
        let mut groups = self.groups;
        groups.sort_by_key(|group| std::cmp::Reverse(group.glyphs.len()));
        if let Some(main) = groups.first_mut() {
            let ordered = |one: f32, other: f32| (one.min(other), one.max(other));
            let turned = self.rules.iter().map(|(from, to)| {
                let (from, to) = (main.turned(*from), main.turned(*to));
                Rule { x: ordered(from.0, to.0), y: ordered(from.1, to.1) }
            });
            main.rules = turned.filter(|rule| rule.is_horizontal() || rule.is_vertical()).collect();
        }
        groups
    }
}
