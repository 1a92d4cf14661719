//! Which page of the documentation fits a page of a console.

use app::backend::Console;

/// Parts of a console's addresses with the page of the documentation; the first that an address contains counts.
const TENANT: &[(&str, &str)] = &[
    ("/inbox/conversations", "tenant-console#conversations"),
    ("/conversations", "tenant-console#conversations"),
    ("/inbox", "tenant-console#feedback-unanswered-questions-and-custom-answers"),
    ("/install", "widget#how-to-put-the-chatbot-on-your-site"),
    ("/design", "widget#branding"),
    ("/branding", "widget#branding"),
    ("/test", "answers"),
    ("/chatbots/", "tenant-console#the-pages-of-a-chatbot"),
    ("/knowledge", "tenant-console#the-knowledge-search"),
    ("/api-keys", "tenant-console#api-keys"),
    ("", "tenant-console"),
];
const OPERATOR: &[(&str, &str)] = &[
    ("/tenants", "operator-console#many-tenants-at-once"),
    ("/templates", "operator-console#templates-as-files"),
    ("/audit", "operator-console#audit-log"),
    ("/output-filter", "operator-console#output-filter"),
    ("", "operator-console"),
];
/// Below a chatbot, the knowledge pages are about its documents.
const CHATBOT_KNOWLEDGE: &str = "tenant-console#knowledge";

/// The pages of the documentation that a console links to.
pub(super) const fn pages(console: Console) -> &'static [(&'static str, &'static str)] {
    match console {
        Console::Operator => OPERATOR,
        Console::Tenant => TENANT,
    }
}

/// The page of the documentation for the path of a console's page.
pub(super) fn address(path: &str) -> String {
    let console = if path.starts_with(Console::Operator.base()) { Console::Operator } else { Console::Tenant };
    let path = path.strip_prefix(console.base()).unwrap_or(path);
    let page = if path.contains("/chatbots/") && path.contains("/knowledge") {
        CHATBOT_KNOWLEDGE
    } else {
        pages(console).iter().find(|(part, _)| path.contains(part)).map_or("", |(_, page)| page)
    };
    format!("/docs/{page}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_its_own_help() {
        assert_eq!(address("/tenant/"), "/docs/tenant-console");
        assert_eq!(address("/tenant/chatbots/1/knowledge/websites"), "/docs/tenant-console#knowledge");
        assert_eq!(address("/tenant/knowledge/search"), "/docs/tenant-console#the-knowledge-search");
        assert_eq!(address("/tenant/chatbots/1/install"), "/docs/widget#how-to-put-the-chatbot-on-your-site");
        assert_eq!(address("/admin/operator/audit/7"), "/docs/operator-console#audit-log");
    }
}
