use contract::{
    ChatbotId, TenantId,
    chatbots::ChatbotStatus,
    templates::{FaqEntry, TemplateStatus},
};
use serde_json::json;

use super::*;

fn content() -> TemplateContent {
    TemplateContent {
        name: "Support".to_owned(),
        welcome_message: "Hello".to_owned(),
        branding_defaults: branding(json!({ "primary_color": "#111111", "border_radius": 4 })),
        ..TemplateContent::default()
    }
}

fn branding(fields: Value) -> BrandingFields {
    serde_json::from_value(fields).unwrap()
}

fn template(content: TemplateContent) -> Template {
    let now = chrono::DateTime::UNIX_EPOCH;
    Template {
        id: "support-en".parse().unwrap(),
        language: "en".to_owned(),
        status: TemplateStatus::Active,
        version: 2,
        content,
        created_at: now,
        updated_at: now,
    }
}

/// A chatbot as it is right after its creation from [`content`].
fn holder() -> Holder {
    let snapshot = content();
    let now = chrono::DateTime::UNIX_EPOCH;
    let chatbot = Chatbot {
        id: ChatbotId(uuid::Uuid::nil()),
        tenant_id: TenantId(uuid::Uuid::nil()),
        slug: "help".to_owned(),
        name: "Help".to_owned(),
        small_talk: contract::chatbots::SmallTalkReplies::default(),
        description: snapshot.description.clone(),
        language: "en".to_owned(),
        status: ChatbotStatus::Active,
        template_id: "support-en".parse().ok(),
        template_version: Some(1),
        system_prompt: snapshot.suggested_system_prompt.clone(),
        welcome_message: snapshot.welcome_message.clone(),
        suggested_questions: Vec::new(),
        fallback_message: String::new(),
        vector_collection: "passages_0".to_owned(),
        provisioning: Provisioning::Ready,
        created_at: now,
        updated_at: now,
        embedding_model: None,
        reindexing: None,
        cross_language: true,
        second_embedding_model: None,
        answer_model: None,
        deactivated_at: None,
        template_snapshot: Some(snapshot.clone()),
    };
    Holder { chatbot, branding: snapshot.branding_defaults, answers: None }
}

#[test]
fn only_what_the_template_changed_is_a_change() {
    let mut own = holder();
    own.chatbot.welcome_message = "Mine".to_owned();
    assert_eq!(changes(&own, &content(), &content()), []);
    let new = TemplateContent { description: "New".to_owned(), ..content() };
    let changed = changes(&own, &content(), &new);
    assert_eq!(changed.len(), 1);
    assert_eq!((changed[0].field.as_str(), changed[0].customised), ("description", false));
    assert_eq!(
        (&changed[0].snapshot, &changed[0].template, &changed[0].current),
        (&json!(""), &json!("New"), &json!(""))
    );
}

#[test]
fn a_chatbots_own_value_counts_as_customised() {
    let mut own = holder();
    own.chatbot.welcome_message = "Mine".to_owned();
    let new = TemplateContent { welcome_message: "New".to_owned(), name: "Newer".to_owned(), ..content() };
    let changed: Vec<_> =
        changes(&own, &content(), &new).into_iter().map(|c| (c.field, c.customised, c.current)).collect();
    let expected = [("name", true, json!("Help")), ("welcome_message", true, json!("Mine"))];
    assert_eq!(changed, expected.map(|(field, customised, current)| (field.to_owned(), customised, current)));
}

#[test]
fn branding_is_compared_in_the_fields_that_either_side_sets() {
    let mut own = holder();
    own.branding.header_title = Some("Mine".to_owned());
    let defaults = branding(json!({ "primary_color": "#222222", "theme": "dark" }));
    let new = TemplateContent { branding_defaults: defaults, ..content() };
    let changed = changes(&own, &content(), &new);
    assert_eq!(changed[0].template, json!({ "primary_color": "#222222", "border_radius": null, "theme": "dark" }));
    assert_eq!(changed[0].current, json!({ "primary_color": "#111111", "border_radius": 4, "theme": null }));
    assert!(!changed[0].customised, "a field that the template has no word on does not count");
    own.branding.theme = Some(contract::branding::Theme::Light);
    assert!(changes(&own, &content(), &new)[0].customised, "a field that the template sets again does");
}

#[test]
fn branding_that_is_taken_keeps_fields_without_a_template_value() {
    let mut own = holder();
    own.branding.header_title = Some("Mine".to_owned());
    own.branding.primary_color = Some("#333333".to_owned());
    let defaults = branding(json!({ "primary_color": "#111111", "theme": "dark" }));
    let new = template(TemplateContent { branding_defaults: defaults, ..content() });
    let taken = take(&own, &content(), &new, &["branding_defaults"]);
    let expected = branding(json!({ "primary_color": "#111111", "theme": "dark", "header_title": "Mine" }));
    assert_eq!(taken.branding, expected);
}

#[test]
fn fields_that_are_not_taken_stay_while_the_snapshot_moves_on() {
    let new = TemplateContent { welcome_message: "New".to_owned(), description: "New".to_owned(), ..content() };
    let taken = take(&holder(), &content(), &template(new.clone()), &["description"]).chatbot;
    assert_eq!((taken.description.as_str(), taken.welcome_message.as_str()), ("New", "Hello"));
    assert_eq!((taken.template_version, taken.template_snapshot), (Some(2), Some(new)));
    assert_eq!(taken.provisioning, Provisioning::Ready);
}

#[test]
fn the_snapshot_has_the_answers_that_were_taken() {
    let seed = vec![FaqEntry { question: "Q".to_owned(), answer: "A".to_owned() }];
    let new = TemplateContent { faq_seed: seed.clone(), ..content() };
    let unchanged = take(&holder(), &content(), &template(new.clone()), &[]).chatbot;
    assert_eq!(
        (unchanged.template_snapshot.unwrap().faq_seed, unchanged.provisioning),
        (Vec::new(), Provisioning::Ready)
    );
    let taken = take(&holder(), &content(), &template(new), &["faq_seed"]).chatbot;
    assert_eq!((taken.template_snapshot.unwrap().faq_seed, taken.provisioning), (seed, Provisioning::Pending));
}
