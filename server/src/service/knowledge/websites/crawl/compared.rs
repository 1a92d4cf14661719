//! Compares the pages of a crawl with each other, before what was read of them is replaced: texts that have become alike,
//! and addresses that differ in parameters without a meaning.

use std::{
    collections::{HashMap, HashSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use contract::websites::WebsiteProblem;
use rag::document::Document;
use store::websites::pages::{self, PageToFetch, Version};
use url::Url;

use super::Crawl;
use crate::service::knowledge::websites::{
    Stopped,
    fetch::{Fetched, Validators},
    page::{Finding, PageResult},
    page_url,
};

/// Pages on which a parameter changes nothing, and on none it does, before it is left out of all addresses.
const MEANINGLESS_AFTER: usize = 3;
/// Characters from which a word with a digit may be the id of a request.
const ID_CHARS: usize = 8;

#[derive(Default)]
pub(super) struct Compared {
    /// A page whose text has changed. It is stored when the next one has changed in another way.
    held: Option<Changed>,
    /// Texts into which several pages have changed.
    alike: HashSet<u64>,
    /// The hash of the text at each address without its doubtful parameters; `None` where nothing can be read.
    plain: HashMap<String, Option<String>>,
    /// For each doubtful parameter, the addresses on which it changes nothing.
    without_meaning: HashMap<String, usize>,
    /// Parameters that identify pages.
    with_meaning: HashSet<String>,
}

impl Compared {
    /// The page whose result is not written yet.
    pub(super) fn unsettled_page(&self) -> Option<contract::id::WebsitePageId> {
        self.held.as_ref().map(|changed| changed.page.id)
    }
}

struct Changed {
    page: PageToFetch,
    document: Document,
    etag: Option<String>,
    last_modified: Option<String>,
    text: u64,
}

impl Crawl<'_> {
    /// Stores a page whose text has changed, unless another one has changed into the same: then both keep what was read.
    pub(super) async fn store_changed(
        &mut self,
        page: PageToFetch,
        document: Document,
        fetched: &Fetched,
    ) -> Result<(), Stopped> {
        let text = text_of(&document);
        let header = |name| fetched.header(&name).map(str::to_owned);
        let (etag, last_modified) = (header(http::header::ETAG), header(http::header::LAST_MODIFIED));
        let is_alike = self.compared.held.as_ref().is_some_and(|held| held.text == text);
        if is_alike && let Some(held) = self.compared.held.take() {
            self.compared.alike.insert(text);
            self.settle(&held.page, Finding::Gone(WebsiteProblem::PagesAlike, page.url.clone())).await?;
        }
        if self.compared.alike.contains(&text) {
            return self.settle(&page, Finding::Gone(WebsiteProblem::PagesAlike, String::new())).await;
        }
        self.store_held().await?;
        self.compared.held = Some(Changed { page, document, etag, last_modified, text });
        Ok(())
    }

    /// Stores the changed page that waits for the next one.
    pub(super) async fn store_held(&mut self) -> Result<(), Stopped> {
        let Some(Changed { page, document, etag, last_modified, .. }) = self.compared.held.take() else {
            return Ok(());
        };
        let version = Version {
            title: &document.title,
            etag: etag.as_deref(),
            last_modified: last_modified.as_deref(),
            content_hash: Some(&document.content_hash),
        };
        self.store(&page, &document, version).await
    }

    /// Whether a new page has the same text without its doubtful parameters. Then it is left out, and the page without
    /// them is read instead.
    pub(super) async fn take_plain(
        &mut self,
        page: &PageToFetch,
        url: &Url,
        result: &PageResult,
    ) -> Result<bool, Stopped> {
        let Finding::Readable { document, .. } = &result.finding else { return Ok(false) };
        let names = page_url::doubtful(url);
        let plain = page_url::without(url, &names);
        let Some(plain) = plain.filter(|plain| self.scope.is_included(plain) && self.scope.admits(plain).is_ok())
        else {
            return Ok(false);
        };
        let is_new = !self.compared.plain.contains_key(plain.as_str());
        if is_new {
            let hash = self.visit_plain(page, &plain, &document.content_hash).await?;
            self.compared.plain.insert(plain.to_string(), hash);
        }
        let hash = self.compared.plain.get(plain.as_str()).and_then(Option::as_deref);
        let is_same = hash == Some(document.content_hash.as_str());
        if is_new || !is_same {
            self.learn(names, is_same);
        }
        if is_same {
            self.settle(page, Finding::LeftOut(WebsiteProblem::Duplicate, plain.into())).await?;
        }
        Ok(is_same)
    }

    /// Fetches the address without doubtful parameters, and returns the hash of its text. Stores it as a page when that is
    /// `expected`.
    async fn visit_plain(
        &mut self,
        page: &PageToFetch,
        plain: &Url,
        expected: &str,
    ) -> Result<Option<String>, Stopped> {
        let scope = &self.scope;
        let fetched = self.fetcher.get(plain, Validators::default(), &|url| scope.admits(url)).await;
        let Ok(fetched) = fetched else { return Ok(None) };
        self.count(&fetched).await?;
        if fetched.url != *plain {
            return Ok(None);
        }
        let result = self.evaluate(plain, &fetched, None).await?;
        let Finding::Readable { document, .. } = &result.finding else { return Ok(None) };
        let hash = document.content_hash.clone();
        if hash == expected
            && let Some(target) = self.claim(plain, page.depth).await?
        {
            self.store_result(target, &fetched, result).await?;
        }
        Ok(Some(hash))
    }

    fn learn(&mut self, names: Vec<String>, is_same: bool) {
        for name in names {
            if !is_same {
                self.scope.dropped.retain(|dropped| *dropped != name);
                self.compared.with_meaning.insert(name);
                continue;
            }
            let pages = self.compared.without_meaning.entry(name.clone()).or_default();
            *pages += 1;
            if *pages >= MEANINGLESS_AFTER
                && !self.compared.with_meaning.contains(&name)
                && !self.scope.dropped.contains(&name)
            {
                self.scope.dropped.push(name);
            }
        }
    }

    /// The page with an address, if the job has not visited it. Adds an unknown page.
    pub(super) async fn claim(&self, url: &Url, depth: i32) -> Result<Option<PageToFetch>, Stopped> {
        let mut tx = self.running.begin().await?;
        let (tenant, job, key) = (self.running.job.tenant, self.running.job.id, page_url::key_of(url.as_str()));
        let page = pages::claim(&mut tx, tenant, self.place(), (url.as_str(), &key, depth), job).await?;
        self.running.commit(tx).await?;
        Ok(page)
    }
}

/// The text of a page without what differs between two answers: times, addresses and ids of requests.
fn text_of(document: &Document) -> u64 {
    let sections = document.sections.iter();
    let parts = sections.flat_map(|section| section.heading_path.iter().chain([&section.text]));
    let words = [&document.title].into_iter().chain(parts).flat_map(|text| text.split_whitespace());
    let differs = |word: &&str| {
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        word.contains('/') || has_digit && (word.contains(':') || word.chars().count() >= ID_CHARS)
    };
    let mut hasher = DefaultHasher::new();
    let mut count = 0;
    for word in words.filter(|word| !differs(word)) {
        word.hash(&mut hasher);
        count += 1;
    }
    if count == 0 {
        document.content_hash.hash(&mut hasher);
    }
    hasher.finish()
}
