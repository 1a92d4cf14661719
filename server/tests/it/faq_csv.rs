//! Custom answers as CSV: export, preview of an import, and import as a whole or not at all.

use serde_json::{Value, json};

use crate::support::{Client, Platform, Tenant, TestResponse, send};

const HEADER: &str = r#""question","answer","id","state","created_by","created_at","variants""#;

fn path(tenant: Tenant, rest: &str) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/faq{rest}", tenant.chatbot)
}

async fn import(client: &Client<'_>, tenant: Tenant, query: &str, file: impl Into<Vec<u8>>) -> TestResponse {
    let request = client.request("POST", &path(tenant, &format!("/import{query}")));
    send(request.header("content-type", "text/csv").body(file.into())).await
}

/// The chatbot's questions and answers, the oldest first.
async fn entries(platform: &Platform, tenant: Tenant) -> Vec<(String, String)> {
    let page = platform.viewer(tenant.id).get(&path(tenant, "?limit=200")).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut entries: Vec<_> = page.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (text(&item["question"]), text(&item["answer"])))
        .collect();
    entries.reverse();
    entries
}

fn pair(question: &str, answer: &str) -> (String, String) {
    (question.to_owned(), answer.to_owned())
}

#[tokio::test]
async fn an_import_adds_and_changes_entries_with_one_audit_row() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    for (question, answer) in [("Where are you?", "By the harbour."), ("Who are you?", "We.")] {
        let body = json!({ "question": question, "answer": answer });
        assert_eq!(admin.post(&path(one, ""), &body).await.status, 201);
    }
    let file = "\u{feff}Frage;Antwort\r\nWHERE are  you?;Behind the harbour.\r\nWho are you?;We.\r\n\
                \"Do you engrave; brass\r\ncompasses?\";\"Yes, \"\"we\"\" do.\"\r\n";
    let before = platform.audit_rows().await;
    let preview = import(&admin, one, "?dry_run=true", file).await;
    let expected = json!({
        "dry_run": true, "added": 1, "changed": 1, "unchanged": 1, "refused": 0, "errors": [],
        "entries": [
            { "line": 2, "question": "WHERE are  you?", "outcome": "changed" },
            { "line": 4, "question": "Do you engrave; brass\ncompasses?", "outcome": "added" },
        ],
    });
    assert_eq!((preview.status, &preview.body), (200, &expected));
    assert_eq!(entries(&platform, one).await[0], pair("Where are you?", "By the harbour."));
    assert_eq!(platform.audit_rows().await, before, "a look changes nothing");

    let done = import(&admin, one, "", file).await;
    assert_eq!((done.status, &done.body["dry_run"], &done.body["entries"]), (200, &json!(false), &expected["entries"]));
    let now = [
        pair("WHERE are  you?", "Behind the harbour."),
        pair("Who are you?", "We."),
        pair("Do you engrave; brass\ncompasses?", "Yes, \"we\" do."),
    ];
    assert_eq!(entries(&platform, one).await, now);
    assert_eq!(platform.audit_rows().await, before + 1);
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("chatbot_faq.imported"), &json!("bulk:2")));
    let after = &row["details"]["after"];
    let former = &row["details"]["before"];
    assert_eq!(after["added"].as_array().unwrap().len(), 1);
    let [former, changed] = [former, after].map(|side| side["changed"].as_object().unwrap());
    assert!(former.keys().eq(changed.keys()) && changed.len() == 1, "{row}");
    let hash = |side: &serde_json::Map<String, Value>| side.values().next().unwrap()["content_hash"].clone();
    assert_ne!(hash(former), hash(changed));
    assert!(!row.to_string().contains("harbour"), "a text is in the audit log: {row}");
    let states = platform.viewer(one.id).get(&path(one, "")).await;
    assert!(states.body["items"].as_array().unwrap().iter().all(|item| item["state"] == "ready"), "{states:?}");

    let again = import(&admin, one, "", file).await;
    assert_eq!((again.status, &again.body["unchanged"], &again.body["added"]), (200, &json!(3), &json!(0)));
    assert_eq!(platform.audit_rows().await, before + 1, "what changes nothing leaves no row");
}

