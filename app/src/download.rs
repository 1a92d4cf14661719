//! File downloads and uploads. The bearer token is in memory, so a plain link cannot fetch a response: it becomes a
//! blob, and a link to the blob is clicked.

use std::time::Duration;

use contract::client::Response;
use js_sys::{Array, Function, Reflect, Uint8Array};
use leptos::prelude::{document, set_timeout, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamDefaultReader};

/// How long the blob stays available to the browser.
const BLOB_LIFETIME: Duration = Duration::from_secs(60);
/// Bytes of [`Received::Whole::end`].
const END_BYTES: f64 = 4096.0;

/// Saves the response as a file; `None` when its stream ended early or the browser refuses.
pub(crate) async fn save(response: Response) -> Option<()> {
    let name = response.headers().get("content-disposition").and_then(|header| file_name(&header));
    let response: web_sys::Response = response.into();
    let blob = JsFuture::from(response.blob().ok()?).await.ok()?;
    save_blob(&blob, name.as_deref().unwrap_or("download"))
}

/// How a download with progress ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// It arrived as a whole and was saved.
    Whole {
        /// Bytes that were saved.
        bytes: u64,
        /// The last 4 kB of the text.
        end: String,
    },
    /// The callback stopped it.
    Stopped,
}

/// Like [`save`], but calls `keep_going` with the number of received bytes. When it returns `false`, the response is
/// dropped.
pub(crate) async fn save_watched(response: Response, keep_going: impl Fn(u64) -> bool) -> Option<Received> {
    let name = response.headers().get("content-disposition").and_then(|header| file_name(&header));
    let response: web_sys::Response = response.into();
    let reader = response.body()?.get_reader().dyn_into::<ReadableStreamDefaultReader>().ok()?;
    let (parts, mut bytes) = (Array::new(), 0);
    loop {
        let step = JsFuture::from(reader.read()).await.ok()?;
        if Reflect::get(&step, &"done".into()).ok()?.is_truthy() {
            break;
        }
        let part = Reflect::get(&step, &"value".into()).ok()?.dyn_into::<Uint8Array>().ok()?;
        bytes += u64::from(part.length());
        parts.push(&part);
        if !keep_going(bytes) {
            let _ = JsFuture::from(reader.cancel()).await;
            return Some(Received::Stopped);
        }
    }
    let blob = Blob::new_with_u8_array_sequence(&parts).ok()?;
    save_blob(&blob, name.as_deref().unwrap_or("download"))?;
    let end = blob.slice_with_f64((blob.size() - END_BYTES).max(0.0)).ok()?;
    let end = JsFuture::from(end.text()).await.ok()?.as_string()?;
    Some(Received::Whole { bytes, end })
}

/// Saves a text as a file; `None` when the browser refuses.
pub fn save_text(name: &str, media_type: &str, text: &str) -> Option<()> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    save_blob(&blob, name)
}

/// The text of the chosen file of a file input. Clears the input, so that the same file can be chosen again. `None`
/// without a file, or when it cannot be read.
pub async fn chosen_text(input: web_sys::HtmlInputElement) -> Option<String> {
    let file = input.files()?.get(0)?;
    let text = JsFuture::from(file.text()).await.ok()?.as_string();
    input.set_value("");
    text
}

fn save_blob(blob: &JsValue, name: &str) -> Option<()> {
    let address = url_function("createObjectURL", blob)?.as_string()?;
    let link = document().create_element("a").ok()?.dyn_into::<web_sys::HtmlElement>().ok()?;
    link.set_attribute("href", &address).ok()?;
    link.set_attribute("download", name).ok()?;
    link.click();
    set_timeout(move || drop(url_function("revokeObjectURL", &JsValue::from_str(&address))), BLOB_LIFETIME);
    Some(())
}

/// Calls a static function of the browser's `URL`.
fn url_function(name: &str, argument: &JsValue) -> Option<JsValue> {
    let url = Reflect::get(&window(), &"URL".into()).ok()?;
    let function = Reflect::get(&url, &name.into()).ok()?.dyn_into::<Function>().ok()?;
    function.call1(&url, argument).ok()
}

fn file_name(header: &str) -> Option<String> {
    let (_, name) = header.split_once("filename=")?;
    let name = name.split(';').next()?.trim().trim_matches('"');
    (!name.is_empty()).then(|| name.to_owned())
}
