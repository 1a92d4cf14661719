//! The open parts of marked content: layers that are off, and parts that say which text their glyphs stand for.

use super::{
    glyphs::{Placement, Shapes},
    tags::Role,
};

/// Maximum open parts; more are taken for parts of the last.
const MAX_OPEN: usize = 1_000;
/// Maximum glyphs that a text replaces although they are known; longer texts may have other words.
const FEW: usize = 3;
/// Maximum glyphs of a part with a text of its own.
const MAX_GLYPHS: usize = 1_000;

#[derive(Default)]
pub(super) struct Marks {
    open: Vec<Mark>,
    /// Parts that are too many.
    further: usize,
    /// The outermost open part with a text of its own, and what it shows so far.
    replacement: Option<Replacement>,
}

/// What is known of a part.
#[derive(Default)]
pub(super) struct Mark {
    pub(super) is_off: bool,
    pub(super) role: Option<Role>,
}

struct Replacement {
    /// Open parts around it.
    depth: usize,
    text: String,
    glyphs: Vec<(Option<String>, Placement)>,
}

impl Marks {
    pub(super) fn len(&self) -> usize {
        self.open.len() + self.further
    }

    /// Whether a layer around is off.
    pub(super) fn is_off(&self) -> bool {
        self.open.last().is_some_and(|mark| mark.is_off)
    }

    /// The role of the innermost part that has one.
    pub(super) fn role(&self) -> Option<Role> {
        self.open.last().and_then(|mark| mark.role)
    }

    /// Opens a part, which may have a text of its own.
    pub(super) fn open(&mut self, mark: Mark, text: Option<String>) {
        if self.open.len() == MAX_OPEN {
            self.further += 1;
            return;
        }
        if let Some(text) = text.filter(|text| self.replacement.is_none() && !text.trim().is_empty()) {
            self.replacement = Some(Replacement { depth: self.open.len(), text, glyphs: Vec::new() });
        }
        self.open.push(Mark { is_off: mark.is_off || self.is_off(), role: mark.role.or(self.role()) });
    }

    /// Closes the innermost part.
    pub(super) fn close(&mut self, shapes: &mut Shapes) {
        if self.further > 0 {
            self.further -= 1;
            return;
        }
        self.open.pop();
        if let Some(replacement) = self.replacement.take_if(|replacement| replacement.depth == self.open.len()) {
            replacement.show(shapes);
        }
    }

    /// Shows a glyph, now or at the end of its part.
    pub(super) fn show(&mut self, text: Option<&str>, placement: Placement, is_seen: bool, shapes: &mut Shapes) {
        match &mut self.replacement {
            _ if !is_seen => {
                if text.is_none_or(|text| !text.trim().is_empty()) {
                    shapes.hide(&placement);
                }
            }
            Some(replacement) if replacement.glyphs.len() < MAX_GLYPHS => {
                replacement.glyphs.push((text.map(str::to_owned), placement));
            }
            _ => show(text, &placement, shapes),
        }
    }
}

impl Replacement {
    /// Shows the text in place of a few glyphs, or of glyphs that nothing else explains; else the glyphs.
    fn show(self, shapes: &mut Shapes) {
        let is_unknown = self.glyphs.iter().any(|(text, _)| text.is_none());
        if let (Some((_, first)), Some((_, last))) = (self.glyphs.first(), self.glyphs.last())
            && (is_unknown || self.glyphs.len() <= FEW)
            && first.is_on_line_of(last)
        {
            return shapes.show(&self.text, &Placement { end: last.end, ..*first });
        }
        self.glyphs.iter().for_each(|(text, placement)| show(text.as_deref(), placement, shapes));
    }
}

fn show(text: Option<&str>, placement: &Placement, shapes: &mut Shapes) {
    match text {
        Some(text) => shapes.show(text, placement),
        None => shapes.unknown += 1,
    }
}
