//! The user's searches.

use app::{
    api, format,
    list_url::ListUrl,
    page_task::spawn_on_page,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{
        Button, Card, Column, ConfirmDialog, EmptyState, IconName, Link, ListPages, SkeletonTable, Table, ToastKind,
        toast,
    },
};
use contract::{
    Page,
    knowledge_hub::{ClearSearchHistory, ListSearchHistory, RecordListQuery, RecordedSearch},
};
use leptos::prelude::*;

use super::{links::search_for, sections::Head};
use crate::{paths, texts::knowledge_hub as texts};

const PAGE_SIZE: i64 = 25;

/// The user's searches.
#[component]
pub(crate) fn HistoryPage() -> impl IntoView {
    let url = ListUrl::new("", PAGE_SIZE);
    let searches = Resource::new(move || {
        let page = url.page_query();
        let query = RecordListQuery { limit: page.limit, offset: page.offset };
        async move { api::call::<ListSearchHistory>(&(), &query, &()).await }
    });
    let (open, busy) = (RwSignal::new(false), RwSignal::new(false));
    let failure = RwSignal::new(None::<Problem>);
    let clear = Callback::new(move |()| {
        let call = async move { api::call::<ClearSearchHistory>(&(), &(), &()).await };
        spawn_on_page(busy, call, move |cleared| match cleared {
            Ok(()) => {
                open.set(false);
                toast(ToastKind::Success, texts::HISTORY_CLEARED);
                searches.reload();
            }
            Err(problem) => failure.set(Some(problem)),
        });
    });
    view! {
        <Head title=texts::HISTORY subtitle=texts::HISTORY_SUBTITLE here=paths::KNOWLEDGE_HISTORY />
        <Loaded resource=searches skeleton=|| view! { <SkeletonTable columns=4 /> } let:page>
            <Searches url page open />
        </Loaded>
        <ConfirmDialog
            open
            title=texts::HISTORY_CLEAR_TITLE
            text=texts::HISTORY_CLEAR_TEXT
            confirm_label=texts::HISTORY_CLEAR
            busy
            failure
            on_confirm=clear
        />
    }
}

#[component]
fn Searches(url: ListUrl, page: Page<RecordedSearch>, open: RwSignal<bool>) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    if total == 0 {
        return view! {
            <Card><EmptyState icon=IconName::Clock title=texts::HISTORY_NONE text=texts::RECENT_NONE /></Card>
        }
        .into_any();
    }
    let columns = vec![
        Column::new(texts::QUERY),
        Column::new(texts::WHEN),
        Column::new(texts::RESULT_COUNT).number(),
        Column::new(texts::OPENED).number().wide_only(),
    ];
    let rows = items.into_iter().map(row).collect_view();
    view! {
        <div class="ui-row ui-row--end">
            <Button icon=IconName::Trash on_click=move |()| open.set(true)>{texts::HISTORY_CLEAR.t()}</Button>
        </div>
        <Table caption=texts::HISTORY columns>{rows}</Table>
        <ListPages url total limit offset />
    }
    .into_any()
}

fn row(of: RecordedSearch) -> impl IntoView {
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                <Link href=search_for(&of.query) quiet=true>{of.query.clone()}</Link>
            </td>
            <td class="ui-table__cell ui-nowrap">
                <time datetime=format::machine(of.searched_at) title=format::date_time(of.searched_at)>
                    {format::ago(of.searched_at)}
                </time>
            </td>
            <td class="ui-table__cell ui-table__cell--number">{format::number(i64::from(of.result_count))}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">
                {format::count(of.clicked_doc_ids.len())}
            </td>
        </tr>
    }
}
