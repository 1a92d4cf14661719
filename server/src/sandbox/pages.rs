//! Recognised pages of a document: sent to the caller one by one, so that another attempt continues after them, and added
//! to the document at its end.

use contract::documents::SkippedFile;
use rag::document::recognised::Recognised;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::{MIN_CONFIDENCE, ReadDocument, ReadEvent, Refusal};

/// The result of text recognition for a page, which is 1 of a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecognisedPage {
    pub(super) page: u32,
    pub(super) text: Result<Recognised, Refusal>,
}

/// Pages of a document on which an earlier attempt has recognised text, and the receiver of further ones.
#[derive(Debug, Default)]
pub(super) struct PageLog<'a> {
    pub pages: Vec<RecognisedPage>,
    pub events: Option<&'a mpsc::Sender<ReadEvent>>,
}

impl PageLog<'_> {
    pub(super) async fn add(&mut self, page: RecognisedPage) {
        if let Some(events) = self.events {
            // Without a receiver, nobody continues where this attempt ends.
            let _ = events.send(ReadEvent::Page(page.clone())).await;
        }
        self.pages.push(page);
    }
}

/// Adds what was recognised to the document.
pub(super) fn collect(pages: Vec<RecognisedPage>, (is_pdf, several): (bool, bool), read: &mut ReadDocument) {
    for RecognisedPage { page, text } in pages {
        match text {
            Ok(text) if text.paragraphs.is_empty() => {}
            Ok(text) if text.confidence < MIN_CONFIDENCE => {
                read.left_out.push(left_out_page(page, Refusal::low_confidence(text.confidence)));
            }
            Ok(text) => {
                read.document.sections.extend(text.section(is_pdf.then_some(page), several));
                read.document.ocr_pages.push(page);
            }
            Err(refusal) => read.left_out.push(left_out_page(page, refusal)),
        }
    }
    read.document.ocr_pages.sort_unstable();
    read.document.sections.sort_by_key(|section| section.anchor.as_deref().and_then(page_of));
    read.left_out.sort_by_key(|page| page.path.trim_start_matches("Page ").parse::<u32>().ok());
}

fn page_of(anchor: &str) -> Option<u32> {
    anchor.strip_prefix("page=")?.parse().ok()
}

/// A page that was left out, with the reason.
pub(super) fn left_out_page(page: u32, refusal: Refusal) -> SkippedFile {
    SkippedFile { path: format!("Page {page}"), code: refusal.problem, detail: refusal.detail }
}
