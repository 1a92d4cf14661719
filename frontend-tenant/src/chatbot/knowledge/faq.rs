//! The tenant's own answers of a chatbot: list, add, change, remove.

use app::{
    api,
    list_url::ListUrl,
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    ui::{
        Badge, Button, ButtonKind, Card, ConfirmDialog, EmptyState, IconName, LocalPages, Prose, SkeletonTable,
        ToastKind, Tone, toast, toast_problem,
    },
};
use contract::{
    ChatbotId, FaqId, Page,
    chatbots::Provisioning,
    faq::{ChatbotFaqEntry, DeleteFaq, FaqListQuery, GetFaq, ListFaq},
    page::PageQuery,
};
use leptos::prelude::*;

use super::faq_files::FaqFiles;
use crate::{
    faq_dialog::{Draft, FaqDialog},
    read_only::is_read_only,
    texts::faq as texts,
};

/// The entries, newest first, page by page; the page's search narrows them.
#[component]
pub(super) fn FaqCard(
    id: ChatbotId,
    /// The page's search.
    url: ListUrl,
) -> impl IntoView {
    let (words, range) = (url.signal("q"), RwSignal::new((0, super::PAGE_SIZE)));
    // Another search begins with its first page, and so does what follows the last entry of a page.
    Effect::new(move |before: Option<String>| {
        let words = words.get();
        if before.is_some_and(|before| before != words) {
            range.update(|(offset, _)| *offset = 0);
        }
        words
    });
    let entries = Resource::new(move || {
        let (q, (offset, limit)) = (Some(words.get()).filter(|words| !words.is_empty()), range.get());
        let query = FaqListQuery { page: PageQuery { q, offset, limit, ..PageQuery::default() } };
        async move { api::call::<ListFaq>(&id, &query, &()).await }
    });
    let draft = RwSignal::new(None::<Draft>);
    let leaving = RwSignal::new(None::<ChatbotFaqEntry>);
    let reload = Callback::new(move |()| range.update(|(offset, _)| *offset = 0));
    view! {
        <Card title=texts::FAQ>
            <div class="ui-row ui-row--wrap">
                {(!is_read_only()).then(|| view! {
                    <Button
                        kind=ButtonKind::Primary
                        icon=IconName::Plus
                        small=true
                        on_click=Callback::new(move |()| draft.set(Some(Draft::default())))
                    >
                        {texts::NEW.t()}
                    </Button>
                })}
                <FaqFiles id imported=reload />
            </div>
            <Loaded resource=entries skeleton=|| view! { <SkeletonTable columns=2 /> } let:page>
                <Entries page words range draft leaving />
            </Loaded>
        </Card>
        <FaqDialog chatbot=Signal::stored(Some(id)) draft on_saved=Callback::new(move |_| reload.run(())) />
        <RemoveDialog id leaving removed=reload />
    }
}

/// One page of the entries.
#[component]
fn Entries(
    page: Page<ChatbotFaqEntry>,
    /// The page's search.
    words: Signal<String>,
    /// Offset and limit.
    range: RwSignal<(i64, i64)>,
    draft: RwSignal<Option<Draft>>,
    leaving: RwSignal<Option<ChatbotFaqEntry>>,
) -> impl IntoView {
    if page.items.is_empty() {
        return nothing(untrack(|| words.get()).is_empty());
    }
    let rows = page.items.into_iter().map(|entry| row(entry, draft, leaving)).collect_view();
    view! {
        <ul class="ui-entries" aria-label=texts::FAQ.t()>{rows}</ul>
        <LocalPages range total=page.total limit=page.limit offset=page.offset of=Some(texts::FAQ) />
    }
    .into_any()
}

/// Shown without entries, in general or for a search.
fn nothing(in_all: bool) -> AnyView {
    if !in_all {
        return view! { <p class="ui-muted">{texts::FAQ_NO_MATCH.t()}</p> }.into_any();
    }
    let text = texts::FAQ_NONE_TEXT;
    view! { <EmptyState icon=IconName::Question title=texts::FAQ_NONE text compact=true /> }.into_any()
}

fn row(
    entry: ChatbotFaqEntry,
    draft: RwSignal<Option<Draft>>,
    leaving: RwSignal<Option<ChatbotFaqEntry>>,
) -> impl IntoView {
    let (tone, state) = match entry.state {
        Provisioning::Ready => (Tone::Success, texts::READY),
        Provisioning::Pending | Provisioning::Failed => (Tone::Warning, texts::WAITING),
    };
    let (question, answer, from_template) = (entry.question.clone(), entry.answer.clone(), entry.from_template);
    let also = (!entry.variants.is_empty()).then(|| texts::ALSO.with(&[&entry.variants.join(" · ")]));
    let remove_label = texts::REMOVE_NAMED.with(&[&question]);
    let change_label = texts::CHANGE_NAMED.with(&[&question]);
    let actions = (!is_read_only()).then(|| {
        let (place, busy) = ((entry.chatbot_id, entry.id), RwSignal::new(false));
        let change = Callback::new(move |()| open_entry(place, draft, busy));
        let ask = Callback::new(move |()| leaving.set(Some(entry.clone())));
        view! {
            <div class="ui-row">
                <Button kind=ButtonKind::Ghost small=true icon=IconName::Edit busy on_click=change>
                    <span class="ui-visually-hidden">{change_label}</span>
                    <span aria-hidden="true">{texts::CHANGE.t()}</span>
                </Button>
                <Button kind=ButtonKind::Ghost small=true icon=IconName::Trash on_click=ask>
                    <span class="ui-visually-hidden">{remove_label}</span>
                    <span aria-hidden="true">{texts::REMOVE.t()}</span>
                </Button>
            </div>
        }
    });
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--wrap">
                <span class="ui-strong ui-break">{question}</span>
                <Badge tone dot=true>{state.t()}</Badge>
                {from_template.then(|| view! { <Badge>{texts::FROM_TEMPLATE.t()}</Badge> })}
            </div>
            {also.map(|also| view! { <p class="ui-muted ui-small">{also}</p> })}
            <Prose text=answer />
            {actions}
        </li>
    }
}

/// Opens the dialog with the stored entry.
fn open_entry(place: (ChatbotId, FaqId), draft: RwSignal<Option<Draft>>, busy: RwSignal<bool>) {
    let call = async move { api::call::<GetFaq>(&place, &(), &()).await };
    spawn_on_page(busy, call, move |read| match read {
        Ok(entry) => draft.set(Some(Draft::of(entry))),
        Err(problem) => toast_problem(&problem),
    });
}

#[component]
fn RemoveDialog(id: ChatbotId, leaving: RwSignal<Option<ChatbotFaqEntry>>, removed: Callback<()>) -> impl IntoView {
    let (open, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None));
    Effect::new(move |_| open.set(leaving.with(Option::is_some)));
    let confirm = Callback::new(move |()| {
        let Some(entry) = leaving.get_untracked() else { return };
        let call = async move { api::call::<DeleteFaq>(&(id, entry.id), &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Err(problem) if !problem.is_missing() => failure.set(Some(problem)),
            // It may have been deleted in another tab.
            _ => {
                leaving.set(None);
                toast(ToastKind::Success, texts::REMOVED);
                removed.run(());
            }
        });
    });
    move || {
        let question = leaving.with(|entry| entry.as_ref().map(|entry| entry.question.clone())).unwrap_or_default();
        view! {
            <ConfirmDialog
                open
                title=texts::REMOVE_TITLE
                text=texts::REMOVE_TEXT.with(&[&question])
                confirm_label=texts::REMOVE
                busy
                failure
                on_confirm=confirm
            />
        }
    }
}
