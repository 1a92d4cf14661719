//! Paths that a page draws or clips with, as far as they have straight lines.

use lopdf::content::Operation;

use super::{
    glyphs::{Ground, Shapes},
    matrix::{Matrix, number},
    state::State,
    visible::Frame,
};

/// Maximum lines of a path.
const MAX_PATH: usize = 10_000;
/// A filled shape that is thinner than this is a line.
const MAX_LINE: f32 = 2.0;

/// A drawn line that is thicker than this is a colored area.
const MAX_WIDTH: f32 = 4.0;
/// A point or the ends of a line, in units of the page.
type Point = (f32, f32);

/// The path that is being drawn, as far as it has straight lines.
#[derive(Default)]
pub(super) struct Path {
    lines: Vec<(Point, Point)>,
    /// Where each of its parts begins in the lines.
    parts: Vec<usize>,
    /// Where the part began, and where it is.
    ends: Option<(Point, Point)>,
    /// Points of its curves, which are no lines.
    curves: Vec<Point>,
}

impl Path {
    pub(super) fn rectangle(&mut self, operation: &Operation, page: Matrix) {
        let [x, y, width, height] = [0, 1, 2, 3].map(|at| number(operation, at));
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        let corners = corners.map(|(x, y)| page.point(x, y));
        self.parts.push(self.lines.len());
        (0..4).for_each(|at| self.add(corners[at], corners[(at + 1) % 4]));
        self.ends = Some((corners[0], corners[0]));
    }

    pub(super) fn point(&mut self, operation: &Operation, page: Matrix) {
        let point = page.point(number(operation, 0), number(operation, 1));
        match self.ends {
            Some((first, last)) if operation.operator == "l" => {
                self.add(last, point);
                self.ends = Some((first, point));
            }
            _ => {
                self.parts.push(self.lines.len());
                self.ends = Some((point, point));
            }
        }
    }

    pub(super) fn close(&mut self) {
        if let Some((first, last)) = self.ends {
            self.add(last, first);
            self.ends = Some((first, first));
        }
    }

    pub(super) fn curve(&mut self, operation: &Operation, page: Matrix) {
        for pair in operation.operands.chunks_exact(2).take(3) {
            let [x, y] = [0, 1].map(|at| pair[at].as_float().unwrap_or(0.0));
            let point = page.point(x, y);
            if self.curves.len() < MAX_PATH {
                self.curves.push(point);
            }
            self.ends = self.ends.map(|(first, _)| (first, point));
        }
    }

    /// The box around the path, if its lines are all of it.
    pub(super) fn frame(&self) -> Option<Frame> {
        let is_whole = self.curves.is_empty() && !self.lines.is_empty() && self.lines.len() < MAX_PATH;
        is_whole.then(|| self.around())
    }

    /// The box around its lines and curves.
    fn around(&self) -> Frame {
        let ends = self.lines.iter().flat_map(|(from, to)| [*from, *to]);
        Frame::around(ends.chain(self.curves.iter().copied()))
    }

    /// Whether it is one rectangle along the edges of the page.
    pub(super) fn is_rectangle(&self) -> bool {
        let is_along = |((x, y), (to_x, to_y)): &(Point, Point)| (x - to_x).abs() < 0.1 || (y - to_y).abs() < 0.1;
        self.curves.is_empty()
            && self.parts.len() == 1
            && (3..=5).contains(&self.lines.len())
            && self.lines.iter().all(is_along)
    }

    fn add(&mut self, from: Point, to: Point) {
        if self.lines.len() < MAX_PATH {
            self.lines.push((from, to));
        }
    }

    /// Paints the path. A filled part is a line only if it is thin.
    pub(super) fn paint(self, operator: &str, state: &State<'_>, shapes: &mut Shapes) {
        let (fills, draws) = (operator.contains(['f', 'F', 'b', 'B']), operator.contains(['s', 'S', 'b', 'B']));
        if self.lines.is_empty() && self.curves.is_empty() || !fills && !draws {
            return;
        }
        let around = self.around();
        let visible = state.frame.map_or(around, |frame| frame.within(around));
        if draws {
            self.lines.iter().for_each(|(from, to)| shapes.rule(*from, *to));
            if state.line_width() > MAX_WIDTH {
                shapes.ground(Some(visible.grown(state.line_width() / 2.0)), Ground::Color);
            }
        }
        if !fills {
            return;
        }
        if !state.fill.is_white {
            shapes.ground(Some(visible), Ground::Color);
        }
        if state.is_opaque && state.is_framed && self.is_rectangle() {
            shapes.cover(visible);
        }
        if !draws && self.curves.is_empty() {
            self.parts().filter(|lines| is_thin(lines)).flatten().for_each(|(from, to)| shapes.rule(*from, *to));
        }
    }

    /// The lines of each part.
    fn parts(&self) -> impl Iterator<Item = &[(Point, Point)]> {
        let ends = self.parts.iter().skip(1).copied().chain([self.lines.len()]);
        self.parts.iter().zip(ends).filter_map(|(from, to)| self.lines.get(*from..to))
    }
}

/// Whether lines are those of a thin rectangle.
fn is_thin(lines: &[(Point, Point)]) -> bool {
    let ends = || lines.iter().flat_map(|(from, to)| [from, to]);
    let span = |coordinate: fn(&Point) -> f32| {
        ends().map(coordinate).fold(f32::MIN, f32::max) - ends().map(coordinate).fold(f32::MAX, f32::min)
    };
    (1..=5).contains(&lines.len()) && (span(|end| end.0) < MAX_LINE || span(|end| end.1) < MAX_LINE)
}
