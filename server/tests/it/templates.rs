//! The life of a template: created, changed, withdrawn, offered again, cloned into a language.

use serde_json::{Value, json};

use crate::{
    mutations::template,
    support::{Platform, TestResponse},
};

const TEMPLATES: &str = "/api/v1/operator/templates";
const SUPPORT: &str = "/api/v1/operator/templates/support-en";

/// A platform with the template `support-en`.
async fn platform_with_template() -> Platform {
    let platform = Platform::start().await;
    assert_eq!(platform.operator().post(TEMPLATES, &template("support-en")).await.status, 201);
    platform
}

#[tokio::test]
async fn templates_are_created_filtered_and_shown() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let operator = platform.operator();
    let created = operator.post("/api/v1/operator/templates", &template("support-en")).await;
    assert_eq!((created.status, created.header("location")), (201, Some("/api/v1/operator/templates/support-en")));
    let again = operator.post("/api/v1/operator/templates", &template("support-en")).await;
    assert_eq!((again.status, again.detail()), (409, "template_exists"));
    let total =
        async |query: &str| operator.get(&format!("/api/v1/operator/templates?{query}")).await.body["total"].clone();
    assert_eq!((total("language=en").await, total("language=de").await), (json!(1), json!(0)));
    assert_eq!((total("status=active").await, total("status=deactivated").await), (json!(1), json!(0)));
    assert_eq!(operator.get("/api/v1/operator/templates?status=old").await.status, 422);
    let deletion = operator.delete("/api/v1/operator/templates/support-en").await;
    assert_eq!((deletion.status, deletion.text.as_str()), (204, ""));
    assert_eq!((total("status=active").await, total("status=deactivated").await), (json!(0), json!(1)));
    let tenants_templates = platform.admin(tenant.id).get("/api/v1/tenant/templates").await;
    assert_eq!((tenants_templates.status, &tenants_templates.body["total"]), (200, &json!(0)));
}

#[tokio::test]
async fn searches_for_deactivated_templates_find_no_active_one() {
    let platform = platform_with_template().await;
    let tenant = platform.add_tenant("one").await;
    for caller in [platform.admin(tenant.id), platform.operator()] {
        let total =
            async |query: &str| caller.get(&format!("/api/v1/tenant/templates{query}")).await.body["total"].clone();
        assert_eq!((total("").await, total("?status=active").await), (json!(1), json!(1)));
        assert_eq!(total("?status=deactivated").await, json!(0));
    }
}

#[tokio::test]
async fn text_that_the_database_cannot_hold_is_a_422() {
    let (platform, _, _) = Platform::with_tenants().await;
    let mut body = template("support-en");
    body["faq_seed"][0]["answer"] = json!("a\u{0}b");
    let answer = platform.operator().post("/api/v1/operator/templates", &body).await;
    assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{answer:?}");
    assert_eq!(platform.operator().get("/api/v1/operator/templates").await.body["total"], 0);
}

#[tokio::test]
async fn spaces_around_questions_and_answers_are_not_stored() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let spaced = json!({ "faq_seed": [{ "question": " When?\n", "answer": "\n At nine. " }], "suggested_questions": [" Who? "] });
    let trimmed =
        json!({ "faq_seed": [{ "question": "When?", "answer": "At nine." }], "suggested_questions": ["Who?"] });
    let mut body = template("support-en");
    body["faq_seed"] = spaced["faq_seed"].clone();
    body["suggested_questions"] = spaced["suggested_questions"].clone();
    let created = operator.post(TEMPLATES, &body).await;
    assert_eq!(created.status, 201, "{created:?}");
    for field in ["faq_seed", "suggested_questions"] {
        assert_eq!(created.body[field], trimmed[field], "{field}");
    }
    let same = operator.patch(SUPPORT, &spaced).await;
    assert_eq!((same.status, &same.body["version"]), (200, &json!(1)), "{same:?}");
}

