//! The actions that the audit log can hold, in words. The filter offers them while one is typed.

use app::i18n::{Localized, Text};
use contract::audit::AuditRow;
use leptos::prelude::*;
use serde_json::Value;

/// The id of the list, for the field that offers it.
pub(super) const ID: &str = "audit-actions";

/// Every action that an endpoint writes: its name, and what it means.
const ACTIONS: [(&str, Text); 55] = [
    ("allowed_host.created", Text::new("Website allowed without a proof", "Website ohne Nachweis erlaubt")),
    ("allowed_host.deleted", Text::new("Allowed website removed", "Erlaubte Website entfernt")),
    ("chat_session.erased", Text::new("Conversation erased", "Gespräch gelöscht")),
    ("chatbot.created", Text::new("Chatbot created", "Chatbot angelegt")),
    ("chatbot.deactivated", Text::new("Chatbot deactivated", "Chatbot deaktiviert")),
    ("chatbot.duplicated", Text::new("Chatbot duplicated", "Chatbot dupliziert")),
    ("chatbot.erased", Text::new("Chatbot deleted for good", "Chatbot endgültig gelöscht")),
    ("chatbot.reactivated", Text::new("Chatbot reactivated", "Chatbot wieder aktiviert")),
    ("chatbot.updated", Text::new("Chatbot changed", "Chatbot geändert")),
    (
        "chatbot_branding.updated",
        Text::new("Branding of a chatbot changed", "Erscheinungsbild eines Chatbots geändert"),
    ),
    ("chatbot_document.created", Text::new("Document read on the server", "Dokument auf dem Server eingelesen")),
    ("chatbot_document.deleted", Text::new("Document deleted", "Dokument gelöscht")),
    (
        "chatbot_document.replaced",
        Text::new("Document read again on the server", "Dokument auf dem Server neu eingelesen"),
    ),
    ("chatbot_document.uploaded", Text::new("Document uploaded", "Dokument hochgeladen")),
    ("chatbot_faq.created", Text::new("Custom answer created", "Eigene Antwort angelegt")),
    ("chatbot_faq.deleted", Text::new("Custom answer deleted", "Eigene Antwort gelöscht")),
    ("chatbot_faq.imported", Text::new("Custom answers imported", "Eigene Antworten importiert")),
    ("chatbot_faq.updated", Text::new("Custom answer changed", "Eigene Antwort geändert")),
    ("chatbot_feedback.created", Text::new("Feedback given", "Feedback gegeben")),
    ("chatbot_feedback.handled", Text::new("Feedback marked as done", "Feedback als erledigt markiert")),
    ("chatbot_feedback.reopened", Text::new("Feedback reopened", "Feedback wieder geöffnet")),
    ("chatbot_source.created", Text::new("Source created", "Quelle angelegt")),
    ("chatbot_source.deleted", Text::new("Source deleted", "Quelle gelöscht")),
    ("chatbot_source.read_requested", Text::new("Reading of a website started", "Lesen einer Website gestartet")),
    ("chatbot_source.synced", Text::new("Source synchronised", "Quelle abgeglichen")),
    ("chatbot_source.updated", Text::new("Source changed", "Quelle geändert")),
    ("conversations.exported", Text::new("Conversations exported", "Gespräche exportiert")),
    ("knowledge_bookmark.created", Text::new("Bookmark created", "Lesezeichen angelegt")),
    ("knowledge_bookmark.deleted", Text::new("Bookmark deleted", "Lesezeichen gelöscht")),
    ("knowledge_bookmark.updated", Text::new("Bookmark changed", "Lesezeichen geändert")),
    ("knowledge_saved_search.created", Text::new("Search saved", "Suche gespeichert")),
    ("knowledge_saved_search.deleted", Text::new("Saved search deleted", "Gespeicherte Suche gelöscht")),
    ("module.created", Text::new("Module created", "Modul angelegt")),
    ("module.updated", Text::new("Module changed", "Modul geändert")),
    (
        "output_filter_audit.exported",
        Text::new("Output filter events exported", "Ereignisse des Ausgabefilters exportiert"),
    ),
    ("person.invited", Text::new("Person invited", "Person eingeladen")),
    ("person.password_reset", Text::new("Password reset", "Passwort zurückgesetzt")),
    ("person.removed", Text::new("Person removed", "Person entfernt")),
    ("person.signed_out", Text::new("Person signed out everywhere", "Person überall abgemeldet")),
    ("person.updated", Text::new("Person changed", "Person geändert")),
    ("template.cloned", Text::new("Template cloned", "Vorlage geklont")),
    ("template.created", Text::new("Template created", "Vorlage angelegt")),
    ("template.deactivated", Text::new("Template deactivated", "Vorlage deaktiviert")),
    ("template.reactivated", Text::new("Template reactivated", "Vorlage wieder aktiviert")),
    ("template.updated", Text::new("Template changed", "Vorlage geändert")),
    ("tenant.bulk_soft_deleted", Text::new("Tenants deleted", "Mandanten gelöscht")),
    ("tenant.created", Text::new("Tenant created", "Mandant angelegt")),
    ("tenant.soft_deleted", Text::new("Tenant deleted", "Mandant gelöscht")),
    ("tenant.updated", Text::new("Tenant changed", "Mandant geändert")),
    ("tenant_branding.updated", Text::new("Branding of a tenant changed", "Erscheinungsbild eines Mandanten geändert")),
    ("tenant_module.activated", Text::new("Module switched on", "Modul eingeschaltet")),
    ("tenant_module.bulk_assigned", Text::new("Modules assigned", "Module zugewiesen")),
    ("tenant_module.deactivated", Text::new("Module switched off", "Modul ausgeschaltet")),
    (
        "unanswered_question.handled",
        Text::new("Unanswered question marked as done", "Unbeantwortete Frage als erledigt markiert"),
    ),
    ("unanswered_question.reopened", Text::new("Unanswered question reopened", "Unbeantwortete Frage wieder geöffnet")),
];

/// Fields of a row's details that name the thing, the best first.
const NAMES: [&str; 3] = ["display_name", "name", "host"];

#[component]
pub(super) fn Actions() -> impl IntoView {
    let options = ACTIONS.map(|(action, meaning)| view! { <option value=action label=meaning.t()></option> });
    view! { <datalist id=ID>{options.into_iter().collect_view()}</datalist> }
}

/// What an action means; the action itself when it is unknown.
pub(super) fn meaning(action: &str) -> Localized {
    let known = ACTIONS.into_iter().find(|(name, _)| *name == action);
    known.map_or_else(|| action.into(), |(_, meaning)| meaning.into())
}

/// What a row says happened, with the name of the thing when the row holds it: “Tenant created: Harbor Supply”.
pub(super) fn sentence(row: &AuditRow) -> Localized {
    let Some((_, meaning)) = ACTIONS.into_iter().find(|(action, _)| *action == row.action) else {
        return row.action.clone().into();
    };
    match name(&row.details) {
        Some(name) => Localized::new(move || format!("{}: {name}", meaning.get())),
        None => meaning.into(),
    }
}

fn name(details: &Value) -> Option<String> {
    let sides = ["after", "before"].into_iter().filter_map(|side| details.get(side));
    let names = sides.flat_map(|side| NAMES.map(|field| side.get(field).and_then(Value::as_str)));
    names.flatten().find(|name| !name.is_empty()).map(str::to_owned)
}
