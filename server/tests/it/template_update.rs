//! Comparing a chatbot with its template, and applying the template's changes.

use contract::ChatbotId;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    mutations::template,
    provisioning::{settled, when_ready},
    support::{Client, Platform, Tenant, TestResponse},
};

const SUPPORT: &str = "/api/v1/operator/templates/support-en";

/// A tenant's chatbot from the template `support-en`, version 1, with its own welcome message.
struct Scene {
    tenant: Tenant,
    id: String,
}

impl Scene {
    async fn on(platform: &Platform) -> Self {
        let tenant = platform.add_tenant("one").await;
        let mut new = template("support-en");
        new["branding_defaults"] = json!({ "primary_color": "#111111" });
        assert_eq!(platform.operator().post("/api/v1/operator/templates", &new).await.status, 201);
        let body = json!({ "slug": "support", "name": "Help", "template_id": "support-en", "welcome_message": "Mine" });
        let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
        assert_eq!(created.status, 201, "{created:?}");
        let id = created.body["id"].as_str().unwrap().to_owned();
        assert_eq!(when_ready(platform, tenant, &id).await["provisioning"], "ready");
        Self { tenant, id }
    }

    fn path(&self) -> String {
        path(&self.id)
    }

    async fn diff(&self, platform: &Platform) -> Value {
        let answer = platform.admin(self.tenant.id).get(&self.path()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    async fn apply(&self, platform: &Platform, body: &Value) -> TestResponse {
        platform.admin(self.tenant.id).post(&self.path(), body).await
    }

    /// The texts that the chatbot answers from.
    async fn passages(&self, platform: &Platform) -> Vec<String> {
        sqlx::query_scalar("select content from passages where chatbot_id = $1 order by content")
            .bind(Uuid::parse_str(&self.id).unwrap())
            .fetch_all(platform.everything())
            .await
            .unwrap()
    }
}

fn path(chatbot: &str) -> String {
    format!("/api/v1/tenant/chatbots/{chatbot}/template-update")
}

/// Changes the template.
async fn publish(platform: &Platform, patch: Value) {
    let answer = platform.operator().patch(SUPPORT, &patch).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

fn fields(diff: &Value) -> Vec<(&str, bool)> {
    let changes = diff["changes"].as_array().unwrap().iter();
    changes.map(|change| (change["field"].as_str().unwrap(), change["customised"].as_bool().unwrap())).collect()
}

#[tokio::test]
async fn an_update_keeps_the_chatbots_own_changes() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    assert_eq!(
        scene.diff(&platform).await,
        json!({ "update_available": false, "snapshot_version": 1, "template_version": 1, "changes": [] })
    );
    publish(&platform, json!({ "welcome_message": "Welcome", "suggested_questions": ["When?"], "name": "Newer" }))
        .await;
    let diff = scene.diff(&platform).await;
    assert_eq!((&diff["update_available"], &diff["snapshot_version"]), (&json!(true), &json!(1)));
    assert_eq!(diff["template_version"], 2);
    assert_eq!(fields(&diff), [("name", true), ("welcome_message", true), ("suggested_questions", false)]);
    let welcome = json!({ "field": "welcome_message", "snapshot": "", "template": "Welcome", "current": "Mine",
                          "customised": true });
    assert_eq!(diff["changes"][1], welcome);

    let rows = platform.audit_rows().await;
    let applied = scene.apply(&platform, &json!({ "template_version": 2 })).await;
    assert_eq!(applied.status, 200, "{applied:?}");
    assert_eq!((&applied.body["name"], &applied.body["welcome_message"]), (&json!("Help"), &json!("Mine")));
    assert_eq!(
        (&applied.body["suggested_questions"], &applied.body["template_version"]),
        (&json!(["When?"]), &json!(2))
    );
    assert_eq!(applied.body["template_snapshot"]["welcome_message"], "Welcome");
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("chatbot.updated"), &json!(scene.id)));
    let snapshot = |welcome: &str, questions: Value, name: &str| json!({ "welcome_message": welcome, "suggested_questions": questions, "name": name });
    let before = json!({ "suggested_questions": [], "template_version": 1,
                         "template_snapshot": snapshot("", json!([]), "Support") });
    let after = json!({ "suggested_questions": ["When?"], "template_version": 2,
                        "template_snapshot": snapshot("Welcome", json!(["When?"]), "Newer") });
    assert_eq!(row["details"], json!({ "before": before, "after": after }));