#[tokio::test]
async fn a_change_of_content_increments_the_version_once() {
    let platform = platform_with_template().await;
    let vendor = platform.vendor();
    let patch =
        json!({ "welcome_message": "Hello!", "name": " Support ", "id": "other", "language": "fr", "version": 9 });
    let changed = vendor.patch(SUPPORT, &patch).await;
    assert_eq!((changed.status, &changed.body["version"]), (200, &json!(2)), "{changed:?}");
    assert_eq!((&changed.body["id"], &changed.body["language"]), (&json!("support-en"), &json!("en")));
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["actor_role"]), (&json!("template.updated"), &json!("vendor")));
    let details = json!({ "before": { "welcome_message": "", "version": 1 },
                          "after": { "welcome_message": "Hello!", "version": 2 } });
    assert_eq!(row["details"], details, "the name is the same without its spaces");
    let rows = platform.audit_rows().await;
    for same in [patch, json!({})] {
        let again = vendor.patch(SUPPORT, &same).await;
        assert_eq!((again.status, &again.body), (200, &changed.body));
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn two_changes_at_once_make_two_versions() {
    let platform = platform_with_template().await;
    let operator = platform.operator();
    let (one, two) =
        tokio::join!(async { operator.patch(SUPPORT, &json!({ "welcome_message": "One" })).await }, async {
            operator.patch(SUPPORT, &json!({ "description": "Two" })).await
        },);
    assert_eq!((one.status, two.status), (200, 200));
    let after = operator.get(SUPPORT).await.body;
    assert_eq!(
        (&after["version"], &after["welcome_message"], &after["description"]),
        (&json!(3), &json!("One"), &json!("Two"))
    );
}

#[tokio::test]
async fn a_change_is_checked_like_a_creation() {
    let platform = platform_with_template().await;
    for (patch, place) in [
        (json!({ "name": "" }), "body/name"),
        (json!({ "suggested_questions": ["", "b"] }), "body/suggested_questions/0"),
        (json!({ "suggested_questions": ["a", "b\u{1}"] }), "body/suggested_questions/1"),
        (json!({ "faq_seed": [{ "question": "Q", "answer": "" }] }), "body/faq_seed/0"),
        (json!({ "faq_seed": [{ "question": "Q", "answer": "A\u{1b}" }] }), "body/faq_seed/0"),
        (json!({ "branding_defaults": { "primary_color": "red" } }), "body/branding_defaults/primary_color"),
        (json!({ "description": 7 }), "body/description"),
    ] {
        let answer = platform.operator().patch(SUPPORT, &patch).await;
        assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{patch}");
        assert_eq!(answer.loc().join("/"), place, "{patch}: {}", answer.text);
    }
    let unknown = platform.operator().patch("/api/v1/operator/templates/nope", &json!({ "name": "X" })).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "template_not_found"));
}

#[tokio::test]
async fn a_deactivated_template_is_hidden_from_tenants() {
    let platform = platform_with_template().await;
    let tenant = platform.add_tenant("one").await;
    let operator = platform.operator();
    let offered = async || platform.admin(tenant.id).get("/api/v1/tenant/templates").await.body["total"].clone();
    let act = async |action: &str| operator.post(&format!("{SUPPORT}/{action}"), &json!({})).await;
    let status = |answer: &TestResponse| (answer.status, answer.body["status"].clone(), answer.body["version"].clone());

    assert_eq!(offered().await, json!(1));
    assert_eq!(status(&act("deactivate").await), (200, json!("deactivated"), json!(1)));
    assert_eq!(offered().await, json!(0));
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("template.deactivated"), &json!("support-en")));
    assert_eq!(row["details"], json!({ "before": { "status": "active" }, "after": { "status": "deactivated" } }));

    let rows = platform.audit_rows().await;
    assert_eq!(status(&act("deactivate").await), (200, json!("deactivated"), json!(1)));
    assert_eq!(operator.delete(SUPPORT).await.status, 204);
    assert_eq!(platform.audit_rows().await, rows, "repeating it writes nothing");

    assert_eq!(status(&act("reactivate").await), (200, json!("active"), json!(1)));
    assert_eq!(platform.last_audit().await["action"], "template.reactivated");
    assert_eq!(status(&act("reactivate").await), (200, json!("active"), json!(1)));
    assert_eq!(platform.audit_rows().await, rows + 1);
    assert_eq!(offered().await, json!(1));
}

