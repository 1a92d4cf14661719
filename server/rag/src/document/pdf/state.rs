//! The graphics state, as far as it places text and tells whether it is seen.

use std::rc::Rc;

use lopdf::content::Operation;

use super::{
    color::Fill,
    font::Font,
    glyphs::Look,
    matrix::{Matrix, number},
    visible::Frame,
};

/// Rendering modes of letters: filled, drawn around after that, and neither of them.
const FILL: u8 = 0;
const FILL_AND_DRAW: u8 = 2;
const CLEAR: u8 = 3;

#[derive(Clone)]
pub(super) struct State<'a> {
    pub(super) page: Matrix,
    pub(super) font: Option<Rc<Font<'a>>>,
    pub(super) size: f32,
    pub(super) leading: f32,
    pub(super) letters: f32,
    pub(super) words: f32,
    pub(super) stretch: f32,
    pub(super) rise: f32,
    /// The rendering mode of letters.
    mode: u8,
    pub(super) fill: Fill,
    /// Whether nothing below a filled shape is seen.
    pub(super) is_opaque: bool,
    /// The width of drawn lines.
    width: f32,
    /// The box outside of which nothing is seen.
    pub(super) frame: Option<Frame>,
    /// Whether the box is all that bounds what is seen.
    pub(super) is_framed: bool,
    /// The position of the next string, and where its line began.
    pub(super) text: Matrix,
    pub(super) line: Matrix,
}

impl State<'_> {
    /// The state at the beginning of a page.
    pub(super) fn new(frame: Option<Frame>) -> Self {
        let same = Matrix::SAME;
        let (size, leading, letters, words, stretch, rise) = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        Self {
            page: same,
            font: None,
            size,
            leading,
            letters,
            words,
            stretch,
            rise,
            mode: FILL,
            fill: Fill::default(),
            is_opaque: true,
            width: 1.0,
            frame,
            is_framed: true,
            text: same,
            line: same,
        }
    }

    /// Whether the letters are filled and drawn around, which makes them bold.
    pub(super) fn is_bold(&self) -> bool {
        self.mode == FILL_AND_DRAW
    }

    /// How letters are seen.
    pub(super) fn look(&self) -> Look {
        match self.mode {
            CLEAR => Look::Clear,
            FILL if self.fill.is_white => Look::White,
            _ => Look::Plain,
        }
    }

    /// The width of drawn lines in units of the page.
    pub(super) fn line_width(&self) -> f32 {
        self.width * self.page.0[0].hypot(self.page.0[1])
    }

    pub(super) fn next_line(&mut self, x: f32, y: f32) {
        self.line = self.line.moved(x, y);
        self.text = self.line;
    }

    /// Leaves out what is outside of a path as well. The box around it may be all of the path.
    pub(super) fn clip(&mut self, frame: Option<Frame>, is_whole: bool) {
        self.is_framed &= is_whole;
        self.frame = match (self.frame, frame) {
            (Some(outer), Some(inner)) => Some(outer.within(inner)),
            (outer, inner) => inner.or(outer),
        };
    }

    /// Moves the next glyph along the line, which may run from top to bottom.
    pub(super) fn advance(&mut self, width: f32) {
        self.text = if self.font.as_ref().is_some_and(|font| font.down.is_some()) {
            self.text.moved(0.0, -width)
        } else {
            self.text.moved(width * self.stretch, 0.0)
        };
    }

    /// Handles operations that only set the text position and style.
    pub(super) fn place(&mut self, operation: &Operation) {
        let [first, second] = [number(operation, 0), number(operation, 1)];
        match operation.operator.as_str() {
            "BT" => (self.text, self.line) = (Matrix::SAME, Matrix::SAME),
            "Td" => self.next_line(first, second),
            "TD" => {
                self.leading = -second;
                self.next_line(first, second);
            }
            "Tm" => {
                self.line = Matrix::of(&operation.operands).unwrap_or(self.line);
                self.text = self.line;
            }
            "T*" => self.next_line(0.0, -self.leading),
            "TL" => self.leading = first,
            "Tc" => self.letters = first,
            "Tw" => self.words = first,
            "Tz" => self.stretch = first / 100.0,
            "Ts" => self.rise = first,
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mode is a small number")]
            "Tr" => self.mode = first.round() as u8,
            "w" => self.width = first,
            _ => {}
        }
    }
}
