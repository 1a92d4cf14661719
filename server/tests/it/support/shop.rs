//! A shop's chatbot with one document, and a question that it answers.

use super::{Platform, Tenant};

const DOCUMENT: &str = "# Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt.\n\n\
                            # Delivery\n\nDelivery to the islands takes five working days.\n";
pub const QUESTION: &str = "How long can I return an item?";

/// Two tenants, of which the first one's chatbot has the document.
pub async fn with_documents() -> (Platform, Tenant, Tenant) {
    let (platform, one, other) = Platform::with_tenants().await;
    platform.ingest(one, "shop.md", DOCUMENT).await;
    (platform, one, other)
}