#[tokio::test]
async fn a_chatbot_cannot_be_made_from_a_withdrawn_template() {
    let platform = platform_with_template().await;
    let tenant = platform.add_tenant("one").await;
    assert_eq!(platform.operator().delete(SUPPORT).await.status, 204);
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let refused = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
    assert_eq!((refused.status, refused.detail()), (404, "template_not_found"));
}

#[tokio::test]
async fn a_clone_starts_in_its_language_and_names_its_source() {
    let platform = platform_with_template().await;
    let operator = platform.operator();
    operator.patch(SUPPORT, &json!({ "welcome_message": "Hello!" })).await;
    operator.delete(SUPPORT).await;
    let into = async |language: &str| {
        operator.post(&format!("{SUPPORT}/clone"), &json!({ "target_language": language })).await
    };
    let clone = into("de-AT").await;
    assert_eq!((clone.status, clone.header("location")), (201, Some("/api/v1/operator/templates/support-de-at")));
    let clone_now = operator.get("/api/v1/operator/templates/support-de-at").await.body;
    assert_eq!(clone.body, clone_now);
    let source = operator.get(SUPPORT).await.body;
    for field in ["name", "welcome_message", "faq_seed", "branding_defaults"] {
        assert_eq!(clone_now[field], source[field], "{field}");
    }
    assert_eq!(
        (&clone_now["language"], &clone_now["status"], &clone_now["version"]),
        (&json!("de-AT"), &json!("deactivated"), &json!(1)),
        "nobody is offered a clone before it is translated"
    );
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("template.cloned"), &json!("support-de-at")));
    assert_eq!((&row["details"]["before"], &row["tenant_id"]), (&Value::Null, &Value::Null));
    let after = &row["details"]["after"];
    assert_eq!((&after["cloned_from"], &after["cloned_from_version"]), (&json!("support-en"), &json!(2)));
    let rows = platform.audit_rows().await;
    for taken in ["de-AT", "en"] {
        let refused = into(taken).await;
        assert_eq!((refused.status, refused.detail()), (409, "template_exists"), "{taken}");
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn a_clone_needs_a_template_a_language_and_room_in_the_id() {
    let platform = platform_with_template().await;
    let operator = platform.operator();
    let long = format!("{}-en", "a".repeat(61));
    assert_eq!(operator.post(TEMPLATES, &template(&long)).await.status, 201);
    for (id, language) in [(long.as_str(), "de-AT"), ("support-en", "german"), ("support-en", "")] {
        let refused = operator.post(&format!("{TEMPLATES}/{id}/clone"), &json!({ "target_language": language })).await;
        assert_eq!((refused.status, refused.detail()), (422, "validation_error"), "{language}");
        assert_eq!(refused.loc(), ["body", "target_language"]);
    }
    let unknown = operator.post(&format!("{TEMPLATES}/nope/clone"), &json!({ "target_language": "de" })).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "template_not_found"));
    assert_eq!(operator.get(TEMPLATES).await.body["total"], 2);
}

#[tokio::test]
async fn a_vendor_writes_templates_but_may_not_deactivate_or_clone() {
    let platform = platform_with_template().await;
    let vendor = platform.vendor();
    assert_eq!(vendor.post(TEMPLATES, &template("vendors-en")).await.status, 201);
    assert_eq!(vendor.patch(SUPPORT, &json!({ "description": "By a vendor" })).await.status, 200);
    let rows = platform.audit_rows().await;
    for (action, body) in
        [("deactivate", json!({})), ("reactivate", json!({})), ("clone", json!({ "target_language": "de" }))]
    {
        let refused = vendor.post(&format!("{SUPPORT}/{action}"), &body).await;
        assert_eq!((refused.status, refused.detail()), (403, "operator_required"), "{action}");
    }
    assert_eq!(vendor.delete(SUPPORT).await.status, 403);
    assert_eq!(platform.audit_rows().await, rows);
}
