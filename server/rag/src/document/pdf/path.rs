//! Paths that a page draws or clips with, as far as they have straight lines.

use lopdf::content::Operation;

use super::{
    glyphs::Shapes,
    matrix::{Matrix, number},
    visible::Frame,
};

/// Maximum lines of a path.
const MAX_PATH: usize = 10_000;
/// A filled shape that is thinner than this is a line.
const MAX_LINE: f32 = 2.0;

/// The path that is being drawn, in units of the page, as far as it has straight lines.
#[derive(Default)]
pub(super) struct Path {
    lines: Vec<((f32, f32), (f32, f32))>,
    /// Where the path began, and where it is.
    ends: Option<((f32, f32), (f32, f32))>,
    /// Whether it has curves, which are no lines.
    has_curves: bool,
}

impl Path {
    pub(super) fn rectangle(&mut self, operation: &Operation, page: Matrix) {
        let [x, y, width, height] = [0, 1, 2, 3].map(|at| number(operation, at));
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        let corners = corners.map(|(x, y)| page.point(x, y));
        (0..4).for_each(|at| self.add(corners[at], corners[(at + 1) % 4]));
    }

    pub(super) fn point(&mut self, operation: &Operation, page: Matrix) {
        let point = page.point(number(operation, 0), number(operation, 1));
        match self.ends {
            Some((first, last)) if operation.operator == "l" => {
                self.add(last, point);
                self.ends = Some((first, point));
            }
            _ => self.ends = Some((point, point)),
        }
    }

    pub(super) fn close(&mut self) {
        if let Some((first, last)) = self.ends {
            self.add(last, first);
        }
    }

    pub(super) fn curve(&mut self) {
        self.has_curves = true;
    }

    /// The box around the path, if its lines are all of it.
    pub(super) fn frame(&self) -> Option<Frame> {
        let is_whole = !self.has_curves && !self.lines.is_empty() && self.lines.len() < MAX_PATH;
        is_whole.then(|| Frame::around(self.lines.iter().flat_map(|(from, to)| [*from, *to])))
    }

    fn add(&mut self, from: (f32, f32), to: (f32, f32)) {
        if self.lines.len() < MAX_PATH {
            self.lines.push((from, to));
        }
    }

    /// Paints the path. A filled one is a line only if it is thin.
    pub(super) fn paint(&mut self, is_drawn: bool, shapes: &mut Shapes) {
        let path = std::mem::take(self);
        let ends = || path.lines.iter().flat_map(|(from, to)| [from, to]);
        let span = |of: fn(&(f32, f32)) -> f32| {
            ends().map(of).fold(f32::MIN, f32::max) - ends().map(of).fold(f32::MAX, f32::min)
        };
        if is_drawn || path.lines.len() <= 4 && (span(|end| end.0) < MAX_LINE || span(|end| end.1) < MAX_LINE) {
            path.lines.iter().for_each(|(from, to)| shapes.rule(*from, *to));
        }
    }
}
