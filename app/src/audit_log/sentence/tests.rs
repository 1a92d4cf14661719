use contract::{Timestamp, audit::actions};
use serde_json::json;

use super::*;
use crate::audit_log::ACTIONS;

fn row(action: &str, details: Value) -> AuditRow {
    AuditRow {
        id: "00000000-0000-4000-8000-000000000000".parse().expect("it is an id"),
        occurred_at: Timestamp::default(),
        actor_role: "tenant".to_owned(),
        actor_user: "hanna".to_owned(),
        actor_idp_id: None,
        tenant_id: None,
        tenant_name: Some("Harbor Supply".to_owned()),
        chatbot_id: None,
        chatbot_name: Some("Bakery helper".to_owned()),
        action: action.to_owned(),
        entity_type: action.split('.').next().unwrap_or_default().to_owned(),
        entity_id: "bulk:3".to_owned(),
        entity_name: None,
        ip_address: None,
        session_id: None,
        details,
    }
}

/// In English and German.
fn sentences(row: &AuditRow) -> [String; 2] {
    let sentence = Sentence::of(row);
    [false, true].map(|is_german| sentence.text(is_german, sentence.name.as_deref()))
}

#[test]
fn every_action_has_a_sentence_in_both_languages() {
    for code in actions::ALL {
        let action = action(code).unwrap_or_else(|| panic!("{code} has no words"));
        for is_german in [false, true] {
            let (named, unnamed) = (action.named.of(is_german), action.unnamed.of(is_german));
            assert!(named.starts_with("{0} ") && unnamed.starts_with("{0} "), "{code}: {named}, {unnamed}");
            assert_eq!(named.contains("{1}"), action.about != About::Nothing, "{code}: {named}");
            assert!(!unnamed.contains("{1}"), "{code}: {unnamed}");
            assert!(!action.label.of(is_german).is_empty(), "{code}");
        }
        assert!(action.unnamed.of(true).contains(" hat "), "{code} is not German");
        let details = json!({ "before": null, "after": { "name": "Thing" }, "username": "anna" });
        for text in sentences(&row(code, details)) {
            assert!(text.contains("hanna") && !text.contains(['{', '}']), "{code}: {text}");
            assert_eq!(Sentence::of(&row(code, Value::Null)).action.map(|action| action.code), Some(*code));
        }
    }
    assert_eq!(ACTIONS.len(), actions::ALL.len());
}

#[test]
fn a_sentence_names_actor_and_thing() {
    let branding = row("chatbot_branding.updated", json!({ "after": { "display_name": "A title" } }));
    assert_eq!(
        sentences(&branding),
        ["hanna changed the branding of Bakery helper", "hanna hat das Erscheinungsbild von Bakery helper geändert"]
    );
    let person = row("user.invited", json!({ "after": { "role": "viewer" }, "username": "anna" }));
    assert_eq!(sentences(&person), ["hanna invited anna", "hanna hat anna eingeladen"]);
    let bulk = row("tenant.bulk_soft_deleted", Value::Null);
    assert_eq!(sentences(&bulk), ["hanna deleted several tenants (3)", "hanna hat mehrere Mandanten gelöscht (3)"]);
}

#[test]
fn the_name_of_today_comes_before_the_one_in_the_details() {
    let renamed = AuditRow {
        entity_name: Some("After".to_owned()),
        ..row("tenant.created", json!({ "before": null, "after": { "display_name": "Before" } }))
    };
    assert_eq!(sentences(&renamed)[0], "hanna created the tenant After");
    let deleted = AuditRow { entity_name: None, ..renamed };
    assert_eq!(sentences(&deleted)[0], "hanna created the tenant Before");
    let bakery = json!({ "before": { "slug": "bakery" }, "after": null });
    assert_eq!(sentences(&row("chatbot.deleted", bakery.clone()))[0], "hanna deleted the chatbot bakery for good");
    assert_eq!(sentences(&row("chatbot.erased", bakery))[0], "hanna deleted the chatbot bakery for good");
    let of_2_0_0 = row("person.removed", json!({ "username": "anna" }));
    assert_eq!(sentences(&of_2_0_0)[0], "hanna removed anna");
}

#[test]
fn a_deleted_tenant_is_named_from_the_details() {
    let side = |deleted: bool| json!({ "deleted": deleted, "display_name": "Harbor Supply", "slug": "harbor" });
    let deleted = row("tenant.soft_deleted", json!({ "before": side(false), "after": side(true) }));
    let [english, german] = sentences(&deleted);
    assert_eq!(english, "hanna deleted the tenant Harbor Supply");
    assert_eq!(german, "hanna hat den Mandanten Harbor Supply gelöscht");
}

#[test]
fn what_has_no_name_is_said_by_its_kind() {
    let deleted = row("tenant.soft_deleted", json!({ "before": { "deleted": false }, "after": { "deleted": true } }));
    assert_eq!(sentences(&deleted), ["hanna deleted a tenant", "hanna hat einen Mandanten gelöscht"]);
    let without_chatbot = AuditRow { chatbot_name: None, ..row("chatbot_document.deleted", Value::Null) };
    assert_eq!(
        sentences(&without_chatbot),
        ["hanna deleted documents of a chatbot", "hanna hat Dokumente eines Chatbots gelöscht"]
    );
}

#[test]
fn visitors_failures_and_unknown_actions_have_sentences() {
    let visitor = AuditRow { actor_role: "anonymous".to_owned(), ..row("chatbot_feedback.created", Value::Null) };
    assert_eq!(
        sentences(&visitor),
        ["A visitor gave feedback on Bakery helper", "Ein Besucher hat Feedback zu Bakery helper gegeben"]
    );
    let failed = row("user.removed", json!({ "username": "anna", "outcome": "failed" }));
    assert_eq!(sentences(&failed), ["hanna removed anna (failed)", "hanna hat anna entfernt (fehlgeschlagen)"]);
    let unknown = row("thing.made", json!({ "after": { "name": "X" } }));
    assert_eq!(
        sentences(&unknown),
        ["hanna made the change “thing.made”", "hanna hat die Änderung „thing.made“ vorgenommen"]
    );
}

#[test]
fn braces_in_names_mean_themselves() {
    let row =
        AuditRow { actor_user: "{1}".to_owned(), ..row("template.created", json!({ "after": { "name": "{0}" } })) };
    assert_eq!(sentences(&row)[0], "{1} created the template {0}");
}
