//! The prepared answers of a template as own answers of a chatbot.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{
    mutations::template,
    provisioning::{settled, when_ready},
    support::{Platform, Tenant},
};

const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";
const TEMPLATE: &str = "/api/v1/operator/templates/support-en";

struct Scene {
    platform: Platform,
    tenant: Tenant,
    id: String,
}

impl Scene {
    /// A chatbot from a template with two prepared answers.
    async fn new() -> Self {
        let platform = Platform::start().await;
        let tenant = platform.add_tenant("one").await;
        let mut new = template("support-en");
        new["faq_seed"] = seed(&[("When are you open?", "From nine to five."), ("Where are you?", "At the harbour.")]);
        assert_eq!(platform.operator().post("/api/v1/operator/templates", &new).await.status, 201);
        let body = json!({ "slug": "support", "name": "Help", "template_id": "support-en" });
        let created = platform.admin(tenant.id).post(CHATBOTS, &body).await;
        assert_eq!(created.status, 201, "{created:?}");
        let id = created.body["id"].as_str().unwrap().to_owned();
        Self { platform, tenant, id }
    }

    async fn ready(self) -> Self {
        assert_eq!(when_ready(&self.platform, self.tenant, &self.id).await["provisioning"], "ready");
        self
    }

    fn faq(&self) -> String {
        format!("{CHATBOTS}/{}/faq", self.id)
    }

    /// The own answers, oldest first, without ids and times.
    async fn entries(&self) -> Vec<Value> {
        let path = format!("{}?sort=question", self.faq());
        let page = self.platform.admin(self.tenant.id).get(&path).await;
        page.body["items"].as_array().unwrap().clone()
    }

    async fn answers(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        self.entries().await.iter().map(|entry| (text(&entry["question"]), text(&entry["answer"]))).collect()
    }

    async fn id_of(&self, question: &str) -> String {
        let entries = self.entries().await;
        let entry = entries.iter().find(|entry| entry["question"] == question).unwrap();
        entry["id"].as_str().unwrap().to_owned()
    }

    async fn edit(&self, question: &str, patch: Value) {
        let path = format!("{}/{}", self.faq(), self.id_of(question).await);
        assert_eq!(self.platform.admin(self.tenant.id).patch(&path, &patch).await.status, 200);
    }

    async fn remove(&self, question: &str) {
        let path = format!("{}/{}", self.faq(), self.id_of(question).await);
        assert_eq!(self.platform.admin(self.tenant.id).delete(&path).await.status, 204);
    }

