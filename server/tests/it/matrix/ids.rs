//! The ids in a call: their owners, and every combination with at least one foreign id.

use uuid::Uuid;

use crate::support::SeededTenant;

/// Placeholders in paths and bodies that ids take the place of.
pub const SLOTS: [&str; 16] = [
    "{tenant_id}",
    "{chatbot_id}",
    "{session_id}",
    "{message_id}",
    "{audit_id}",
    "{feedback_id}",
    "{faq_id}",
    "{source_id}",
    "{passage_id}",
    "{document_id}",
    "{file_id}",
    "{bookmark_id}",
    "{saved_search_id}",
    "{search_id}",
    "{person_id}",
    "{api_key_id}",
];

/// The owner of the id in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Own,
    Other,
    /// Another chatbot's of the same tenant.
    Sibling,
    Nobody,
}

/// An id for each place in a call.
pub type Choice = Vec<(&'static str, Owner)>;

/// Every combination for these slots with at least one foreign id; conversations of another chatbot of the same tenant
/// count as foreign when `siblings` is set.
pub fn strange(slots: &[&'static str], siblings: bool) -> Vec<Choice> {
    let has_chatbot = siblings && slots.contains(&"{chatbot_id}");
    let mut choices: Vec<Choice> = vec![Vec::new()];
    for slot in slots {
        let mut owners = vec![Owner::Own, Owner::Other];
        // The chatbot is named, so that a conversation of another chatbot is a stranger's too.
        if has_chatbot && matches!(*slot, "{session_id}" | "{message_id}") {
            owners.push(Owner::Sibling);
        }
        choices = choices
            .iter()
            .flat_map(|choice| {
                owners.iter().map(|owner| {
                    let mut choice = choice.clone();
                    choice.push((*slot, *owner));
                    choice
                })
            })
            .collect();
    }
    choices.retain(|choice| choice.iter().any(|(_, owner)| *owner != Owner::Own));
    choices
}

/// Whether a slot takes an id that belongs to one user: the tenant's administrator.
pub fn is_of_one_user(slot: &str) -> bool {
    matches!(slot, "{bookmark_id}" | "{saved_search_id}" | "{search_id}")
}

/// The caller's own ids in every place.
pub fn own(slots: &[&'static str]) -> Choice {
    slots.iter().map(|slot| (*slot, Owner::Own)).collect()
}

/// The same combination with unknown ids instead of foreign ones.
pub fn with_nobody(choice: &Choice) -> Choice {
    choice.iter().map(|(slot, owner)| (*slot, if *owner == Owner::Own { Owner::Own } else { Owner::Nobody })).collect()
}

/// The text with its ids filled in.
pub fn fill(text: &str, choice: &Choice, own: SeededTenant, other: SeededTenant) -> String {
    let mut text = text.replace("{template_id}", "prepared").replace("{module_id}", "feedback");
    text = text
        .replace("{external_id}", own.external_id)
        .replace("{file_token}", &file_token(own))
        .replace("{host}", "allowed.example")
        .replace("{picture}", "logo");
    for (slot, owner) in choice {
        let id = match owner {
            Owner::Own => of(own, slot, false),
            Owner::Sibling => of(own, slot, true),
            Owner::Other => of(other, slot, false),
            Owner::Nobody => Uuid::new_v4(),
        };
        text = text.replace(slot, &id.to_string());
    }
    text
}

/// The token that opens the tenant's own file.
fn file_token(own: SeededTenant) -> String {
    // The key stored by fill.sql.
    let key = jsonwebtoken::EncodingKey::from_secret(&[b'k'; 32]);
    let claims = serde_json::json!({ "sub": own.file, "exp": 4_102_444_800_i64 });
    jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap()
}

fn of(tenant: SeededTenant, slot: &str, sibling: bool) -> Uuid {
    match (slot, sibling) {
        ("{tenant_id}", _) => tenant.tenant.0,
        ("{chatbot_id}", _) => tenant.chatbot.0,
        ("{session_id}", false) => tenant.session,
        ("{session_id}", true) => tenant.sibling_session,
        ("{message_id}", false) => tenant.message,
        ("{message_id}", true) => tenant.sibling_message,
        ("{audit_id}", _) => tenant.audit,
        ("{feedback_id}", _) => tenant.feedback,
        ("{faq_id}", _) => tenant.faq,
        ("{source_id}", _) => tenant.source,
        ("{passage_id}", _) => tenant.passage,
        ("{document_id}", _) => tenant.version,
        ("{file_id}", _) => tenant.file,
        ("{bookmark_id}", _) => tenant.bookmark,
        ("{saved_search_id}", _) => tenant.saved_search,
        ("{search_id}", _) => tenant.search,
        ("{person_id}", _) => tenant.person,
        ("{api_key_id}", _) => tenant.api_key,
        _ => panic!("{slot}: an id of an unknown kind"),
    }
}

/// Every id of a tenant.
pub fn all(tenant: SeededTenant) -> Vec<String> {
    let SeededTenant { chatbot, session, message, feedback, faq, source, audit, sibling, .. } = tenant;
    let SeededTenant {
        tenant,
        passage,
        person,
        sibling_session,
        sibling_message,
        version,
        file,
        bookmark,
        saved_search,
        api_key,
        ..
    } = tenant;
    let own = [tenant.0, chatbot.0, session, message, feedback, faq, source, passage, audit, person];
    let saved = [version, file, bookmark, saved_search, api_key];
    let siblings = [sibling.0, sibling_session, sibling_message];
    own.iter().chain(&siblings).chain(&saved).map(ToString::to_string).collect()
}
