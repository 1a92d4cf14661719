//! The demo world: a later start leaves what people changed.

use server::demo::{self, DemoDocuments};

use crate::support::Platform;

const SITE: &str = "http://127.0.0.1:8082";

#[tokio::test]
async fn a_deleted_tenant_of_the_demo_world_stays_deleted() {
    let platform = Platform::start().await;
    let documents = DemoDocuments { platform: Vec::new(), debian_faq: Vec::new(), showcase: None };
    let chatbots = demo::seed(&platform.app, &documents, SITE).await.unwrap();
    let [help, faq] = chatbots.as_slice() else { panic!("{chatbots:?}") };
    let path = format!("/api/v1/platform/tenants/{}", help.tenant_id);
    assert_eq!(platform.operator().delete(&path).await.status, 204);
    let seeded_again = demo::seed(&platform.app, &documents, SITE).await.unwrap();
    assert_eq!(seeded_again.iter().map(|chatbot| chatbot.id).collect::<Vec<_>>(), [faq.id]);
    assert_eq!(platform.operator().get(&path).await.status, 404);
}
