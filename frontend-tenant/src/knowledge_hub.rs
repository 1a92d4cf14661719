//! The knowledge hub: a search over the knowledge of all of the tenant's chatbots. The code of its pages is loaded when
//! the first of them is opened.

mod bookmarks;
mod document;
mod facets;
mod history;
mod hits;
mod insights;
mod labels;
mod landing;
mod latest_call;
mod links;
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
