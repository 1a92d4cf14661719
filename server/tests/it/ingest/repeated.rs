//! Text that repeats on the pages of a source: cookie notices and the like.

use std::{fs, path::Path};

use serde_json::json;

use super::{ingest, passages};
use crate::support::{Platform, Tenant};

const NOTICE: &str = "We use cookies to remember your language. You can withdraw your consent at any time.";
const PAGES: [(&str, &str); 8] = [
    ("Opening hours", "The shop opens at nine in the morning and closes at five."),
    ("Parcels", "A parcel to the islands costs twelve euros and takes a week."),
    ("Parking", "Customers park behind the church, next to the old mill."),
    ("Returns", "Boots can be returned within thirty days if they are clean."),
    ("Repairs", "The workshop mends soles and zips of every brand."),
    ("Vouchers", "A voucher is valid for three years after its purchase."),
    ("Sizes", "Children's boots exist in the sizes 24 to 36."),
    ("Climbing wall", "The climbing wall in the basement is eleven metres high."),
];

/// A page with a notice and the form for a newsletter in its main part.
fn write(folder: &Path, number: usize, text: &str) {
    let (title, _) = PAGES[number];
    let page = format!(
        "<html><head><title>{title}</title></head><body><main><h1>{title}</h1><div><p>{NOTICE}</p></div><p>{text}</p>\
         <h2>Newsletter</h2><p>Leave your address to get our offers once a month.</p></main></body></html>"
    );
    fs::write(folder.join(format!("{number}.html")), page).unwrap();
}

async fn notices(platform: &Platform, tenant: Tenant) -> usize {
    passages(platform, tenant).await.iter().filter(|content| content.contains("cookies")).count()
}

#[tokio::test]
async fn a_notice_on_every_page_stays_on_the_first_ones_alone() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    let folder = tempfile::tempdir().unwrap();
    for (number, (_, text)) in PAGES.into_iter().enumerate() {
        write(folder.path(), number, text);
    }
    let report = ingest(&platform, tenant, &[folder.path()], false).await;
    assert_eq!((report.added, report.repeated), (8, 8), "two blocks of four pages: {report}");
    assert_eq!(notices(&platform, tenant).await, 4);
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let ask = async |question: &str| {
        let answer = platform.widget().post(&path, &json!({ "session_id": null, "question": question })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    };
    let answer = ask("How high is the climbing wall?").await;
    let text = answer["answer"].as_str().unwrap();
    assert!(text.contains("eleven metres") && !text.contains("cookies") && !text.contains("offers"), "{answer}");
    let answer = ask("Can I withdraw my consent to cookies at any time?").await;
    assert!(answer["sources"][0]["content_snippet"].as_str().unwrap().contains("consent"), "still known: {answer}");
    // Pages that are read again keep what they kept, whatever else changed.
    write(folder.path(), 0, "The shop opens at ten in the morning.");
    write(folder.path(), 7, "The climbing wall is closed.");
    let report = ingest(&platform, tenant, &[folder.path()], false).await;
    assert_eq!((report.replaced, report.repeated, notices(&platform, tenant).await), (2, 2, 4), "{report}");
}

#[tokio::test]
async fn repeated_text_of_other_documents_and_sources_stays() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    for (number, (title, text)) in PAGES.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), number, text);
        let facts = format!("# More about {title}\n\n{text}\n\n{NOTICE}\n");
        fs::write(folder.path().join("facts.md"), facts).unwrap();
        let report = ingest(&platform, tenant, &[folder.path()], false).await;
        assert_eq!((report.added, report.repeated), (2, 0), "{report}");
    }
    assert_eq!(notices(&platform, tenant).await, 16);
}
