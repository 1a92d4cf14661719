//! An upload with progress that can be cancelled. `fetch` has no upload progress, so this is an `XMLHttpRequest`.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use contract::{Endpoint, ErrorCode, client::ClientError, file::File};
use futures::channel::oneshot;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{ProgressEvent, XmlHttpRequest};

use crate::{api::needs_fresh_token, auth, bearer, problem::Problem};

/// An upload on its way; its clones are the same one.
#[derive(Clone)]
pub struct Transfer {
    request: Rc<RefCell<Option<XmlHttpRequest>>>,
    is_cancelled: Rc<Cell<bool>>,
    on_progress: Rc<dyn Fn(u64)>,
}

impl core::fmt::Debug for Transfer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Transfer")
    }
}

impl Transfer {
    /// An upload that calls `on_progress` with the number of sent bytes.
    pub fn new(on_progress: impl Fn(u64) + 'static) -> Self {
        Self { request: Rc::default(), is_cancelled: Rc::default(), on_progress: Rc::new(on_progress) }
    }

    /// Cancels the upload.
    pub fn cancel(&self) {
        self.is_cancelled.set(true);
        if let Some(request) = self.request.borrow().as_ref() {
            let _ = request.abort();
        }
    }

    /// Sends a file to an endpoint; `None` when it was cancelled.
    ///
    /// # Errors
    /// The API's error, or that it is unreachable.
    pub async fn send<E: Endpoint<Body = File, Query = ()>>(
        &self,
        path: &E::Path,
        file: &web_sys::File,
    ) -> Option<Result<E::Reply, Problem>> {
        if self.is_cancelled.get() {
            return None;
        }
        let answer = self.send_with_token(E::METHOD.as_str(), &E::path(path), file).await;
        if self.is_cancelled.get() {
            return None;
        }
        Some(answer.and_then(|text| serde_json::from_str(&text).map_err(|_| ErrorCode::InternalError.into())))
    }

    async fn send_with_token(&self, method: &str, url: &str, file: &web_sys::File) -> Result<String, Problem> {
        let first = self.once(method, url, file).await.map_err(Problem::from);
        if first.as_ref().is_err_and(needs_fresh_token) && !self.is_cancelled.get() && auth::refresh().await {
            return self.once(method, url, file).await.map_err(Problem::from);
        }
        first
    }

    async fn once(&self, method: &str, url: &str, file: &web_sys::File) -> Result<String, ClientError> {
        let request = XmlHttpRequest::new().map_err(|_| ClientError::unreachable())?;
        let (ended, end) = oneshot::channel::<()>();
        let mut ended = Some(ended);
        let on_end = Closure::<dyn FnMut()>::new(move || {
            if let Some(ended) = ended.take() {
                let _ = ended.send(());
            }
        });
        let tell = Rc::clone(&self.on_progress);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes of files are whole numbers")]
        let on_progress =
            Closure::<dyn FnMut(ProgressEvent)>::new(move |event: ProgressEvent| tell(event.loaded() as u64));
        request.set_onloadend(Some(on_end.as_ref().unchecked_ref()));
        if let Ok(upload) = request.upload() {
            upload.set_onprogress(Some(on_progress.as_ref().unchecked_ref()));
        }
        begin(&request, method, url, file).ok_or_else(ClientError::unreachable)?;
        *self.request.borrow_mut() = Some(request.clone());
        let _ = end.await;
        *self.request.borrow_mut() = None;
        received(&request)
    }
}

/// Sends the request; `None` where the browser refuses.
fn begin(request: &XmlHttpRequest, method: &str, url: &str, file: &web_sys::File) -> Option<()> {
    request.open(method, url).ok()?;
    request.set_request_header("accept", "application/json").ok()?;
    if let Some(token) = bearer::current() {
        request.set_request_header("authorization", &format!("Bearer {token}")).ok()?;
    }
    let blob: &web_sys::Blob = file.as_ref();
    request.send_with_opt_blob(Some(blob)).ok()
}

/// The text of a successful answer.
fn received(request: &XmlHttpRequest) -> Result<String, ClientError> {
    let text = request.response_text().ok().flatten().unwrap_or_default();
    match request.status().unwrap_or_default() {
        0 => Err(ClientError::unreachable()),
        200..=299 => Ok(text),
        status => {
            let request_id = request.get_response_header("x-request-id").ok().flatten();
            Err(ClientError::refused(status, &text, request_id))
        }
    }
}
