//! What of a page is seen: what lies in its crop box and in clipping paths, on layers that are on.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{matrix::Matrix, resolve};

/// A page that is narrower or lower than this has a wrong box.
const SMALLEST: f32 = 10.0;
/// Maximum nodes above a page.
const MAX_DEPTH: usize = 16;

/// A box in units of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    from: (f32, f32),
    to: (f32, f32),
}

impl Frame {
    /// A box without an end.
    pub(super) const ALL: Self = Self { from: (f32::MIN, f32::MIN), to: (f32::MAX, f32::MAX) };

    /// The box around some points.
    pub(super) fn around(points: impl Iterator<Item = (f32, f32)>) -> Self {
        let (mut from, mut to) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        for (x, y) in points {
            from = (from.0.min(x), from.1.min(y));
            to = (to.0.max(x), to.1.max(y));
        }
        Self { from, to }
    }

    /// The box with these two corners.
    pub(super) fn of(document: &Document, corners: &[Object]) -> Option<Self> {
        let corners: Vec<f32> = corners.iter().filter_map(|corner| resolve(document, corner).as_float().ok()).collect();
        let [x, y, other_x, other_y] = corners[..] else { return None };
        Some(Self::around([(x, y), (other_x, other_y)].into_iter()))
    }

    /// The box around its corners where a matrix moves them.
    pub(super) fn turned(self, matrix: Matrix) -> Self {
        let ((x, y), (other_x, other_y)) = (self.from, self.to);
        let corners = [(x, y), (other_x, y), (x, other_y), (other_x, other_y)];
        Self::around(corners.into_iter().map(|(x, y)| matrix.point(x, y)))
    }

    /// The part of another box that is in it.
    pub(super) fn within(self, other: Self) -> Self {
        Self {
            from: (self.from.0.max(other.from.0), self.from.1.max(other.from.1)),
            to: (self.to.0.min(other.to.0), self.to.1.min(other.to.1)),
        }
    }

    /// The box with an edge around it.
    pub(super) fn grown(self, by: f32) -> Self {
        Self { from: (self.from.0 - by, self.from.1 - by), to: (self.to.0 + by, self.to.1 + by) }
    }

    pub(super) fn contains(&self, (x, y): (f32, f32)) -> bool {
        (self.from.0..=self.to.0).contains(&x) && (self.from.1..=self.to.1).contains(&y)
    }

    pub(super) fn corners(&self) -> [(f32, f32); 2] {
        [self.from, self.to]
    }

    pub(super) fn height(&self) -> f32 {
        self.to.1 - self.from.1
    }

    fn is_page(&self) -> bool {
        self.to.0 - self.from.0 > SMALLEST && self.to.1 - self.from.1 > SMALLEST
    }
}

/// The crop box of a page, else its media box.
pub(super) fn visible_box(document: &Document, page: ObjectId) -> Option<Frame> {
    let inherited_box = |key: &[u8]| {
        let mut node = document.get_dictionary(page).ok()?;
        for _ in 0..MAX_DEPTH {
            if let Ok(corners) = node.get_deref(key, document).and_then(Object::as_array) {
                return Frame::of(document, corners).filter(Frame::is_page);
            }
            node = node.get_deref(b"Parent", document).and_then(Object::as_dict).ok()?;
        }
        None
    };
    let media = inherited_box(b"MediaBox");
    let crop =
        inherited_box(b"CropBox").map(|crop| media.map_or(crop, |media| media.within(crop))).filter(Frame::is_page);
    crop.or(media)
}

/// The layers of a document (optional content) that are off.
#[derive(Default)]
pub(super) struct Layers {
    off: HashSet<ObjectId>,
}

impl Layers {
    pub(super) fn read(document: &Document) -> Self {
        Self { off: off(document).unwrap_or_default() }
    }

    /// Whether what belongs to a layer, or to several of them, is not shown.
    pub(super) fn is_off(&self, document: &Document, layer: &Object) -> bool {
        if self.off.is_empty() {
            return false;
        }
        if layer.as_reference().is_ok_and(|id| self.off.contains(&id)) {
            return true;
        }
        let Ok(members) = resolve(document, layer).as_dict() else { return false };
        let Ok(layers) = members.get(b"OCGs") else { return false };
        let layers = match resolve(document, layers) {
            Object::Array(layers) => layers.as_slice(),
            _ => std::slice::from_ref(layers),
        };
        let is_off = |layer: &Object| layer.as_reference().is_ok_and(|id| self.off.contains(&id));
        !layers.is_empty()
            && match members.get_deref(b"P", document).and_then(Object::as_name).unwrap_or(b"AnyOn") {
                b"AllOn" => layers.iter().any(is_off),
                b"AnyOff" => !layers.iter().any(is_off),
                b"AllOff" => !layers.iter().all(is_off),
                _ => layers.iter().all(is_off),
            }
    }
}

fn off(document: &Document) -> Option<HashSet<ObjectId>> {
    let catalog = document.catalog().ok()?;
    let properties = catalog.get_deref(b"OCProperties", document).and_then(Object::as_dict).ok()?;
    let usual = properties.get_deref(b"D", document).and_then(Object::as_dict).ok()?;
    let ids = |dictionary: &Dictionary, key: &[u8]| -> HashSet<ObjectId> {
        let layers = dictionary.get_deref(key, document).and_then(Object::as_array).ok();
        layers.into_iter().flatten().filter_map(|layer| layer.as_reference().ok()).collect()
    };
    let mut off = ids(usual, b"OFF");
    if usual.get_deref(b"BaseState", document).and_then(Object::as_name).is_ok_and(|state| state == b"OFF") {
        let on = ids(usual, b"ON");
        off.extend(ids(properties, b"OCGs").into_iter().filter(|layer| !on.contains(layer)));
    }
    Some(off)
}