#[tokio::test]
async fn a_file_with_a_bad_row_imports_nothing_and_names_the_line() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let long = "x".repeat(4001);
    let file = format!(
        "question,answer\nWhere?,There.\n,Nobody asked.\nWho?,\n\nwhere?,Elsewhere.\nHow long?,{long}\nWhat?,This, and that.\n"
    );
    let before = platform.audit_rows().await;
    let expected = [
        (3, json!("question"), "too_short"),
        (4, json!("answer"), "too_short"),
        (6, json!("question"), "duplicate"),
        (7, json!("answer"), "too_long"),
        (8, Value::Null, "too_many_columns"),
    ];
    let preview = import(&admin, one, "?dry_run=true", file.clone()).await;
    assert_eq!(
        (preview.status, &preview.body["added"], &preview.body["refused"]),
        (200, &json!(1), &json!(5)),
        "{preview:?}"
    );
    let errors = preview.body["errors"].as_array().unwrap();
    let errors_found: Vec<_> = errors
        .iter()
        .map(|error| (error["line"].as_i64().unwrap(), error["field"].clone(), error["type"].as_str().unwrap()))
        .collect();
    assert_eq!(errors_found, expected);

    let refused = import(&admin, one, "", file).await;
    assert_eq!((refused.status, refused.detail()), (422, "validation_error"));
    let errors = refused.body["errors"].as_array().unwrap();
    assert_eq!((&errors[0]["loc"], &errors[4]["loc"]), (&json!(["body", "3", "question"]), &json!(["body", "8"])));
    assert_eq!((errors.len(), &errors[3]["type"]), (5, &json!("too_long")));
    assert!(entries(&platform, one).await.is_empty());
    assert_eq!(platform.audit_rows().await, before);
}

#[tokio::test]
async fn a_file_that_is_no_table_of_answers_is_refused() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    for (file, kind) in [
        (b"question,answer\nGr\xff\x01e?,x\n".to_vec(), "encoding"),
        (b"a,b\n1,2\n".to_vec(), "columns"),
        (Vec::new(), "columns"),
        (b"question,answer\n,\n".to_vec(), "too_few"),
        (format!("question,answer\n{}", "Who?,We.\n".repeat(501)).into_bytes(), "too_many"),
    ] {
        let refused = import(&admin, one, "?dry_run=true", file).await;
        assert_eq!((refused.status, &refused.body["errors"][0]["type"]), (422, &json!(kind)), "{refused:?}");
    }
    let large = import(&admin, one, "", vec![b'x'; 4 * 1024 * 1024 + 1]).await;
    assert_eq!((large.status, large.detail()), (413, "payload_too_large"));
    assert_eq!(large.body["errors"][0]["limit"], 4 * 1024 * 1024, "{large:?}");
    let file = "question,answer\nWho?,We.\n";
    let odd = import(&admin, one, "?dry_run=maybe", file).await;
    assert_eq!((odd.status, odd.loc()), (422, vec!["query", "dry_run"]));
    let viewer = import(&platform.viewer(one.id), one, "?dry_run=true", file).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    let stranger = import(&platform.admin(other.id), one, "", file).await;
    assert_eq!((stranger.status, stranger.detail()), (404, "chatbot_not_found"));
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", one.chatbot)).await.status, 204);
    let inactive = import(&admin, one, "", file).await;
    assert_eq!((inactive.status, inactive.detail()), (409, "chatbot_not_active"));
    assert!(entries(&platform, one).await.is_empty());
}

#[tokio::test]
async fn an_import_stops_at_the_limit_of_entries() {
    let (platform, one, _) = Platform::with_tenants().await;
    sqlx::query(
        "insert into chatbot_faq (id, tenant_id, chatbot_id, question, answer, state, created_by)
         select gen_random_uuid(), $1, $2, 'Question ' || n, 'x', 'ready', 'x' from generate_series(1, 499) n",
    )
    .bind(one.id.0)
    .bind(one.chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
    let admin = platform.admin(one.id);
    let file = "question,answer\nquestion 7,y\nOne?,a\nTwo?,b\n";
    let preview = import(&admin, one, "?dry_run=true", file).await;
    let counts = ["added", "changed", "refused"].map(|key| preview.body[key].as_i64().unwrap());
    assert_eq!((preview.status, counts), (200, [1, 1, 1]), "{preview:?}");
    assert_eq!(
        (&preview.body["errors"][0]["line"], &preview.body["errors"][0]["type"]),
        (&json!(4), &json!("too_many"))
    );
    assert_eq!(import(&admin, one, "", file).await.status, 422);
    assert_eq!(import(&admin, one, "", "question,answer\nquestion 7,y\nOne?,a\n").await.status, 200);
}

#[tokio::test]
async fn variants_round_trip_through_csv() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (admin, viewer) = (platform.admin(one.id), platform.viewer(one.id));
    let file = "question,variants,answer\nWhere?,\"Which place?\n\n where? \n=Address?\",By the harbour.\n";
    assert_eq!(import(&admin, one, "", file).await.status, 200);
    let expected = json!(["Which place?", "=Address?"]);
    let variants = async |tenant: Tenant| {
        let page = platform.viewer(tenant.id).get(&path(tenant, "?q=where")).await;
        page.body["items"][0]["variants"].clone()
    };
    assert_eq!(variants(one).await, expected);
    let csv = viewer.get(&path(one, "/export.csv")).await.text;
    assert!(csv.contains("\"Which place?\n'=Address?\"\r\n"), "{csv}");
    assert_eq!(import(&platform.admin(other.id), other, "", csv).await.status, 200);
    assert_eq!(variants(other).await, expected);
    let second_import = import(&admin, one, "", "question,answer\nWhere?,Behind it.\n").await;
    assert_eq!((second_import.status, &second_import.body["changed"], variants(one).await), (200, &json!(1), expected));

    let file = "question,answer,variants\nwhich PLACE?,x,\nWhen?,y,Where?\nHow?,z,\"a\nA\"\n";
    let preview = import(&admin, one, "?dry_run=true", file).await;
    let errors: Vec<_> =
        preview.body["errors"].as_array().unwrap().iter().map(|error| error["field"].clone()).collect();
    assert_eq!((preview.status, errors), (200, vec![json!("question"), json!("variants")]), "{preview:?}");
    assert_eq!(preview.body["added"], 1);
}

