//! The section of a document behind a source: for visitors after the output filter, and for the tenant's users.

use serde_json::{Value, json};

use server::service::knowledge::ingestion;

use crate::support::{ORIGIN, Platform, Tenant};

const MANUAL: &str = "# Manual\n\n## Returns\n\nItems can be returned within thirty days. Write to the desk in the hall first.\n\n\
## Delivery\n\nA parcel to the islands costs twelve euros.\n";

/// A long section of several passages.
fn long_section() -> String {
    let sentences: Vec<String> = (0..120)
        .map(|number| format!("Rule {number} of the house says that the door number {number} stays shut."))
        .collect();
    format!("# House\n\n## Rules\n\n{}\n\n## Keys\n\nKeys are at the desk.\n", sentences.join("\n\n"))
}

/// A procedure that is longer than a passage has room for, after a paragraph of its section.
const PROCEDURE: &str = "# Harbour

## Cards at the desk

The harbour card is yellow and carries your name, your berth and the name of your boat. It opens the gate of the pier, the showers \
and the laundry, and it pays for water and electricity at the posts along the quay. Children get a small blue card, which opens \
nothing but the playground behind the sail loft. Guests get a white card for one day, and the desk writes their names into a book. \
Crews of more than six people share two cards, which the skipper signs for.

To renew the harbour card, follow these steps:

1. Bring the old card and the papers of the boat to the desk in the hall before noon.
2. Ask the clerk for the green form and write the number of your berth on it.
3. Sign the form on both pages and let a witness sign the second page as well.
4. Pay the yearly fee of forty euros in coins or notes, because the desk has no reader.
5. Wait until the clerk has stamped the form and has put the copy into the blue folder.
6. Carry the stamped form to the office of the pilots on the first floor of the tower.
7. Let the pilots take a picture of you and choose the best one of the three pictures.
8. Return to the desk in the hall after two o'clock and show the receipt of the pilots.
9. Hold the new card against the lamp of the gate until the lamp shines green twice.
10. Drop the old card into the slot of the red box next to the gate of the pier.

## Lost cards

A lost card is locked by telephone at any hour. The porter asks for the number of the berth and for the name of the boat, and then \
the card opens no gate any more. A new one costs twelve euros and is ready on the next working day. Cards that are found on the pier \
are kept in the drawer of the porter for a month, and after that they are cut into pieces.
";

async fn start(document: &str) -> (Platform, Tenant, tempfile::TempDir) {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    let folder = tempfile::tempdir().unwrap();
    read(&platform, tenant, &folder, document).await;
    (platform, tenant, folder)
}

/// Reads the manual, or its next version.
async fn read(platform: &Platform, tenant: Tenant, folder: &tempfile::TempDir, document: &str) {
    std::fs::write(folder.path().join("manual.md"), document).unwrap();
    let chatbot = ingestion::find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    ingestion::run(&platform.app, &chatbot, &[folder.path().to_owned()], false).await.unwrap();
}

/// The first source of an answer to a visitor.
async fn source(platform: &Platform, tenant: Tenant, question: &str) -> Value {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let answer = platform.widget().post(&path, &json!({ "session_id": null, "question": question })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body["sources"][0].clone()
}

fn of_visitor(tenant: Tenant, source: &Value) -> String {
    let passage = source["passage_id"].as_str().unwrap();
    format!("/api/v1/widget/chatbots/{}/passages/{passage}/section", tenant.chatbot)
}

fn of_tenant(tenant: Tenant, source: &Value) -> String {
    let passage = source["passage_id"].as_str().unwrap();
    format!("/api/v1/tenants/me/chatbots/{}/passages/{passage}/section", tenant.chatbot)
}

#[tokio::test]
async fn a_table_is_quoted_as_a_list() {
    let document = "# Prices\n\n## Plans\n\n| Plan | Price | Seats |\n|---|---|---|\n| Basic | 10 euros | 3 |\n\
        | Harbour | 25 euros | 12 |\n";
    let (platform, tenant, _folder) = start(document).await;
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let body = json!({ "session_id": null, "question": "What are the prices of the plans?" });
    let answer = platform.widget().post(&path, &body).await;
    let text = answer.body["answer"].as_str().unwrap();
    assert!(
        text.contains("- **Basic**: Price: 10 euros; Seats: 3\n- **Harbour**: Price: 25 euros; Seats: 12"),
        "{text}"
    );
    assert!(!text.contains('|') && text.ends_with("[1]"), "{text}");
    assert_eq!(answer.body["citations"].as_array().map(Vec::len), Some(1), "{answer:?}");
    let source = &answer.body["sources"][0];
    let section = platform.widget().get(&of_visitor(tenant, source)).await;
    let text = section.body["content"].as_str().unwrap();
    assert!(text.contains("- **Basic**: Price: 10 euros; Seats: 3") && !text.contains('|'), "{text}");
    let own = platform.admin(tenant.id).get(&of_tenant(tenant, source)).await;
    assert!(own.body["content"].as_str().unwrap().contains("| Basic | 10 euros | 3 |"), "{own:?}");
}

#[tokio::test]
async fn a_procedure_is_quoted_whole_and_cites_the_found_passage() {
    let (platform, tenant, _folder) = start(PROCEDURE).await;
    let sql = "select id, content from passages where content like '%form on both pages%' or content like '%red box%'";
    let parts: Vec<(uuid::Uuid, String)> = sqlx::query_as(sql).fetch_all(platform.everything()).await.unwrap();
    assert_eq!(parts.len(), 2, "the steps are in two passages: {parts:?}");
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let body = json!({ "session_id": null, "question": "How do I renew the harbour card?" });
    let answer = platform.widget().post(&path, &body).await;
    let text = answer.body["answer"].as_str().unwrap();
    let (announcement, first, last) = ("To renew the harbour card, follow these steps:", "\n\n1. Bring", "\n10. Drop");
    assert!(text.contains(announcement) && text.contains(first) && text.contains(last), "{answer:?}");
    assert_eq!(answer.body["citations"], json!([{ "marker": "[1]", "source_index": 0 }]));
    let source = &answer.body["sources"][0];
    let (_, content) = parts.iter().find(|(id, _)| source["passage_id"] == json!(id.to_string())).unwrap();
    let snippet = source["content_snippet"].as_str().unwrap().trim_matches(|mark: char| mark == '…' || mark == ' ');
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain(content).contains(&plain(snippet)), "{snippet:?} is of the passage {content:?}");
}

