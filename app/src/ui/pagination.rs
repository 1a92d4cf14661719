//! The pages of a list: the current position, the page size, and links to the other pages.

use leptos::{either::Either, prelude::*};

use super::{Icon, IconName, Select};
use crate::{
    format,
    i18n::{Text, texts},
    list_url::ListUrl,
    page_numbers,
};

/// The page sizes on offer.
const SIZES: [i64; 4] = [10, 25, 50, 100];

/// The pages of a list whose state is in the URL. A page past the end, whose last row was handled, redirects to the
/// last one.
#[component]
pub fn ListPages(
    /// The address.
    url: ListUrl,
    /// Total number of rows.
    total: i64,
    /// Rows a page.
    limit: i64,
    /// Rows before this page.
    offset: i64,
    /// The name of the list, where a page has several.
    #[prop(optional, into)]
    of: Option<Text>,
) -> impl IntoView {
    if total > 0 && offset >= total {
        url.last_page(total, limit);
    }
    view! {
        <Pagination total limit offset on_page=move |offset| url.page(offset) on_size=move |size| url.size(size) of />
    }
}

/// The pages of a list whose state (offset and limit) is a signal, as in a dialog or next to another list.
#[component]
pub fn LocalPages(
    /// Offset and limit.
    range: RwSignal<(i64, i64)>,
    /// Total number of rows.
    total: i64,
    /// Rows a page.
    limit: i64,
    /// Rows before this page.
    offset: i64,
    /// The name of the list, where a page has several.
    #[prop(optional_no_strip)]
    of: Option<Text>,
) -> impl IntoView {
    let on_page = move |offset| range.update(|range| range.0 = offset);
    view! { <Pagination total limit offset on_page on_size=move |size| range.set((0, size)) of /> }
}

/// The pages of a list. Only the count is shown when all rows fit on the smallest page.
#[component]
pub fn Pagination(
    /// Total number of rows.
    total: i64,
    /// Rows a page.
    limit: i64,
    /// Rows before this page.
    offset: i64,
    /// Called with the offset of the requested page.
    #[prop(into)]
    on_page: Callback<i64>,
    /// Called with the requested page size.
    #[prop(into)]
    on_size: Callback<i64>,
    /// The name of the list, where a page has several.
    #[prop(optional_no_strip)]
    of: Option<Text>,
) -> impl IntoView {
    let label = move || match of {
        Some(of) => format!("{}: {}", texts::PAGINATION.get(), of.get()),
        None => texts::PAGINATION.get().to_owned(),
    };
    let limit = limit.max(1);
    let (pages, current) = ((total + limit - 1) / limit, offset / limit);
    let last = (offset + limit).min(total);
    let first = if total == 0 { 0 } else { offset + 1 };
    let status = texts::PAGE_STATUS.with_localized([first, last, total].map(format::number));
    let size = (total > SIZES[0]).then(|| view! { <PageSize limit on_size /> });
    let to = move |page: i64| on_page.run(page * limit);
    let buttons = (pages > 1).then(|| {
        let pages_view: Vec<_> = page_numbers::with_buttons(current, pages)
            .into_iter()
            .map(|page| match page {
                Some(page) => Either::Left(number(page, page == current, to)),
                None => Either::Right(view! { <span class="ui-pagination__gap">"…"</span> }),
            })
            .collect();
        view! {
            <div class="ui-pagination__pages">
                {step(texts::PAGE_PREVIOUS, IconName::ChevronLeft, current == 0, move || to(current - 1))}
                {pages_view}
                {step(texts::PAGE_NEXT, IconName::ChevronRight, current + 1 >= pages, move || to(current + 1))}
            </div>
        }
    });
    view! {
        <nav class="ui-pagination" aria-label=label>
            <p class="ui-pagination__status" role="status">{status}</p>
            {size}
            {buttons}
        </nav>
    }
}

#[component]
fn PageSize(limit: i64, on_size: Callback<i64>) -> impl IntoView {
    let mut sizes = SIZES.to_vec();
    if !sizes.contains(&limit) {
        sizes.push(limit);
        sizes.sort_unstable();
    }
    let options = sizes.into_iter().map(|size| (size.to_string(), size.to_string().into())).collect();
    let change = move |text: String| {
        if let Ok(size) = text.parse() {
            on_size.run(size);
        }
    };
    view! {
        <div class="ui-pagination__size">
            <span aria-hidden="true">{texts::PAGE_SIZE.t()}</span>
            <Select
                label=texts::PAGE_SIZE
                value=Signal::derive(move || limit.to_string())
                options
                on_change=change
                hide_label=true
                small=true
            />
        </div>
    }
}

fn number(page: i64, is_current: bool, to: impl Fn(i64) + 'static) -> impl IntoView {
    let text = format::number(page + 1);
    let label = texts::PAGE_NUMBER.with_localized([text.clone()]);
    view! {
        <button
            class="ui-pagination__button"
            type="button"
            aria-label=label
            aria-current=is_current.then_some("page")
            on:click=move |_| to(page)
        >
            {text}
        </button>
    }
}

fn step(label: Text, icon: IconName, disabled: bool, to: impl Fn() + 'static) -> impl IntoView {
    view! {
        <button class="ui-pagination__button" type="button" aria-label=label.t() disabled=disabled on:click=move |_| to()>
            <Icon name=icon />
        </button>
    }
}
