//! Files on their way to the platform: dropped or chosen, sent one after another, each with what became of it.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use app::{
    api,
    backend::ConsoleConfig,
    format,
    i18n::Localized,
    problem::Problem,
    resource::Resource,
    ui::{Badge, Button, ButtonKind, Card, Icon, IconName, Tone},
};
use contract::{
    ChatbotId, ErrorCode, Page,
    documents::{ChatbotSource, ListSources, SourceKind, SourceListQuery},
    id::SourceId,
    page::MAX_LIMIT,
    sources::{CreateSource, NewSource},
    uploads::{ExternalId, PutDocument, UploadOutcome},
};
use leptos::{ev, html, prelude::*, task::spawn_local};

use crate::texts::knowledge as texts;

/// What the file dialog offers.
const ACCEPTED: &str = ".md,.markdown,.html,.htm,.xhtml,.txt,.text,.pdf,.docx,.xlsx,.pptx,.odt,.epub,.csv,.tsv,.jsonl,.ndjson,.png,.jpg,.jpeg,.tif,\
     .tiff,.zip,.tar,.tgz,.gz";

/// A file on its way.
#[derive(Clone)]
struct Sent {
    name: String,
    state: RwSignal<SendState>,
}

#[derive(Clone, PartialEq)]
enum SendState {
    Waiting,
    Uploading,
    Done(UploadOutcome),
    Failed(Localized),
}

/// Files that were not sent yet. Sending goes on when the page is left.
type Queue = Rc<RefCell<VecDeque<(Sent, web_sys::File)>>>;

/// The uploads of this page.
#[derive(Clone, Copy)]
struct Uploads {
    id: ChatbotId,
    sources: Resource<Page<ChatbotSource>>,
    list: RwSignal<Vec<Sent>>,
    queue: StoredValue<Queue, LocalStorage>,
    busy: RwSignal<bool>,
    max: Limits,
}

/// Bytes that files may have.
#[derive(Clone, Copy)]
struct Limits {
    file: u64,
    archive: u64,
}

impl Limits {
    fn of(self, name: &str) -> u64 {
        let name = name.to_ascii_lowercase();
        let is_archive = [".zip", ".tar", ".tar.gz", ".tgz"].iter().any(|ending| name.ends_with(ending));
        if is_archive { self.archive } else { self.file }
    }
}

/// The place to drop files on, and the button that chooses them.
#[component]
pub(super) fn UploadCard(id: ChatbotId, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let config = expect_context::<ConsoleConfig>();
    let number = |text: &str| text.parse().unwrap_or(u64::MAX);
    let max = Limits { file: number(&config.max_file_bytes), archive: number(&config.max_archive_bytes) };
    let uploads = Uploads {
        id,
        sources,
        list: RwSignal::new(Vec::new()),
        queue: StoredValue::new_local(Queue::default()),
        busy: RwSignal::new(false),
        max,
    };
    let (input, is_over) = (NodeRef::<html::Input>::new(), RwSignal::new(false));
    let choose = Callback::new(move |()| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    });
    let chosen = move |_| {
        let Some(input) = input.get_untracked() else { return };
        uploads.add(input.files());
        // The same file can be chosen once more.
        input.set_value("");
    };
    let over = move |event: ev::DragEvent| {
        event.prevent_default();
        is_over.set(true);
    };
    let dropped = move |event: ev::DragEvent| {
        event.prevent_default();
        is_over.set(false);
        uploads.add(event.data_transfer().and_then(|data| data.files()));
    };
    let knows_nothing = move || sources.get().is_some_and(|page| page.items.iter().all(is_empty));
    view! {
        <Card title=texts::UPLOAD>
            {move || knows_nothing().then(|| view! { <p>{texts::UPLOAD_FIRST.t()}</p> })}
            <div
                class="ui-dropzone"
                class=("ui-dropzone--over", is_over)
                on:dragover=over
                on:dragleave=move |_| is_over.set(false)
                on:drop=dropped
            >
                <span class="ui-dropzone__icon"><Icon name=IconName::Upload /></span>
                <p>{texts::UPLOAD_TEXT.t()}</p>
                <input
                    class="ui-file"
                    type="file"
                    multiple=true
                    accept=ACCEPTED
                    aria-label=texts::UPLOAD_CHOOSE.t()
                    hidden
                    node_ref=input
                    on:change=chosen
                />
                <Button kind=ButtonKind::Primary icon=IconName::Upload on_click=choose>
                    {texts::UPLOAD_CHOOSE.t()}
                </Button>
                <p class="ui-muted ui-small">{texts::UPLOAD_FORMATS.with_localized([max.file, max.archive].map(format::bytes))}</p>
            </div>
            <SentFiles uploads />
        </Card>
    }
}

fn is_empty(source: &ChatbotSource) -> bool {
    source.documents + source.pending + source.failed == 0
}