#[tokio::test]
async fn an_export_can_be_imported_into_another_chatbot() {
    let (platform, one, other) = Platform::with_tenants().await;
    let file = "question,answer\n=1+1?,\"-2, \"\"so\"\"\"\nWhere?,\"By the\nharbour;=1\n- or not.\"\n";
    assert_eq!(import(&platform.admin(one.id), one, "", file).await.status, 200);
    let before = platform.audit_rows().await;
    let csv = platform.viewer(one.id).get(&path(one, "/export.csv")).await;
    assert_eq!((csv.status, csv.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    let name = csv.header("content-disposition").unwrap();
    assert!(name.contains(&format!("svc-custom-answers-{}-", one.chatbot)), "{name}");
    assert!(csv.text.starts_with(&format!("\u{feff}{HEADER}\r\n")), "{}", csv.text);
    assert!(csv.text.contains("\"'=1+1?\",\"'-2, \"\"so\"\"\","), "{}", csv.text);
    assert!(csv.text.contains("harbour;'=1\n'- or not.\""), "{}", csv.text);
    assert!(csv.text.contains("\"ready\",\"tenant-admin\","), "{}", csv.text);
    assert_eq!(platform.audit_rows().await, before, "a read leaves no row");

    let done = import(&platform.admin(other.id), other, "", csv.text).await;
    assert_eq!((done.status, &done.body["added"]), (200, &json!(2)), "{done:?}");
    let mut copied = entries(&platform, other).await;
    copied.sort();
    assert_eq!(copied, [pair("=1+1?", "-2, \"so\""), pair("Where?", "By the\nharbour;=1\n- or not.")]);
    let stranger = platform.admin(other.id).get(&path(one, "/export.csv")).await;
    assert_eq!((stranger.status, stranger.detail()), (404, "chatbot_not_found"));
}

#[tokio::test]
async fn an_export_has_the_separator_of_the_readers_language() {
    let (platform, one, other) = Platform::with_tenants().await;
    let texts = ["=1", "+49 30 1234", "-5 %", "@home", "a,=1;b", "it's, 'so,'", "1,5;-2"];
    let rows: String = texts.iter().map(|text| format!("\"{text} ?\",\"{text}\"\n")).collect();
    let imported = import(&platform.admin(one.id), one, "", format!("question,answer\n{rows}")).await;
    assert_eq!(imported.status, 200, "{imported:?}");
    let before = entries(&platform, one).await;
    for (language, separator) in [("de-AT,en;q=0.5", ";"), ("en-GB", ",")] {
        let viewer = platform.viewer(one.id);
        let request = viewer.request("GET", &path(one, "/export.csv")).header("accept-language", language);
        let csv = send(request).await;
        let head = HEADER.replace(',', separator);
        assert!(csv.text.starts_with(&format!("\u{feff}{head}\r\n")), "{}", csv.text);
        assert!(csv.text.contains(&format!("\"'+49 30 1234 ?\"{separator}\"'+49 30 1234\"")), "{}", csv.text);
        assert_eq!(csv.header("vary").map(|vary| vary.contains("accept-language")), Some(true));
        // No mark that was added for a spreadsheet program comes back.
        let again = import(&platform.admin(one.id), one, "", csv.text.clone()).await;
        assert_eq!((again.status, &again.body["unchanged"]), (200, &json!(texts.len())), "{again:?}");
        let copied = import(&platform.admin(other.id), other, "", csv.text).await;
        assert_eq!(copied.status, 200, "{copied:?}");
        let mut expected = before.clone();
        let mut copied_entries = entries(&platform, other).await;
        expected.sort();
        copied_entries.sort();
        assert_eq!(copied_entries, expected);
    }
}
