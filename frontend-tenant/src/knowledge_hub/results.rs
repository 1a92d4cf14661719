//! The search: results while typing, filters, and keyboard navigation through the results. Words, filters and page are
//! in the URL.

use app::{
    api, format,
    i18n::{Localized, texts as shared},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Banner, Button, Card, EmptyState, IconName, Pagination, SearchField, Select, SkeletonTable, Tone},
};
use contract::{
    knowledge_hub::{
        Degradation, DegradationCode, MAX_SEARCH_OFFSET, SearchFilters, SearchHit, SearchKnowledge, SearchQuery,
        SearchResults, SearchSort,
    },
    moment::Moment,
    page::TotalIs,
};
use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::{
    facets::{FILTERS, FacetFilters},
    hits::{self, LINK},
    labels,
    latest_call::LatestCall,
    recorder::Recorder,
    save_dialog::SaveSearch,
    saved,
    sections::Head,
};
use crate::{paths, texts::knowledge_hub as texts};

const PAGE_SIZE: i64 = 20;

#[component]
pub(crate) fn SearchPage() -> impl IntoView {
    let url = ListUrl::new("relevance", PAGE_SIZE);
    let query = Memo::new(move |_| query(url));
    let (recorder, latest) = (Recorder::new(query), LatestCall::new());
    let results = Resource::new(move || {
        let (query, signal) = (query.get(), latest.begin());
        async move {
            let answer = api::call_until::<SearchKnowledge>(signal, &(), &query, &()).await;
            if let Ok(answer) = &answer {
                recorder.note_results(&query, answer.search_id);
            }
            answer
        }
    });
    let search = Callback::new(move |text: String| url.search(&text));
    let frame = NodeRef::<html::Div>::new();
    let keys = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Enter" if is_field(&event) => recorder.note(None),
        "ArrowDown" => step(&event, frame, 1),
        "ArrowUp" => step(&event, frame, -1),
        _ => {}
    };
    Effect::new(move |_| {
        if let Some(frame) = frame.get() {
            focus(frame.query_selector("input[type=search]").ok().flatten());
        }
    });
    view! {
        <Head title=texts::SEARCH_TITLE subtitle=texts::SUBTITLE here=paths::KNOWLEDGE_SEARCH />
        <div class="ui-stack" node_ref=frame on:keydown=keys>
            <div class="ui-toolbar">
                <div class="ui-toolbar__main">
                    <SearchField label=texts::SEARCH value=url.signal("q") on_search=search />
                    <Order url />
                    <SaveSearch query />
                </div>
            </div>
            // Outside the part that is rebuilt, so that screen readers hear the change.
            <p class="ui-muted ui-line" role="status">
                {move || results.get().map(|results| status(&results, untrack(|| url.value("q")).is_empty()).get())}
            </p>
            <Loaded resource=results skeleton=|| view! { <SkeletonTable columns=1 /> } let:results>
                <Found url results recorder />
            </Loaded>
        </div>
    }
}

/// The query in the URL, tracked; leaves out what the API would refuse.
fn query(url: ListUrl) -> SearchQuery {
    let text = |key: &str| Some(url.value(key)).filter(|text| !text.is_empty());
    let day = |key: &str| text(key).filter(|text| Moment::parse(text).is_some());
    let page = url.page_query();
    SearchQuery {
        q: url.value("q"),
        filters: SearchFilters {
            sources: text("sources"),
            chatbots: text("chatbots"),
            kinds: text("kinds"),
            languages: text("languages"),
            date_from: day("date_from"),
            date_to: day("date_to"),
        },
        sort: (url.value("sort") == SearchSort::Newest.as_str()).then_some(SearchSort::Newest),
        explain: false,
        record: false,
        saved_search: url.value(saved::KEY).parse().ok(),
        limit: page.limit.min(100),
        offset: page.offset.min(MAX_SEARCH_OFFSET),
    }
}

/// The order of results. Without words, documents are always listed newest first.
#[component]
fn Order(url: ListUrl) -> impl IntoView {
    let options =
        vec![("relevance".to_owned(), texts::SORT_RELEVANCE.into()), ("newest".to_owned(), texts::SORT_NEWEST.into())];
    let change = move |sort: String| url.order(&sort);
    let is_browsing = Signal::derive(move || url.value("q").is_empty());
    let value = Signal::derive(move || if is_browsing.get() { "newest".to_owned() } else { url.sort().get() });
    view! { <Select label=texts::SORT hide_label=true value options disabled=is_browsing on_change=change /> }
}