/// The files that were sent from this page, and what became of each.
#[component]
fn SentFiles(uploads: Uploads) -> impl IntoView {
    let (list, busy) = (uploads.list, uploads.busy);
    let told = move || {
        let sent = list.get();
        let done = sent.iter().filter(|file| file.state.with(SendState::has_ended)).count();
        texts::UPLOADING.with_localized([format::count(done), format::count(sent.len())]).get()
    };
    move || {
        (!list.with(Vec::is_empty)).then(|| {
            let rows = list.get().into_iter().map(row).collect_view();
            view! {
                <div class="ui-stack ui-stack--small">
                    <div class="ui-row ui-row--between ui-row--wrap">
                        <p role="status">{told}</p>
                        <Button
                            kind=ButtonKind::Ghost
                            small=true
                            disabled=busy
                            on_click=Callback::new(move |()| list.set(Vec::new()))
                        >
                            {texts::UPLOAD_CLEAR.t()}
                        </Button>
                    </div>
                    <ul class="ui-entries" aria-label=texts::UPLOADS.t()>{rows}</ul>
                </div>
            }
        })
    }
}

fn row(file: Sent) -> impl IntoView {
    let state = file.state;
    let end = move || {
        let (tone, text) = state.with(SendState::badge);
        view! { <Badge tone dot=true>{text}</Badge> }
    };
    let reason = move || state.with(SendState::reason).map(|reason| view! { <p class="ui-small">{reason}</p> });
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between ui-row--wrap">
                <span class="ui-mono ui-small ui-break">{file.name}</span>
                {end}
            </div>
            {reason}
        </li>
    }
}

impl SendState {
    fn has_ended(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Failed(_))
    }

    fn badge(&self) -> (Tone, Localized) {
        match self {
            Self::Waiting => (Tone::Neutral, texts::UPLOAD_WAITS.into()),
            Self::Uploading => (Tone::Info, texts::UPLOAD_RUNS.into()),
            Self::Done(UploadOutcome::Unchanged) => (Tone::Neutral, texts::UPLOAD_SAME.into()),
            Self::Done(_) => (Tone::Success, texts::UPLOAD_DONE.into()),
            Self::Failed(_) => (Tone::Danger, texts::UPLOAD_FAILED.into()),
        }
    }

    fn reason(&self) -> Option<Localized> {
        match self {
            Self::Failed(reason) => Some(reason.clone()),
            _ => None,
        }
    }
}

impl Uploads {
    /// Adds files to the list and sends them.
    fn add(self, files: Option<web_sys::FileList>) {
        let Some(files) = files else { return };
        let new: Vec<_> =
            (0..files.length()).filter_map(|index| files.get(index)).map(|file| (sent(&file), file)).collect();
        self.list.update(|list| list.extend(new.iter().map(|(sent, _)| sent.clone())));
        let queue = self.queue.get_value();
        queue.borrow_mut().extend(new);
        if !self.busy.get_untracked() {
            self.busy.set(true);
            spawn_local(self.send_all(queue));
        }
    }

    /// Sends one file after another, until none waits.
    async fn send_all(self, queue: Queue) {
        let mut source = None;
        loop {
            let Some((file, content)) = queue.borrow_mut().pop_front() else { break };
            let _ = file.state.try_set(SendState::Uploading);
            let ended = match self.send(&mut source, &file.name, content).await {
                Ok(outcome) => SendState::Done(outcome),
                Err(reason) => SendState::Failed(reason),
            };
            let _ = file.state.try_set(ended);
            if self.busy.try_get_untracked().is_some() {
                self.sources.reload();
            }
        }
        let _ = self.busy.try_set(false);
    }

    async fn send(
        self,
        source: &mut Option<SourceId>,
        name: &str,
        file: web_sys::File,
    ) -> Result<UploadOutcome, Localized> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes of files are whole numbers")]
        let bytes = file.size() as u64;
        // Told before it is sent.
        let max_bytes = self.max.of(name);
        if bytes > max_bytes {
            return Err(texts::UPLOAD_TOO_LARGE.with_localized([bytes, max_bytes].map(format::bytes)));
        }
        let id: ExternalId = name.trim().parse().map_err(|_| Localized::from(texts::UPLOAD_BAD_NAME))?;
        let source = match *source {
            Some(source) => source,
            None => *source.insert(self.source().await.map_err(|problem| problem.told())?),
        };
        let uploaded = api::upload::<PutDocument>(&(self.id, source, id), &(), file).await;
        uploaded.map(|uploaded| uploaded.outcome).map_err(|problem| match problem.code() {
            // Nobody needs to look into the log for this.
            Some(ErrorCode::UnsupportedDocumentType | ErrorCode::PayloadTooLarge) => problem.sentence(),
            _ => problem.told(),
        })
    }

    /// The chatbot's first source of uploads; one is made when it has none.
    async fn source(self) -> Result<SourceId, Problem> {
        if let Some(source) = self.find().await? {
            return Ok(source);
        }
        let new = NewSource {
            kind: SourceKind::Upload,
            name: untrack(|| texts::UPLOAD_SOURCE.get().to_owned()),
            website: None,
        };
        match api::call::<CreateSource>(&self.id, &(), &new).await {
            Ok(made) => Ok(made.id),
            // Another page made it at the same moment.
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

fn sent(file: &web_sys::File) -> Sent {
    Sent { name: file.name(), state: RwSignal::new(SendState::Waiting) }
}
