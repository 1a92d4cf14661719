//! The glyphs and ruling lines of a page with their places, before anything is known about lines and words.

use std::collections::HashSet;

use super::{scripts, tags::Role, visible::Frame};

/// Maximum glyphs of a page.
pub(super) const MAX_GLYPHS: usize = 1_000_000;
/// Maximum ruling lines of a page.
const MAX_RULES: usize = 4_000;
/// Maximum lines of a page that nobody sees.
const MAX_HIDDEN: usize = 10_000;
/// Maximum painted areas of a page that letters may stand on, and of those that may cover letters.
const MAX_GROUNDS: usize = 2_000;
const MAX_COVERS: usize = 500;
/// A painted area that is lower than this covers no line.
const LOWEST_COVER: f32 = 4.0;
/// Maximum directions of text on a page.
const MAX_DIRECTIONS: usize = 16;
/// A glyph drawn again within this share of its size and of its width is the same one: bold letters and shadows.
const SAME_PLACE: f32 = 0.3;
const SAME_WIDTH: f32 = 0.6;
/// Glyphs this share of their size outside of a box are not seen.
const EDGE: f32 = 0.5;
/// The middle of a glyph above its baseline, as a share of the size.
pub(super) const MIDDLE: f32 = 0.3;
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
    pub(super) role: Option<Role>,
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
    pub(super) fn of(glyphs: Vec<Glyph>) -> Self {
        Self { glyphs, ..Self::default() }
    }

    /// Whether its lines run across those of another one.
    pub(super) fn is_across(&self, other: &Self) -> bool {
        (self.direction.0 * other.direction.0 + self.direction.1 * other.direction.1).abs() < 0.1
    }

    /// A point of the page in the frame of the direction, or one of the frame on the page.
    pub(super) fn turned(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (cos, sin) = self.direction;
        (x * cos + y * sin, x * sin - y * cos)
    }
}

/// How a glyph is painted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Look {
    Plain,
    /// Seen only on a ground of another color.
    White,
    /// Not painted, such as the recognised text of a scanned page, which stands on its image.
    Clear,
}

/// What is painted below letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ground {
    Color,
    Image,
}

/// An area that is painted over what was shown before.
struct Cover {
    frame: Frame,
    /// The glyphs of each group that were shown before.
    before: Vec<usize>,
}

/// Where and how the text of a code is drawn, in units of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub(super) start: (f32, f32),
    pub(super) end: (f32, f32),
    /// The direction of its line.
    pub(super) along: (f32, f32),
    pub(super) size: f32,
    pub(super) is_bold: bool,
    pub(super) look: Look,
    pub(super) role: Option<Role>,
}

impl Placement {
    /// Whether a box shows it.
    pub(super) fn is_within(&self, frame: Frame) -> bool {
        let middle = (f32::midpoint(self.start.0, self.end.0), f32::midpoint(self.start.1, self.end.1));
        frame.grown(EDGE * self.size).contains(middle)
    }

    /// The middle of its letters.
    fn middle(&self) -> (f32, f32) {
        let up = MIDDLE * self.size / self.along.0.hypot(self.along.1).max(f32::MIN_POSITIVE);
        let (x, y) = (f32::midpoint(self.start.0, self.end.0), f32::midpoint(self.start.1, self.end.1));
        (x - self.along.1 * up, y + self.along.0 * up)
    }

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
    pub(super) characters: usize,
    /// The lines of text that nobody sees.
    hidden_lines: HashSet<i32>,
    grounds: Vec<(Frame, Ground)>,
    covers: Vec<Cover>,
    /// What of the page is seen.
    pub(super) frame: Option<Frame>,
    /// White letters without a ground, and letters that are not painted.
    faint: Vec<(String, Placement)>,
}

impl Shapes {
    /// Whether the page has more glyphs than are read.
    pub(super) fn is_full(&self) -> bool {
        self.glyphs > MAX_GLYPHS
    }

    /// Adds the characters of one code.
    pub(super) fn show(&mut self, text: &str, placement: &Placement) {
        let is_seen = match placement.look {
            Look::Plain => true,
            Look::White => self.is_on_ground(placement),
            Look::Clear => false,
        };
        if is_seen {
            self.add(text, placement);
        } else if self.faint.len() < MAX_GLYPHS {
            self.faint.push((text.to_owned(), *placement));
        }
    }

    /// Notes an area that is painted; none is the whole page.
    pub(super) fn ground(&mut self, frame: Option<Frame>, ground: Ground) {
        if self.grounds.len() < MAX_GROUNDS {
            self.grounds.push((frame.unwrap_or(Frame::ALL), ground));
        }
    }

    /// Notes an area that hides what was shown before.
    pub(super) fn cover(&mut self, frame: Frame) {
        if self.glyphs > 0 && frame.height() > LOWEST_COVER && self.covers.len() < MAX_COVERS {
            self.covers.push(Cover { frame, before: self.groups.iter().map(|group| group.glyphs.len()).collect() });
        }
    }

