//! The icons of the panel, as SVG paths on a grid of 24.

use wasm_bindgen::UnwrapThrowExt;
use web_sys::Element;

use crate::dom;

/// A paper plane.
pub(crate) const SEND: &str =
    "M4 12 3 4.6a.6.6 0 0 1 .86-.63l16.6 7.5a.6.6 0 0 1 0 1.08l-16.6 7.5A.6.6 0 0 1 3 19.4L4 12Zm0 0h7.5";
/// A square.
pub(crate) const STOP: &str =
    "M7.5 6h9A1.5 1.5 0 0 1 18 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 16.5v-9A1.5 1.5 0 0 1 7.5 6Z";
/// A cross.
pub(crate) const CLOSE: &str = "M6.5 6.5l11 11m0-11l-11 11";
/// A pencil on a sheet.
pub(crate) const NEW: &str = "M11 5H6.5A1.5 1.5 0 0 0 5 6.5v11A1.5 1.5 0 0 0 6.5 19h11a1.5 1.5 0 0 0 1.5-1.5V13M17.4 4.1a1.7 1.7 0 0 1 2.5 2.5L12.6 14 9.5 14.6l.6-3.2 7.3-7.3Z";
/// A speech bubble, the placeholder for a missing picture.
pub(crate) const BUBBLE: &str = "M5.5 5h13A1.5 1.5 0 0 1 20 6.5v8a1.5 1.5 0 0 1-1.5 1.5H12l-4.6 3.6a.4.4 0 0 1-.65-.3V16H5.5A1.5 1.5 0 0 1 4 14.5v-8A1.5 1.5 0 0 1 5.5 5Z";

/// Two sheets.
pub(crate) const COPY: &str = "M9 9h10v11H9zM15 6V4H5v11h2";
/// A thumb up; turned round by the style sheet, a thumb down.
pub(crate) const THUMB: &str =
    "M7 10.5 10.5 3.5a2 2 0 0 1 2.3 2.4L12 9.5h5.8a2 2 0 0 1 2 2.4l-1.2 6a2 2 0 0 1-2 1.6H7zM7 10.5H4v9h3";

const SVG: &str = "http://www.w3.org/2000/svg";

/// An icon that assistive technology skips: its button has a label.
pub(crate) fn icon(path: &str) -> Element {
    let svg = dom::document().create_element_ns(Some(SVG), "svg").expect_throw("the tag is a constant");
    for (name, value) in [("class", "svc-icon"), ("viewBox", "0 0 24 24"), ("aria-hidden", "true")] {
        dom::attribute(&svg, name, value);
    }
    let shape = dom::document().create_element_ns(Some(SVG), "path").expect_throw("the tag is a constant");
    dom::attribute(&shape, "d", path);
    dom::append(&svg, &[&shape]);
    svg
}