#[component]
fn Found(url: ListUrl, results: SearchResults, recorder: Recorder) -> impl IntoView {
    let SearchResults { results, facets, total, limit, offset, degraded, suggestion, nearest, .. } = &results;
    let notes = degraded.iter().map(note).collect_view();
    let open = Callback::new(move |document| recorder.note(Some(document)));
    let entries = |of: &[SearchHit]| of.iter().map(|result| hits::hit(result.clone(), open)).collect::<Vec<_>>();
    let body = if results.is_empty() {
        let nearest = (!nearest.is_empty()).then(|| {
            let hits = entries(nearest);
            view! {
                <Card title=texts::NEAREST flush=true>
                    <ol class="ui-entries">{hits}</ol>
                </Card>
            }
        });
        view! {
            <Nothing url suggestion=suggestion.clone() />
            {nearest}
        }
        .into_any()
    } else {
        let hits = entries(results);
        view! {
            <Card flush=true>
                <ol class="ui-entries" aria-label=texts::RESULT_LIST.t()>{hits}</ol>
            </Card>
            // Further results are reachable by a narrower search.
            <Pagination
                total=(*total).min(MAX_SEARCH_OFFSET + limit)
                limit=*limit
                offset=*offset
                on_page=move |offset| url.page(offset)
                on_size=move |size| url.size(size)
            />
        }
        .into_any()
    };
    view! {
        {notes}
        <div class="ui-grid ui-grid--main-side">
            <div class="ui-stack">{body}</div>
            <FacetFilters url facets=facets.clone() />
        </div>
    }
}

/// The number of documents without words, otherwise the number of results and the duration of the search.
fn status(results: &SearchResults, is_browsing: bool) -> Localized {
    if is_browsing {
        return texts::DOCUMENTS_NEWEST_FIRST.with_localized([labels::documents(results.total)]);
    }
    let count = match (results.total, results.total_is) {
        (1, TotalIs::Exact) => texts::RESULTS_ONE.into(),
        (total, TotalIs::Exact) => texts::RESULTS.with_localized([format::number(total)]),
        (total, TotalIs::AtLeast) => texts::RESULTS_AT_LEAST.with_localized([format::number(total - 1)]),
    };
    let took = texts::TOOK.with_localized([format::number(i64::from(results.took_ms.total))]);
    Localized::new(move || format!("{} {}", count.get(), took.get()))
}

fn note(degradation: &Degradation) -> impl IntoView + use<> {
    let text = match degradation.code {
        DegradationCode::ModelUnavailable => texts::MODEL_UNAVAILABLE,
        DegradationCode::VectorsUnavailable => texts::VECTORS_UNAVAILABLE,
        DegradationCode::RerankerUnavailable => texts::RERANKER_UNAVAILABLE,
    };
    view! { <Banner tone=Tone::Warning>{text.t()}</Banner> }
}

/// Suggestions when nothing was found.
#[component]
fn Nothing(url: ListUrl, suggestion: Option<String>) -> impl IntoView {
    let meant = suggestion.map(|meant| {
        let text = texts::DID_YOU_MEAN.with(&[&meant]);
        let take = Callback::new(move |()| url.search(&meant));
        view! { <Button on_click=take>{text}</Button> }
    });
    let has_words = untrack(|| !url.value("q").is_empty());
    let has_filters = untrack(|| FILTERS.iter().any(|key| !url.value(key).is_empty()));
    if !has_words && !has_filters {
        return view! {
            <Card>
                <EmptyState icon=IconName::Inbox title=texts::DOCUMENTS_NONE text=texts::DOCUMENTS_NONE_TEXT />
            </Card>
        }
        .into_any();
    }
    let widen = has_filters.then(|| {
        let mut values: Vec<_> = FILTERS.iter().map(|key| (*key, "")).collect();
        values.push(("offset", ""));
        let widen = Callback::new(move |()| url.set(&values));
        view! { <Button on_click=widen>{texts::FILTERS_REMOVE.t()}</Button> }
    });
    let clear = has_words.then(|| {
        let clear = Callback::new(move |()| url.clear(&FILTERS));
        view! { <Button on_click=clear>{shared::CLEAR_FILTERS.t()}</Button> }
    });
    view! {
        <Card>
            <EmptyState icon=IconName::Search title=texts::NO_RESULTS text=texts::NO_RESULTS_TEXT>
                {meant}
                {widen}
                {clear}
            </EmptyState>
        </Card>
    }
    .into_any()
}

fn is_field(event: &ev::KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.tag_name() == "INPUT")
}

/// Moves the focus from the field to the first result, and from result to result.
fn step(event: &ev::KeyboardEvent, frame: NodeRef<html::Div>, by: i32) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let (Some(frame), Some(target)) = (frame.get_untracked(), target) else { return };
    let is_search = target.get_attribute("type").as_deref() == Some("search");
    let Ok(links) = frame.query_selector_all(&format!(".{LINK}")) else { return };
    let place =
        (0..links.length()).find(|index| links.item(*index).is_some_and(|link| link.is_same_node(Some(&target))));
    let next = match (place, is_search, by) {
        (None, true, 1) => Some(0),
        (Some(place), ..) => place.checked_add_signed(by),
        _ => return,
    };
    event.prevent_default();
    match next.and_then(|next| links.item(next)) {
        Some(link) => focus(link.dyn_into().ok()),
        None if by < 0 => focus(frame.query_selector("input[type=search]").ok().flatten()),
        None => {}
    }
}

fn focus(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}