#[tokio::test]
async fn a_source_leads_to_its_whole_section() {
    let (platform, tenant, _folder) = start(&long_section()).await;
    let source = source(&platform, tenant, "What says rule 60 of the house about door number 60?").await;
    let section = platform.widget().get(&of_visitor(tenant, &source)).await;
    assert_eq!((section.status, &section.body["is_cut"]), (200, &json!(false)), "{section:?}");
    assert_eq!(section.body["title"], "House");
    assert!(section.body["heading"].as_str().unwrap().ends_with("Rules"), "{section:?}");
    let text = section.body["content"].as_str().unwrap();
    assert!(text.contains("Rule 0 of") && text.contains("Rule 60 of") && text.contains("Rule 119 of"), "{text}");
    assert!(!text.contains("Keys are"), "{text}");
    let own = platform.admin(tenant.id).get(&of_tenant(tenant, &source)).await;
    assert_eq!((own.status, own.body), (200, section.body));
}

#[tokio::test]
async fn visitors_read_a_section_as_the_output_filter_leaves_it() {
    // Within a sentence, and split by the markup of a table.
    for card in [
        "card 4111 1111 1111 1111",
        "card\n\n| a | b | c | d |\n|---|---|---|---|\n| 4111 | 1111 | 1111 | 1111 |\n\nwins",
    ] {
        let (platform, tenant, _folder) = start(&MANUAL.replace("the desk in the hall first", card)).await;
        let source = source(&platform, tenant, "Within how many days can items be returned?").await;
        let section = platform.widget().get(&of_visitor(tenant, &source)).await;
        let text = section.body["content"].as_str().unwrap();
        assert!(text.contains("thirty days") && !text.contains("1111"), "{text}");
        let own = platform.admin(tenant.id).get(&of_tenant(tenant, &source)).await;
        assert!(own.body["content"].as_str().unwrap().contains("1111"), "{own:?}");
    }
}

#[tokio::test]
async fn a_section_that_was_replaced_is_gone() {
    let (platform, tenant, folder) = start(MANUAL).await;
    let source = source(&platform, tenant, "Within how many days can items be returned?").await;
    read(&platform, tenant, &folder, &MANUAL.replace("thirty", "ninety")).await;
    for answer in [
        platform.widget().get(&of_visitor(tenant, &source)).await,
        platform.admin(tenant.id).get(&of_tenant(tenant, &source)).await,
    ] {
        assert_eq!((answer.status, answer.detail()), (404, "passage_not_found"), "{answer:?}");
    }
}

#[tokio::test]
async fn a_section_is_read_by_its_own_chatbots_widget_alone() {
    let (platform, tenant, _folder) = start(MANUAL).await;
    let other = platform.add_tenant("other").await;
    platform.provisioned(other.chatbot).await;
    let source = source(&platform, tenant, "Within how many days can items be returned?").await;
    assert_eq!(platform.widget().get(&of_visitor(other, &source)).await.detail(), "passage_not_found");
    assert_eq!(platform.admin(other.id).get(&of_tenant(tenant, &source)).await.detail(), "chatbot_not_found");
    let elsewhere = platform.widget_on("https://elsewhere.example").get(&of_visitor(tenant, &source)).await;
    assert_eq!((elsewhere.status, elsewhere.detail()), (403, "origin_not_allowed"));
    assert_eq!(platform.widget_on(ORIGIN).get(&of_visitor(tenant, &source)).await.status, 200);
}

#[tokio::test]
async fn documents_of_an_earlier_reader_are_counted() {
    let (platform, tenant, folder) = start(MANUAL).await;
    let path = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let outdated = async || {
        let sources = platform.admin(tenant.id).get(&path).await.body;
        sources["items"].as_array().unwrap().iter().map(|source| source["outdated"].as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!(outdated().await, 0);
    sqlx::query("update documents set reader_version = 1").execute(platform.everything()).await.unwrap();
    assert_eq!(outdated().await, 1);
    read(&platform, tenant, &folder, MANUAL).await;
    assert_eq!(outdated().await, 0, "they were read again");
}

#[tokio::test]
async fn a_tenant_sees_which_models_there_are() {
    let (platform, tenant, _folder) = start(MANUAL).await;
    let models = platform.admin(tenant.id).get("/api/v1/tenants/me/embedding-models").await;
    let expected = json!({ "items": [{ "name": platform.app.embedders.names()[0], "languages": "all" }] });
    assert_eq!((models.status, models.body), (200, expected), "a single model is for all languages");
}