    let diff = scene.diff(&platform).await;
    assert_eq!((&diff["update_available"], &diff["changes"]), (&json!(false), &json!([])));
    let again = scene.apply(&platform, &json!({ "template_version": 2, "fields": ["welcome_message"] })).await;
    assert_eq!((again.status, &again.body), (200, &applied.body), "nothing is new");
    assert_eq!(platform.audit_rows().await, rows + 1);
}

#[tokio::test]
async fn the_playground_tries_the_texts_of_an_update() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    publish(&platform, json!({ "fallback_message": "Please write to us.", "welcome_message": "Welcome" })).await;
    let path = format!("/api/v1/tenants/me/chatbots/{}/playground", scene.id);
    let mut answers = Vec::new();
    for update in [false, true] {
        let body = json!({ "question": "Who painted the Mona Lisa?", "variant": { "template_update": update } });
        let tried = platform.admin(scene.tenant.id).post(&path, &body).await;
        assert_eq!(tried.status, 200, "{tried:?}");
        answers.push(tried.body["answer"].as_str().unwrap().to_owned());
    }
    assert_eq!((answers[0] == answers[1], answers[1].as_str()), (false, "Please write to us."));
    assert_eq!(scene.diff(&platform).await["update_available"], true, "nothing was taken over");
}

#[tokio::test]
async fn named_fields_are_taken_over_even_when_they_are_customised() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    publish(&platform, json!({ "welcome_message": "Welcome", "fallback_message": "Sorry" })).await;
    let body = json!({ "template_version": 2, "fields": ["welcome_message"] });
    let applied = scene.apply(&platform, &body).await;
    assert_eq!((&applied.body["welcome_message"], &applied.body["fallback_message"]), (&json!("Welcome"), &json!("")));
    publish(&platform, json!({ "fallback_message": "Pardon" })).await;
    let diff = scene.diff(&platform).await;
    assert_eq!(fields(&diff), [("fallback_message", true)], "what was not taken counts as the chatbot's own");
}

#[tokio::test]
async fn branding_is_taken_over_in_the_fields_that_the_template_sets() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    publish(&platform, json!({ "branding_defaults": { "accent_color": "#222222" } })).await;
    let diff = scene.diff(&platform).await;
    assert_eq!(fields(&diff), [("branding_defaults", false)]);
    assert_eq!(diff["changes"][0]["current"], json!({ "primary_color": "#111111", "accent_color": null }));
    assert_eq!(scene.apply(&platform, &json!({ "template_version": 2 })).await.status, 200);
    let row = platform.last_audit().await;
    let (before, after) = (&row["details"]["before"]["branding"], &row["details"]["after"]["branding"]);
    assert_eq!(before, &json!({ "primary_color": "#111111", "accent_color": null }));
    assert_eq!(after, &json!({ "primary_color": null, "accent_color": "#222222" }));
    let config = platform.widget().get(&format!("/api/v1/widget/config/{}", scene.id)).await;
    let branding = &config.body["branding"];
    assert_eq!(
        (&branding["primary_color"], &branding["accent_color"]),
        (&Value::Null, &json!("#222222")),
        "{config:?}"
    );
}

#[tokio::test]
async fn new_questions_and_answers_replace_the_former_ones() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    let seed = json!([{ "question": "Where?", "answer": "In the harbour." }, { "question": "Who?", "answer": "Us." }]);
    publish(&platform, json!({ "faq_seed": seed })).await;
    let applied = scene.apply(&platform, &json!({ "template_version": 2 })).await;
    assert_eq!((applied.status, &applied.body["provisioning"]), (200, &json!("pending")));
    assert_eq!(when_ready(&platform, scene.tenant, &scene.id).await["provisioning"], "ready");
    assert_eq!(scene.passages(&platform).await, ["In the harbour.", "Us."]);
    publish(&platform, json!({ "faq_seed": [] })).await;
    assert_eq!(scene.apply(&platform, &json!({ "template_version": 3 })).await.status, 200);
    assert_eq!(when_ready(&platform, scene.tenant, &scene.id).await["provisioning"], "ready");
    assert!(scene.passages(&platform).await.is_empty());
}