    /// Whether something is painted below a glyph that makes it seen.
    fn is_on_ground(&self, placement: &Placement) -> bool {
        let middle = placement.middle();
        let makes_seen = |ground: &Ground| placement.look == Look::White || *ground == Ground::Image;
        self.grounds.len() == MAX_GROUNDS
            || self.grounds.iter().any(|(frame, ground)| makes_seen(ground) && frame.contains(middle))
    }

    /// Leaves out what is covered, and letters with neither a color of their own nor a ground. If those are most of the page,
    /// they stay, because something that is not read here makes them visible.
    pub(super) fn remove_invisible(&mut self) {
        self.remove_covered();
        let faint = std::mem::take(&mut self.faint);
        let (on_image, invisible): (Vec<_>, Vec<_>) =
            faint.into_iter().partition(|(_, placement)| placement.look == Look::Clear && self.is_on_ground(placement));
        let visible = self.groups.iter().map(|group| group.glyphs.len()).sum::<usize>() + on_image.len();
        on_image.iter().for_each(|(text, placement)| self.add(text, placement));
        let is_most = invisible.iter().filter(|(text, _)| !text.trim().is_empty()).count() > visible;
        for (text, placement) in &invisible {
            if is_most {
                self.add(text, placement);
            } else if !text.trim().is_empty() {
                self.hide(placement);
            }
        }
    }

    fn remove_covered(&mut self) {
        let covers = std::mem::take(&mut self.covers);
        if covers.is_empty() {
            return;
        }
        for (at, group) in self.groups.iter_mut().enumerate() {
            let glyphs = std::mem::take(&mut group.glyphs);
            for (number, glyph) in glyphs.into_iter().enumerate() {
                // The frame of a direction is turned back the same way.
                let middle = group.turned((f32::midpoint(glyph.x, glyph.end), glyph.y - MIDDLE * glyph.size));
                let is_below = |cover: &Cover| cover.before.get(at).is_some_and(|before| number < *before);
                if covers.iter().any(|cover| is_below(cover) && cover.frame.contains(middle)) {
                    #[allow(clippy::cast_possible_truncation, reason = "a place on a page")]
                    self.hidden_lines.insert(middle.1.round() as i32);
                } else {
                    group.glyphs.push(glyph);
                }
            }
        }
    }

    fn add(&mut self, text: &str, placement: &Placement) {
        let Some(at) = self.group(placement.along) else { return };
        let count = text.chars().count();
        self.glyphs += count;
        self.characters += count;
        let is_full = self.is_full();
        let group = &mut self.groups[at];
        let ((x, y), (end, _)) = (group.turned(placement.start), group.turned(placement.end));
        let (x, end) = (x.min(end), x.max(end));
        if ![x, end, y, placement.size].iter().all(|number| number.is_finite()) || placement.size <= 0.0 || is_full {
            return;
        }
        #[allow(clippy::cast_precision_loss, reason = "a code has few characters")]
        let width = (end - x) / count.max(1) as f32;
        let is_left = text.chars().any(scripts::is_right_to_left);
        let Placement { size, is_bold, role, .. } = *placement;
        let mut add = |at: usize, letter: char| {
            if letter.is_whitespace() || matches!(letter, '\u{200b}' | '\u{feff}') {
                group.after_space = true;
                return;
            }
            // The space before a letter that is read from right to left is on its other side: its gap shows it.
            let after_space = std::mem::take(&mut group.after_space) && !is_left;
            #[allow(clippy::cast_precision_loss, reason = "a code has few characters")]
            let x = x + width * at as f32;
            let glyph = Glyph { letter, x, end: x + width, y, size, is_bold, after_space, role };
            if !group.glyphs.last().is_some_and(|last| glyph.repeats(last)) {
                group.glyphs.push(glyph);
            }
        };
        if is_left {
            scripts::visual(text).into_iter().enumerate().for_each(|(at, letter)| add(at, letter));
        } else {
            text.chars().enumerate().for_each(|(at, letter)| add(at, letter));
        }
    }

    /// Notes a glyph that nobody sees.
    pub(super) fn hide(&mut self, placement: &Placement) {
        if self.hidden_lines.len() < MAX_HIDDEN {
            #[allow(clippy::cast_possible_truncation, reason = "a place on a page")]
            self.hidden_lines.insert(placement.start.1.round() as i32);
        }
    }

    /// The number of lines with text that nobody sees.
    pub(super) fn hidden_lines(&self) -> usize {
        self.hidden_lines.len()
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
            let in_order = |one: f32, other: f32| (one.min(other), one.max(other));
            let rules = self.rules.iter().map(|(from, to)| {
                let (from, to) = (main.turned(*from), main.turned(*to));
                Rule { x: in_order(from.0, to.0), y: in_order(from.1, to.1) }
            });
            main.rules = rules.filter(|rule| rule.is_horizontal() || rule.is_vertical()).collect();
        }
        groups
    }
}
