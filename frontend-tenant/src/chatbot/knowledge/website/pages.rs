//! The pages of a website with their states.

use app::{
    api, format,
    resource::{Loaded, Resource},
    ui::{Badge, Column, Dialog, DialogSize, LocalPages, Select, SkeletonTable, Table},
};
use contract::{
    ChatbotId, Page,
    documents::ChatbotSource,
    id::SourceId,
    page::PageQuery,
    websites::{ListWebsitePages, WebsitePage, WebsitePageListQuery, WebsitePageState},
};
use leptos::prelude::*;

use super::labels;
use crate::texts::website as texts;

/// Rows a page.
const PAGE_SIZE: i64 = 25;

/// The dialog with the pages. They are loaded again with the website.
#[component]
pub(super) fn PagesDialog(
    place: (ChatbotId, SourceId),
    name: String,
    open: RwSignal<bool>,
    of: Memo<Option<ChatbotSource>>,
) -> impl IntoView {
    view! {
        <Dialog open title=texts::PAGES_OF.with(&[&name]) size=DialogSize::Large dismissible=true>
            <Pages place of />
        </Dialog>
    }
}

#[component]
fn Pages(place: (ChatbotId, SourceId), of: Memo<Option<ChatbotSource>>) -> impl IntoView {
    let (state, range) = (RwSignal::new(String::new()), RwSignal::new((0, PAGE_SIZE)));
    let pages = Resource::new(move || {
        of.track();
        let (offset, limit) = range.get();
        let query = WebsitePageListQuery {
            state: state.get().parse().ok(),
            page: PageQuery { offset, limit, ..PageQuery::default() },
        };
        async move { api::call::<ListWebsitePages>(&place, &query, &()).await }
    });
    let states = WebsitePageState::ALL.iter().map(|of| (of.as_str().to_owned(), labels::page_badge(*of).1.into()));
    let states = std::iter::once((String::new(), texts::STATE_ALL.into())).chain(states).collect();
    let choose = Callback::new(move |chosen: String| {
        range.update(|range| range.0 = 0);
        state.set(chosen);
    });
    view! {
        <div class="ui-dialog__body">
            <div class="ui-row">
                <Select label=texts::STATE value=state options=states on_change=choose hide_label=true small=true />
            </div>
            <Loaded resource=pages skeleton=|| view! { <SkeletonTable columns=3 /> } let:pages>
                {list(pages, state, range)}
            </Loaded>
        </div>
    }
}

fn list(pages: Page<WebsitePage>, state: RwSignal<String>, range: RwSignal<(i64, i64)>) -> AnyView {
    if pages.total == 0 {
        let none = if untrack(|| state.get()).is_empty() { texts::PAGES_NONE } else { texts::PAGES_NO_MATCH };
        return view! { <p class="ui-muted">{none.t()}</p> }.into_any();
    }
    let columns = vec![
        Column::new(texts::PAGE),
        Column::new(texts::STATE),
        Column::new(texts::CHECKED).wide_only(),
        Column::new(texts::CHANGED).wide_only(),
    ];
    let rows = pages.items.into_iter().map(row).collect_view();
    view! {
        <Table caption=texts::SHOW_PAGES columns>{rows}</Table>
        <LocalPages range total=pages.total limit=pages.limit offset=pages.offset of=Some(texts::SHOW_PAGES) />
    }
    .into_any()
}

fn row(page: WebsitePage) -> impl IntoView {
    let (tone, state) = labels::page_badge(page.state);
    let title = (!page.title.is_empty()).then(|| view! { {page.title.clone()} <br /> });
    let reason = page.problem.map(|failure| {
        let keeps = page.state == WebsitePageState::Ready;
        view! {
            <p class="ui-small">{labels::problem(failure.code).t()}</p>
            {keeps.then(|| view! { <p class="ui-muted ui-small">{texts::FORMER.t()}</p> })}
        }
    });
    let time = |time: Option<contract::Timestamp>| {
        time.map(|time| view! { <time datetime=format::machine(time)>{format::date_time(time)}</time> })
    };
    let url = page.url.clone();
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {title}
                <a class="ui-link ui-small ui-break" href=page.url target="_blank" rel="noopener noreferrer">{url}</a>
                {reason}
            </td>
            <td class="ui-table__cell"><Badge tone dot=true>{state.t()}</Badge></td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">{time(page.checked_at)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">{time(page.changed_at)}</td>
        </tr>
    }
}
