//! Upper and lower case beyond ASCII, by the browser: the standard library's tables would be larger than a page.

use js_sys::JsString;

pub(crate) fn lower(text: &str) -> String {
    JsString::from(text).to_lower_case().into()
}

pub(crate) fn upper(text: &str) -> String {
    JsString::from(text).to_upper_case().into()
}
