//! The knowledge hub: a search over everything that the tenant's chatbots know. Its pages are a part of their own, which is fetched
//! when the first of them is opened.

mod bookmarks;
mod document;
mod facets;
mod history;
mod hits;
mod insights;
mod labels;
mod landing;
mod recorder;
mod results;
mod save_dialog;
mod saved;
mod sections;
mod source;

pub(crate) use self::{
    bookmarks::BookmarksPage, document::DocumentPage, history::HistoryPage, landing::LandingPage, results::SearchPage,
    saved::SavedPage, source::SourcePage,
};