#[tokio::test]
async fn prepared_answers_can_be_taken_later() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    let seed = json!([{ "question": "Where?", "answer": "In the harbour." }]);
    publish(&platform, json!({ "faq_seed": seed, "description": "New" })).await;
    let body = json!({ "template_version": 2, "fields": ["description"] });
    let applied = scene.apply(&platform, &body).await;
    assert_eq!((&applied.body["description"], &applied.body["provisioning"]), (&json!("New"), &json!("ready")));
    let diff = scene.diff(&platform).await;
    assert_eq!((&diff["update_available"], fields(&diff)), (&json!(false), vec![("faq_seed", false)]));
    assert_eq!(scene.passages(&platform).await, ["We are open from nine to five."]);
    scene.apply(&platform, &json!({ "template_version": 2, "fields": ["faq_seed"] })).await;
    when_ready(&platform, scene.tenant, &scene.id).await;
    assert_eq!(scene.passages(&platform).await, ["In the harbour."]);
    assert_eq!(scene.diff(&platform).await["changes"], json!([]));
}

#[tokio::test]
async fn former_answers_stay_while_new_ones_cannot_be_indexed() {
    let (platform, embedder) = Platform::start_breakable().await;
    let scene = Scene::on(&platform).await;
    let seed =
        json!([{ "question": "When are you open?", "answer": "In summer." }, { "question": "Who?", "answer": "Us." }]);
    publish(&platform, json!({ "faq_seed": seed })).await;
    embedder.break_down();
    assert_eq!(scene.apply(&platform, &json!({ "template_version": 2 })).await.status, 200);
    settled(&platform).await;
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", scene.id);
    let state = async || platform.admin(scene.tenant.id).get(&chatbot).await.body["provisioning"].clone();
    assert_eq!(state().await, "failed");
    assert_eq!(scene.passages(&platform).await, ["We are open from nine to five."]);

    embedder.recover();
    server::service::knowledge::provisioning::retry(&platform.app).await;
    assert_eq!(state().await, "ready");
    assert_eq!(scene.passages(&platform).await, ["In summer.", "Us."]);
}

#[tokio::test]
async fn a_chatbot_without_a_template_that_is_offered_has_no_update() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    let admin = platform.admin(scene.tenant.id);
    let plain = path(&scene.tenant.chatbot.to_string());
    let none = json!({ "update_available": false, "snapshot_version": null, "template_version": null, "changes": [] });
    assert_eq!(admin.get(&plain).await.body, none);
    publish(&platform, json!({ "description": "New" })).await;
    assert_eq!(platform.operator().delete(SUPPORT).await.status, 204);
    let rows = platform.audit_rows().await;
    let withdrawn =
        json!({ "update_available": false, "snapshot_version": 1, "template_version": null, "changes": [] });
    for client in [&admin, &platform.operator(), &platform.vendor()] {
        assert_eq!(client.get(&scene.path()).await.body, withdrawn);
    }
    for (client, path) in [(&admin, plain), (&admin, scene.path()), (&platform.operator(), scene.path())] {
        let refused = client.post(&path, &json!({ "template_version": 2 })).await;
        assert_eq!((refused.status, refused.detail()), (404, "template_not_found"));
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn outdated_versions_and_unknown_fields_are_refused() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    publish(&platform, json!({ "description": "New" })).await;
    publish(&platform, json!({ "description": "Newer" })).await;
    let rows = platform.audit_rows().await;
    for version in [1, 2, 4] {
        let refused = scene.apply(&platform, &json!({ "template_version": version })).await;
        assert_eq!((refused.status, refused.detail()), (409, "template_version_changed"), "{version}");
    }
    for (body, place) in [
        (json!({ "template_version": 3, "fields": ["language"] }), "0"),
        (json!({ "template_version": 3, "fields": ["description", "description"] }), "1"),
        (json!({ "template_version": "3" }), "template_version"),
        (json!({}), "template_version"),
    ] {
        let refused = scene.apply(&platform, &body).await;
        assert_eq!((refused.status, refused.detail()), (422, "validation_error"), "{body}");
        assert_eq!(refused.loc().last().copied(), Some(place), "{body}");
    }
    assert_eq!(platform.audit_rows().await, rows);
    let path = format!("/api/v1/tenants/me/chatbots/{}", scene.id);
    assert_eq!(platform.admin(scene.tenant.id).delete(&path).await.status, 204);
    let refused = scene.apply(&platform, &json!({ "template_version": 3 })).await;
    assert_eq!((refused.status, refused.detail()), (409, "chatbot_not_active"));
}

