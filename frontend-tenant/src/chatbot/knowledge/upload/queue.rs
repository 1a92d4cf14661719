//! The queue of files, which are sent two at a time, with the result of each. It continues when the page is left.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use app::{
    api, error_messages, format,
    i18n::{Localized, Text},
    problem::Problem,
    resource::Resource,
    ui::Tone,
    upload::Transfer,
    upload_kinds::{SizeLimits, is_readable},
    upload_pace::Totals,
};
use contract::{
    ChatbotId, ErrorCode, Page,
    documents::{ChatbotSource, ListSources, SourceKind, SourceListQuery},
    id::SourceId,
    page::MAX_LIMIT,
    sources::{CreateSource, NewSource},
    uploads::{ExternalId, PutDocument, UploadOutcome},
};
use futures::lock::Mutex;
use leptos::{prelude::*, task::spawn_local};

use super::files::{CollectedFiles, MAX_FILES};
use crate::texts::{knowledge as texts, uploads as upload_texts};

/// Files that are sent at the same time.
const MAX_CONCURRENT_FILES: usize = 2;
/// Between two loadings of the documents while files are sent.
const RELOAD_MS: f64 = 2_000.0;

/// A file on its way.
#[derive(Clone, PartialEq)]
pub(super) struct Sent {
    pub(super) key: usize,
    pub(super) path: String,
    bytes: u64,
    /// Whether it was refused before anything was sent.
    is_refused: bool,
    pub(super) state: RwSignal<SendState>,
    sent: RwSignal<u64>,
}

#[derive(Clone, PartialEq)]
pub(super) enum SendState {
    Waiting,
    Uploading,
    Done(UploadOutcome),
    Failed(Localized),
    /// As failed, but the server was away or had no room: it can be sent again.
    Unreachable(Localized),
    Cancelled,
}

impl SendState {
    pub(super) fn has_ended(&self) -> bool {
        !matches!(self, Self::Waiting | Self::Uploading)
    }

    /// Whether users should see it even in a long list.
    pub(super) fn is_notable(&self) -> bool {
        matches!(self, Self::Uploading) || self.has_failed()
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Unreachable(_))
    }

    pub(super) fn can_be_sent_again(&self) -> bool {
        matches!(self, Self::Unreachable(_))
    }

    pub(super) const fn badge(&self) -> (Tone, Text) {
        match self {
            Self::Waiting => (Tone::Neutral, texts::UPLOAD_WAITS),
            Self::Uploading => (Tone::Info, texts::UPLOAD_RUNS),
            Self::Done(UploadOutcome::Unchanged) => (Tone::Neutral, texts::UPLOAD_SAME),
            Self::Done(_) => (Tone::Success, texts::UPLOAD_DONE),
            Self::Failed(_) | Self::Unreachable(_) => (Tone::Danger, texts::UPLOAD_FAILED),
            Self::Cancelled => (Tone::Neutral, upload_texts::CANCELLED),
        }
    }

    pub(super) fn reason(&self) -> Option<Localized> {
        match self {
            Self::Failed(reason) | Self::Unreachable(reason) => Some(reason.clone()),
            _ => None,
        }
    }
}

impl From<Problem> for SendState {
    fn from(problem: Problem) -> Self {
        match problem.code() {
            Some(ErrorCode::ServiceUnavailable | ErrorCode::StorageFull | ErrorCode::RateLimited) => {
                Self::Unreachable(problem.message())
            }
            // These need no look into the server's log.
            Some(ErrorCode::UnsupportedDocumentType | ErrorCode::PayloadTooLarge) => Self::Failed(problem.sentence()),
            _ => Self::Failed(problem.message()),
        }
    }
}

/// A queued file with its source.
struct Queued {
    file: Sent,
    id: ExternalId,
    content: web_sys::File,
    target: Option<SourceId>,
}

/// The part that outlives the page.
#[derive(Default)]
struct Queue {
    waiting: RefCell<VecDeque<Queued>>,
    running: RefCell<Vec<(usize, Transfer)>>,
    /// Files that failed because the server was away.
    unreachable: RefCell<Vec<Queued>>,
    workers: Cell<usize>,
    /// The source for files without a chosen one, as long as files are sent.
    first: Mutex<Option<SourceId>>,
    keys: Cell<usize>,
    reloaded_at: Cell<f64>,
}

/// The uploads of this page.
#[derive(Clone, Copy)]
pub(super) struct Uploads {
    id: ChatbotId,
    sources: Resource<Page<ChatbotSource>>,
    /// The target source; the first one when none was chosen.
    pub(super) target: RwSignal<Option<SourceId>>,
    pub(super) list: RwSignal<Vec<Sent>>,
    pub(super) busy: RwSignal<bool>,
    /// The files of the last drop that were refused.
    pub(super) notice: RwSignal<Option<Localized>>,
    /// When the batch began, and what was there before.
    pub(super) began: RwSignal<(f64, Totals)>,
    pub(super) limits: SizeLimits,
    /// Whether text in pictures is recognised; `None` until it is loaded.
    pub(super) reads_scans: Signal<Option<bool>>,
    queue: StoredValue<Rc<Queue>, LocalStorage>,
}

