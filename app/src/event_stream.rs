//! Server-sent events of the API, read from the body of a `fetch`, because the browser's `EventSource` cannot send a
//! bearer token.

use contract::client::Response;
use js_sys::{Reflect, Uint8Array};
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::ReadableStreamDefaultReader;

use crate::event_text::Event;

/// A stream of events that is being read.
#[derive(Debug)]
pub struct EventStream {
    reader: ReadableStreamDefaultReader,
    received: Vec<u8>,
}

/// Ends a stream that another task reads.
#[derive(Debug, Clone)]
pub struct StreamCloser(ReadableStreamDefaultReader);

impl StreamCloser {
    /// Ends the stream; a pending [`EventStream::next`] returns `None`.
    pub fn close(&self) {
        let cancelled = JsFuture::from(self.0.cancel());
        // It fails when the stream has broken by itself.
        spawn_local(async move {
            let _ = cancelled.await;
        });
    }
}

impl EventStream {
    /// The events of a response; `None` when the browser has no body to read.
    pub(crate) fn of(response: Response) -> Option<Self> {
        let response: web_sys::Response = response.into();
        let reader = response.body()?.get_reader().dyn_into::<ReadableStreamDefaultReader>().ok()?;
        Some(Self { reader, received: Vec::new() })
    }

    /// A handle that ends the stream.
    pub fn closer(&self) -> StreamCloser {
        StreamCloser(self.reader.clone())
    }

    /// The next event; `None` when the stream has ended or failed.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some(end) = self.received.windows(2).position(|two| two == b"\n\n") {
                let text: Vec<u8> = self.received.drain(..end + 2).collect();
                if let Some(event) = Event::parse(&String::from_utf8_lossy(&text)) {
                    return Some(event);
                }
            }
            let step = JsFuture::from(self.reader.read()).await.ok()?;
            if Reflect::get(&step, &"done".into()).ok()?.is_truthy() {
                return None;
            }
            let part = Reflect::get(&step, &"value".into()).ok()?.dyn_into::<Uint8Array>().ok()?;
            self.received.extend(part.to_vec());
        }
    }
}