#[tokio::test]
async fn a_change_that_was_taken_back_moves_the_version_alone() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    publish(&platform, json!({ "description": "New" })).await;
    publish(&platform, json!({ "description": "" })).await;
    let diff = scene.diff(&platform).await;
    assert_eq!((&diff["update_available"], &diff["changes"]), (&json!(true), &json!([])));
    assert_eq!(scene.apply(&platform, &json!({ "template_version": 3 })).await.status, 200);
    let moved = json!({ "before": { "template_version": 1 }, "after": { "template_version": 3 } });
    assert_eq!(platform.last_audit().await["details"], moved);
    assert_eq!(scene.diff(&platform).await["update_available"], false);
}

/// The newest audit row's actor, tenant and chatbot.
async fn actor(platform: &Platform) -> (String, Option<Uuid>, Option<Uuid>) {
    sqlx::query_as("select actor_role, tenant_id, chatbot_id from platform_audit_log order by occurred_at desc limit 1")
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn operators_and_vendors_update_chatbots_in_their_own_name() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    for (version, role) in [(2, "operator"), (3, "vendor")] {
        let seed = json!([{ "question": "Which?", "answer": format!("Version {version}.") }]);
        let branding = json!({ "border_radius": version });
        publish(&platform, json!({ "faq_seed": seed, "branding_defaults": branding })).await;
        let client: Client<'_> = if role == "operator" { platform.operator() } else { platform.vendor() };
        assert_eq!(client.get(&scene.path()).await.body["template_version"], version);
        let applied = client.post(&scene.path(), &json!({ "template_version": version })).await;
        assert_eq!((applied.status, &applied.body["template_version"]), (200, &json!(version)), "{role}: {applied:?}");
        let id = Uuid::parse_str(&scene.id).unwrap();
        assert_eq!(actor(&platform).await, (role.to_owned(), Some(scene.tenant.id.0), Some(id)));
        when_ready(&platform, scene.tenant, &scene.id).await;
        assert_eq!(scene.passages(&platform).await, [format!("Version {version}.")]);
    }
}

#[tokio::test]
async fn foreign_and_deleted_chatbots_are_not_found() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    let other = platform.add_tenant("other").await;
    publish(&platform, json!({ "description": "New" })).await;
    let viewer = platform.viewer(scene.tenant.id);
    assert_eq!(viewer.get(&scene.path()).await.status, 200);
    let refused = viewer.post(&scene.path(), &json!({ "template_version": 2 })).await;
    assert_eq!((refused.status, refused.detail()), (403, "tenant_admin_required"));

    let stranger = platform.admin(other.id);
    let random = path(&ChatbotId(Uuid::new_v4()).to_string());
    let body = json!({ "template_version": 2 });
    for place in [scene.path(), random] {
        for answer in [stranger.get(&place).await, stranger.post(&place, &body).await] {
            assert_eq!((answer.status, answer.text.as_str()), (404, r#"{"detail":"chatbot_not_found"}"#));
        }
    }
    let tenant = format!("/api/v1/platform/tenants/{}", scene.tenant.id);
    assert_eq!(platform.operator().delete(&tenant).await.status, 204);
    let rows = platform.audit_rows().await;
    for client in [platform.operator(), platform.vendor()] {
        for answer in [client.get(&scene.path()).await, client.post(&scene.path(), &body).await] {
            assert_eq!((answer.status, answer.detail()), (404, "chatbot_not_found"));
        }
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn many_who_apply_at_once_leave_one_row() {
    let platform = Platform::start().await;
    let scene = Scene::on(&platform).await;
    publish(&platform, json!({ "description": "New" })).await;
    let rows = platform.audit_rows().await;
    let body = json!({ "template_version": 2 });
    let (a, b, c, d) = tokio::join!(
        scene.apply(&platform, &body),
        scene.apply(&platform, &body),
        async { platform.operator().post(&scene.path(), &body).await },
        async { platform.vendor().post(&scene.path(), &body).await },
    );
    for answer in [a, b, c, d] {
        assert_eq!((answer.status, &answer.body["description"]), (200, &json!("New")), "{answer:?}");
    }
    assert_eq!(platform.audit_rows().await, rows + 1);
}