impl Uploads {
    pub(super) fn new(
        id: ChatbotId,
        sources: Resource<Page<ChatbotSource>>,
        limits: SizeLimits,
        reads_scans: Signal<Option<bool>>,
    ) -> Self {
        Self {
            id,
            sources,
            target: RwSignal::new(None),
            list: RwSignal::new(Vec::new()),
            busy: RwSignal::new(false),
            notice: RwSignal::new(None),
            began: RwSignal::new((0.0, Totals::default())),
            limits,
            reads_scans,
            queue: StoredValue::new_local(Rc::default()),
        }
    }

    /// The progress of all files, without those that were refused immediately; tracked.
    pub(super) fn totals(self) -> Totals {
        self.list.with(|list| {
            list.iter().filter(|file| !file.is_refused).fold(Totals::default(), |sum, file| {
                let has_ended = file.state.with(SendState::has_ended);
                let sent = if has_ended { file.bytes } else { file.sent.get().min(file.bytes) };
                Totals {
                    files: sum.files + 1,
                    done: sum.done + usize::from(has_ended),
                    bytes: sum.bytes + file.bytes,
                    sent: sum.sent + sent,
                }
            })
        })
    }

    /// Adds files to the list and sends those that can be read. Adds nothing when the page is gone by then.
    pub(super) fn add(self, collected: CollectedFiles) {
        let Some(queue) = self.queue.try_get_value() else { return };
        let notice = collected.is_cut.then(|| upload_texts::TOO_MANY.with_localized([format::count(MAX_FILES)]));
        self.notice.set(notice);
        if !self.busy.get_untracked() {
            self.begin();
        }
        let target = self.target.get_untracked();
        let (mut listed, mut waiting) = (Vec::new(), VecDeque::new());
        for path in collected.unopened {
            listed.push(queue.file(path, 0, Some(upload_texts::NOT_OPENED.into())));
        }
        for (path, content) in collected.files {
            let bytes = size(&content);
            match self.checked(&path, bytes, &content.type_()) {
                Err(reason) => listed.push(queue.file(path, bytes, Some(reason))),
                Ok(id) => {
                    let file = queue.file(path, bytes, None);
                    listed.push(file.clone());
                    waiting.push_back(Queued { file, id, content, target });
                }
            }
        }
        self.list.update(|list| list.extend(listed));
        queue.waiting.borrow_mut().append(&mut waiting);
        self.start(&queue);
    }

    /// Sends the files again that failed because the server was away; they come to the end of the list.
    pub(super) fn send_again(self) {
        let queue = self.queue.get_value();
        let again = queue.unreachable.take();
        self.list.update(|list| list.retain(|file| !file.state.with_untracked(SendState::can_be_sent_again)));
        self.begin();
        for Queued { file, .. } in &again {
            file.state.set(SendState::Waiting);
            file.sent.set(0);
        }
        self.list.update(|list| list.extend(again.iter().map(|queued| queued.file.clone())));
        queue.waiting.borrow_mut().extend(again);
        self.start(&queue);
    }

    /// Begins a batch after the files that the list has now.
    fn begin(self) {
        self.began.set((js_sys::Date::now(), untrack(|| self.totals())));
    }

    /// The name of a file on the platform, or the reason why it is not sent.
    fn checked(self, path: &str, bytes: u64, media_type: &str) -> Result<ExternalId, Localized> {
        if !is_readable(path, media_type) {
            let text = match self.reads_scans.get_untracked() {
                // The API's sentence names no pictures.
                Some(false) => error_messages::sentence(Some(ErrorCode::UnsupportedDocumentType)),
                _ => texts::UNSUPPORTED_TYPE,
            };
            return Err(text.into());
        }
        let max_bytes = self.limits.of(path, media_type);
        if bytes > max_bytes {
            return Err(texts::UPLOAD_TOO_LARGE.with_localized([bytes, max_bytes].map(format::bytes)));
        }
        path.trim().parse().map_err(|_| texts::UPLOAD_BAD_NAME.into())
    }

    fn start(self, queue: &Rc<Queue>) {
        let workers = MAX_CONCURRENT_FILES.min(queue.workers.get() + queue.waiting.borrow().len());
        for _ in queue.workers.get()..workers {
            queue.workers.set(queue.workers.get() + 1);
            self.busy.set(true);
            spawn_local(self.work(Rc::clone(queue)));
        }
    }