    async fn publish(&self, entries: &[(&str, &str)]) {
        let answer = self.platform.operator().patch(TEMPLATE, &json!({ "faq_seed": seed(entries) })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    fn update(&self) -> String {
        format!("/api/v1/tenant/chatbots/{}/template-update", self.id)
    }

    async fn apply(&self, body: Value) {
        let answer = self.platform.admin(self.tenant.id).post(&self.update(), &body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        when_ready(&self.platform, self.tenant, &self.id).await;
    }

    /// The texts that the chatbot answers from.
    async fn passages(&self) -> Vec<String> {
        sqlx::query_scalar("select content from passages where chatbot_id = $1 order by content")
            .bind(Uuid::parse_str(&self.id).unwrap())
            .fetch_all(self.platform.everything())
            .await
            .unwrap()
    }

    async fn ask(&self, question: &str) -> String {
        let path = format!("{CHATBOTS}/{}/playground", self.id);
        let reply = self.platform.admin(self.tenant.id).post(&path, &json!({ "question": question })).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.body["answer"].as_str().unwrap().to_owned()
    }

    async fn execute(&self, sql: &str) {
        let sql = AssertSqlSafe(sql.replace("$CHATBOT", &format!("'{}'", self.id)));
        sqlx::raw_sql(sql).execute(self.platform.everything()).await.unwrap();
    }
}

fn seed(entries: &[(&str, &str)]) -> Value {
    entries.iter().map(|(question, answer)| json!({ "question": question, "answer": answer })).collect()
}

fn pairs(entries: &[(&str, &str)]) -> Vec<(String, String)> {
    entries.iter().map(|(question, answer)| ((*question).to_owned(), (*answer).to_owned())).collect()
}

#[tokio::test]
async fn prepared_answers_are_own_answers_from_the_start() {
    let scene = Scene::new().await;
    let entries = scene.entries().await;
    let columns: Vec<_> =
        entries.iter().map(|entry| (&entry["question"], &entry["from_template"], &entry["created_by"])).collect();
    let (template, yes) = (json!("template"), json!(true));
    let questions = [json!("When are you open?"), json!("Where are you?")];
    assert_eq!(columns, [(&questions[0], &yes, &template), (&questions[1], &yes, &template)]);
    let scene = scene.ready().await;
    assert!(scene.entries().await.iter().all(|entry| entry["state"] == "ready"));
    assert!(scene.ask("Where are you?").await.contains("At the harbour."));

    scene.edit("Where are you?", json!({ "answer": "You find us in Husum, next to the market." })).await;
    let hours = "From nine to five.".to_owned();
    assert_eq!(scene.passages().await, [hours.clone(), "You find us in Husum, next to the market.".to_owned()]);
    scene.remove("Where are you?").await;
    assert_eq!(scene.passages().await, [hours]);
    assert_eq!(scene.answers().await, pairs(&[("When are you open?", "From nine to five.")]));
}

#[tokio::test]
async fn a_second_answer_to_a_prepared_question_is_refused() {
    let scene = Scene::new().await.ready().await;
    let body = json!({ "question": " when are  YOU open?", "answer": "Never." });
    let refused = scene.platform.admin(scene.tenant.id).post(&scene.faq(), &body).await;
    assert_eq!((refused.status, refused.detail()), (409, "faq_question_taken"));
}

#[tokio::test]
async fn an_update_changes_what_the_tenant_left_as_it_was() {
    let scene = Scene::new().await.ready().await;
    scene.edit("Where are you?", json!({ "answer": "In Husum." })).await;
    let new = [("When are you open?", "All day."), ("Where are you?", "At the harbour."), ("Who are you?", "A team.")];
    scene.publish(&new).await;
    let diff = scene.platform.admin(scene.tenant.id).get(&scene.update()).await.body;
    let change = &diff["changes"][0];
    assert_eq!((&change["field"], &change["customised"]), (&json!("faq_seed"), &json!(false)), "{diff}");
    let current = seed(&[("When are you open?", "From nine to five."), ("Where are you?", "In Husum.")]);
    assert_eq!((&change["template"], &change["current"]), (&seed(&new), &current));
    scene.apply(json!({ "template_version": 2 })).await;
    let expected = [("When are you open?", "All day."), ("Where are you?", "In Husum."), ("Who are you?", "A team.")];
    assert_eq!(scene.answers().await, pairs(&expected));
    let row = scene.platform.last_audit().await;
    assert_eq!(row["action"], "chatbot.updated");
    let own = |side: &str| row["details"][side]["own_answers"].as_object().unwrap().len();
    assert_eq!((own("before"), own("after")), (1, 2), "{row}");
    assert!(!row.to_string().contains("In Husum."), "the tenant's words stay out of the log");
}

#[tokio::test]
async fn edited_answers_are_replaced_only_when_chosen() {
    let scene = Scene::new().await.ready().await;
    scene.edit("When are you open?", json!({ "answer": "On Sundays." })).await;
    scene.remove("Where are you?").await;
    let new = [("When are you open?", "All day."), ("Where are you?", "On the pier.")];
    scene.publish(&new).await;
    let diff = scene.platform.admin(scene.tenant.id).get(&scene.update()).await.body;
    assert_eq!(diff["changes"][0]["customised"], true, "{diff}");
    scene.apply(json!({ "template_version": 2 })).await;
    assert_eq!(scene.answers().await, pairs(&[("When are you open?", "On Sundays.")]));
    scene.apply(json!({ "template_version": 2, "fields": ["faq_seed"] })).await;
    assert_eq!(scene.answers().await, pairs(&new));
    assert!(scene.ask("When are you open?").await.contains("All day."));
}

#[tokio::test]
async fn operators_update_prepared_answers_and_leave_the_tenants_own() {
    let scene = Scene::new().await.ready().await;
    scene.edit("When are you open?", json!({ "answer": "On Sundays." })).await;
    let own = json!({ "question": "Who are you?", "answer": "The baker." });
    assert_eq!(scene.platform.admin(scene.tenant.id).post(&scene.faq(), &own).await.status, 201);
    scene
        .publish(&[("When are you open?", "All day."), ("Where are you?", "On the pier."), ("Who are you?", "A team.")])
        .await;
    let operator = scene.platform.operator();
    let update = operator.get(&scene.update()).await;
    assert!(!update.text.contains("On Sundays.") && !update.text.contains("The baker."), "{}", update.text);
    let body = json!({ "template_version": 2, "fields": ["faq_seed"] });
    assert_eq!(operator.post(&scene.update(), &body).await.status, 200);
    when_ready(&scene.platform, scene.tenant, &scene.id).await;
    let expected =
        [("When are you open?", "On Sundays."), ("Where are you?", "On the pier."), ("Who are you?", "The baker.")];
    assert_eq!(scene.answers().await, pairs(&expected));
}

#[tokio::test]
async fn a_copy_has_the_answers_as_its_tenant_left_them() {
    let scene = Scene::new().await.ready().await;
    scene.edit("When are you open?", json!({ "answer": "On Sundays." })).await;
    scene.remove("Where are you?").await;
    let path = format!("{CHATBOTS}/{}/duplicate", scene.id);
    let copy = scene.platform.admin(scene.tenant.id).post(&path, &json!({ "slug": "copy", "name": "Copy" })).await;
    assert_eq!(copy.status, 201, "{copy:?}");
    let id = copy.body["id"].as_str().unwrap().to_owned();
    let copy = Scene { platform: scene.platform, tenant: scene.tenant, id }.ready().await;
    assert_eq!(copy.answers().await, pairs(&[("When are you open?", "On Sundays.")]));
    copy.publish(&[("When are you open?", "All day."), ("Where are you?", "At the harbour.")]).await;
    copy.apply(json!({ "template_version": 2 })).await;
    assert_eq!(
        copy.answers().await,
        pairs(&[("When are you open?", "On Sundays.")]),
        "it still comes from the template"
    );
}

/// Chatbots of earlier versions have their prepared answers in a document that their tenant cannot change.
#[tokio::test]
async fn chatbots_of_earlier_versions_get_their_prepared_answers_once() {
    let scene = Scene::new().await.ready().await;
    settled(&scene.platform).await;
    // As an earlier version left it: no own answers but one of the tenant's, and one document of the template's.
    scene
        .execute(
            "delete from chatbot_faq where chatbot_id = $CHATBOT and question <> 'When are you open?';
             update chatbot_faq set answer = 'Mine.', template_question = null, created_by = 'hanna' where chatbot_id = $CHATBOT;
             insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name)
             select gen_random_uuid(), tenant_id, id, 'faq_seed', 'template' from chatbots where id = $CHATBOT;
             update documents d set source_id = s.id, path = 'faq' from chatbot_sources s
             where s.kind = 'faq_seed' and s.chatbot_id = d.chatbot_id
               and d.path not in (select id::text from chatbot_faq);",
        )
        .await;
    // The migration notes what is to be done.
    let migration = include_str!("../../../migrations/0133_template_answers.sql");
    let (_, note) = migration.split_once("update chatbots").unwrap();
    scene.execute(&format!("update chatbots{note}")).await;
    server::service::knowledge::provisioning::retry(&scene.platform.app).await;
    let expected = [("When are you open?", "Mine."), ("Where are you?", "At the harbour.")];
    assert_eq!(scene.answers().await, pairs(&expected), "the tenant's own answer stays");
    assert!(scene.entries().await.iter().all(|entry| entry["state"] == "ready"));
    let seed_sources: i64 =
        sqlx::query_scalar("select count(*) from chatbot_sources where chatbot_id = $1 and kind = 'faq_seed'")
            .bind(Uuid::parse_str(&scene.id).unwrap())
            .fetch_one(scene.platform.everything())
            .await
            .unwrap();
    assert_eq!(seed_sources, 0);
    assert!(scene.ask("Where are you?").await.contains("At the harbour."));

    scene.remove("Where are you?").await;
    server::service::knowledge::provisioning::retry(&scene.platform.app).await;
    assert_eq!(scene.answers().await, pairs(&[("When are you open?", "Mine.")]), "once");
}
