//! The state of a list (search, filters, order, page) in the URL, so that reload, back and shared links restore it.
//! Default values are left out.

use contract::page::PageQuery;
use leptos::prelude::*;
use leptos_router::{
    NavigateOptions,
    hooks::{use_location, use_navigate, use_query_map},
    params::ParamsMap,
};

type Navigate = Box<dyn Fn(&str, NavigateOptions) + Send + Sync>;

/// The state of one list.
#[derive(Clone, Copy)]
pub struct ListUrl {
    query: Memo<ParamsMap>,
    path: Memo<String>,
    navigate: StoredValue<Navigate>,
    default_sort: &'static str,
    default_limit: i64,
}

impl core::fmt::Debug for ListUrl {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ListUrl")
    }
}

impl ListUrl {
    /// The state of the page's list, with the defaults of its order and page size.
    pub fn new(default_sort: &'static str, default_limit: i64) -> Self {
        let navigate = use_navigate();
        let boxed: Navigate = Box::new(move |path, options| navigate(path, options));
        let location = use_location();
        Self {
            query: use_query_map(),
            path: location.pathname,
            navigate: StoredValue::new(boxed),
            default_sort,
            default_limit,
        }
    }

    /// A value of the URL, tracked; empty when it is not set.
    pub fn value(self, key: &str) -> String {
        self.query.with(|query| query.get_str(key).unwrap_or_default().to_owned())
    }

    /// A value of the address as a signal.
    pub fn signal(self, key: &'static str) -> Signal<String> {
        Signal::derive(move || self.value(key))
    }

    /// The order, tracked.
    pub fn sort(self) -> Signal<String> {
        Signal::derive(move || {
            let sort = self.value("sort");
            if sort.is_empty() { self.default_sort.to_owned() } else { sort }
        })
    }

    /// Whether `keys` or the search narrow the list, tracked.
    pub fn is_narrowed(self, keys: &[&str]) -> bool {
        !self.value("q").is_empty() || keys.iter().any(|key| !self.value(key).is_empty())
    }

    /// Search, order and page as API parameters, tracked. An invalid page or size falls back to the default.
    pub fn page_query(self) -> PageQuery {
        let number = |key: &str| self.value(key).parse::<i64>().ok();
        PageQuery {
            q: Some(self.value("q")).filter(|q| !q.is_empty()),
            sort: Some(self.sort().get()),
            limit: number("size").filter(|size| (1..=200).contains(size)).unwrap_or(self.default_limit),
            offset: number("offset").filter(|offset| *offset >= 0).unwrap_or(0),
        }
    }

    /// Sets the search; back to the first page. The address changes in place while the user types.
    pub fn search(self, text: &str) {
        self.change(&[("q", text.trim()), ("offset", "")], true);
    }

    /// Sets a filter; back to the first page.
    pub fn filter(self, key: &str, value: &str) {
        self.change(&[(key, value), ("offset", ""), ("cursor", "")], false);
    }

    /// Sets the order; back to the first page.
    pub fn order(self, sort: &str) {
        let sort = if sort == self.default_sort { "" } else { sort };
        self.change(&[("sort", sort), ("offset", "")], false);
    }

    /// Opens the page that begins after `offset` rows.
    pub fn page(self, offset: i64) {
        let offset = if offset > 0 { offset.to_string() } else { String::new() };
        self.change(&[("offset", &offset)], false);
    }

    /// Shows the last page in the place of one past the end, which the way back must not lead to again.
    pub fn last_page(self, total: i64, limit: i64) {
        let offset = (total - 1).max(0) / limit.max(1) * limit;
        let offset = if offset > 0 { offset.to_string() } else { String::new() };
        self.change(&[("offset", &offset)], true);
    }

    /// Sets the rows a page; back to the first page.
    pub fn size(self, limit: i64) {
        let size = if limit == self.default_limit { String::new() } else { limit.to_string() };
        self.change(&[("size", &size), ("offset", "")], false);
    }

    /// Forgets search and filters.
    pub fn clear(self, keys: &[&str]) {
        let mut values: Vec<(&str, &str)> = keys.iter().map(|key| (*key, "")).collect();
        values.extend([("q", ""), ("offset", "")]);
        self.change(&values, false);
    }

    /// Sets several values together; an empty one is removed from the URL.
    pub fn set(self, values: &[(&str, &str)]) {
        self.change(values, false);
    }

    /// Like [`Self::set`], but replaces the current history entry, for use while the user types.
    pub fn replace(self, values: &[(&str, &str)]) {
        self.change(values, true);
    }

    /// The address with other values, tracked, for a link; an empty value leaves it.
    pub fn url(self, values: &[(&str, &str)]) -> String {
        format!("{}{}", self.path.get(), with(self.query.get(), values).to_query_string())
    }

    /// The values of `keys` and `more` as a query string, tracked; empty when none is set.
    pub fn query_of(self, keys: &[&str], more: &[(&str, String)]) -> String {
        let own = keys.iter().map(|key| (*key, self.value(key)));
        let values: Vec<_> = own.chain(more.iter().cloned()).collect();
        let values: Vec<_> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
        with(ParamsMap::new(), &values).to_query_string()
    }

    fn change(self, values: &[(&str, &str)], replace: bool) {
        let url = untrack(|| self.url(values));
        let options = NavigateOptions { resolve: false, replace, scroll: false, ..NavigateOptions::default() };
        self.navigate.with_value(|navigate| navigate(&url, options));
    }
}

fn with(mut query: ParamsMap, values: &[(&str, &str)]) -> ParamsMap {
    for (key, value) in values {
        query.remove(key);
        if !value.is_empty() {
            query.insert((*key).to_owned(), (*value).to_owned());
        }
    }
    query
}