    /// Removes waiting files and cancels those being sent.
    pub(super) fn cancel(self) {
        let queue = self.queue.get_value();
        for queued in queue.waiting.take() {
            queued.file.state.set(SendState::Cancelled);
        }
        let running: Vec<_> = queue.running.borrow().iter().map(|(_, transfer)| transfer.clone()).collect();
        running.iter().for_each(Transfer::cancel);
    }

    /// Forgets the files that have ended.
    pub(super) fn clear(self) {
        self.list.set(Vec::new());
        self.queue.get_value().unreachable.borrow_mut().clear();
        self.notice.set(None);
        self.began.set((0.0, Totals::default()));
    }

    /// Sends queued files one after another.
    async fn work(self, queue: Rc<Queue>) {
        loop {
            let next = queue.waiting.borrow_mut().pop_front();
            let Some(queued) = next else { break };
            let state = queued.file.state;
            let _ = state.try_set(SendState::Uploading);
            let ended = match self.send(&queue, &queued).await {
                Some(Ok(outcome)) => SendState::Done(outcome),
                Some(Err(problem)) => problem.into(),
                None => SendState::Cancelled,
            };
            if ended.can_be_sent_again() {
                queue.unreachable.borrow_mut().push(queued);
            }
            let _ = state.try_set(ended);
            self.reload(&queue, RELOAD_MS);
        }
        queue.workers.set(queue.workers.get() - 1);
        if queue.workers.get() == 0 {
            *queue.first.lock().await = None;
            self.reload(&queue, 0.0);
            let _ = self.busy.try_set(false);
        }
    }

    /// Reloads the lists, at most once in `pause_ms` milliseconds.
    fn reload(self, queue: &Queue, pause_ms: f64) {
        let now = js_sys::Date::now();
        if self.busy.try_get_untracked().is_some() && now - queue.reloaded_at.get() >= pause_ms {
            queue.reloaded_at.set(now);
            self.sources.reload();
        }
    }

    /// Sends a file; `None` when it was cancelled.
    async fn send(self, queue: &Queue, queued: &Queued) -> Option<Result<UploadOutcome, Problem>> {
        let Queued { file, id, content, target } = queued;
        let sent = file.sent;
        let transfer = Transfer::new(move |bytes| {
            let _ = sent.try_set(bytes);
        });
        queue.running.borrow_mut().push((file.key, transfer.clone()));
        let answer = match self.place(queue, *target).await {
            Ok(source) => transfer.send::<PutDocument>(&(self.id, source, id.clone()), content).await,
            Err(problem) => Some(Err(problem)),
        };
        queue.running.borrow_mut().retain(|(key, _)| *key != file.key);
        Some(answer?.map(|uploaded| uploaded.outcome))
    }

    /// The source of a file: the chosen one, else the first one.
    async fn place(self, queue: &Queue, target: Option<SourceId>) -> Result<SourceId, Problem> {
        if let Some(target) = target {
            return Ok(target);
        }
        // One of the concurrent uploads searches for it; the other one waits.
        let mut first = queue.first.lock().await;
        match *first {
            Some(source) => Ok(source),
            None => Ok(*first.insert(self.first_source().await?)),
        }
    }

    /// The chatbot's first source of uploads; creates one when there is none.
    async fn first_source(self) -> Result<SourceId, Problem> {
        if let Some(source) = self.find().await? {
            return Ok(source);
        }
        let new = NewSource {
            kind: SourceKind::Upload,
            name: untrack(|| texts::UPLOAD_SOURCE.get().to_owned()),
            website: None,
        };
        match api::call::<CreateSource>(&self.id, &(), &new).await {
            Ok(source) => Ok(source.id),
            // Another page created it at the same moment.
            Err(problem) if problem.code() == Some(ErrorCode::SourceNameTaken) => self.find().await?.ok_or(problem),
            Err(problem) => Err(problem),
        }
    }

    async fn find(self) -> Result<Option<SourceId>, Problem> {
        let all = SourceListQuery { limit: MAX_LIMIT, offset: 0 };
        let sources = api::call::<ListSources>(&self.id, &all, &()).await?;
        Ok(sources.items.iter().find(|source| source.kind == SourceKind::Upload).map(|source| source.id))
    }
}

impl Queue {
    /// A file for the list; one with a reason is not sent.
    fn file(&self, path: String, bytes: u64, reason: Option<Localized>) -> Sent {
        let key = self.keys.get();
        self.keys.set(key + 1);
        let is_refused = reason.is_some();
        let state = RwSignal::new(reason.map_or(SendState::Waiting, SendState::Failed));
        Sent { key, path, bytes, is_refused, state, sent: RwSignal::new(0) }
    }
}

fn size(file: &web_sys::File) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes of files are whole numbers")]
    let bytes = file.size() as u64;
    bytes
}
