//! The color that letters and shapes are filled with, as far as it tells whether they are seen on white paper.

use lopdf::{Dictionary, Document, Object, content::Operation};

use super::resolve;

/// A share of light or of ink that is nearly all, or nearly none.
const NEARLY: f32 = 0.98;

/// How the components of a color are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Space {
    /// Shares of light: all of them are white.
    Light,
    /// Shares of inks: none of them is white.
    Ink,
    /// A pattern or numbers of colors, which count as no white.
    Other,
}

/// The color that shapes are filled with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    space: Space,
    pub(super) is_white: bool,
}

impl Default for Fill {
    fn default() -> Self {
        Self { space: Space::Light, is_white: false }
    }
}

impl Fill {
    /// The color after an operation that may set it. `find_space` finds named color spaces.
    pub(super) fn after<'a>(
        self,
        operation: &Operation,
        document: &Document,
        find_space: impl Fn(&[u8]) -> Option<&'a Object>,
    ) -> Self {
        let is_white = |space| match space {
            Space::Light => operation.operands.iter().all(|part| part.as_float().is_ok_and(|part| part >= NEARLY)),
            Space::Ink => operation.operands.iter().all(|part| part.as_float().is_ok_and(|part| part <= 1.0 - NEARLY)),
            Space::Other => false,
        };
        let with_space = |space| Self { space, is_white: !operation.operands.is_empty() && is_white(space) };
        match operation.operator.as_str() {
            "g" | "rg" => with_space(Space::Light),
            "k" => with_space(Space::Ink),
            "sc" | "scn" => with_space(self.space),
            "cs" => {
                let name = operation.operands.first().and_then(|name| name.as_name().ok());
                let space = name.map_or(Space::Other, |name| {
                    Space::of_name(name)
                        .unwrap_or_else(|| find_space(name).map_or(Space::Other, |space| Space::of(document, space)))
                });
                Self { space, is_white: false }
            }
            _ => self,
        }
    }
}

impl Space {
    fn of_name(name: &[u8]) -> Option<Self> {
        match name {
            b"DeviceGray" | b"DeviceRGB" => Some(Self::Light),
            b"DeviceCMYK" => Some(Self::Ink),
            b"Pattern" => Some(Self::Other),
            _ => None,
        }
    }

    fn of(document: &Document, space: &Object) -> Self {
        let parts = match resolve(document, space) {
            Object::Name(name) => return Self::of_name(name).unwrap_or(Self::Other),
            Object::Array(parts) => parts,
            _ => return Self::Other,
        };
        let family = parts.first().and_then(|family| resolve(document, family).as_name().ok()).unwrap_or_default();
        let inks =
            || resolve(document, parts.get(1)?).as_stream().ok()?.dict.get_deref(b"N", document).ok()?.as_i64().ok();
        match family {
            b"ICCBased" if inks() == Some(4) => Self::Ink,
            b"ICCBased" | b"CalRGB" | b"CalGray" => Self::Light,
            b"Separation" | b"DeviceN" => Self::Ink,
            name => Self::of_name(name).unwrap_or(Self::Other),
        }
    }
}

/// Whether graphics state parameters let what lies below show through: none when they do not say it.
pub(super) fn is_opaque(document: &Document, parameters: &Dictionary) -> Option<bool> {
    let alpha =
        parameters.get_deref(b"ca", document).ok().map(|alpha| alpha.as_float().is_ok_and(|alpha| alpha >= NEARLY));
    let mode = parameters.get_deref(b"BM", document).ok().map(|mode| {
        let mode = mode.as_array().ok().and_then(|modes| modes.first()).unwrap_or(mode);
        matches!(mode.as_name(), Ok(b"Normal" | b"Compatible"))
    });
    let mask = parameters.get_deref(b"SMask", document).ok().map(|mask| mask.as_name().is_ok());
    [alpha, mode, mask].into_iter().flatten().reduce(|one, other| one && other)
}
