//! Names of the fields in a row's details, and their values in a readable form.

use serde_json::Value;

use super::BilingualText;

const YES: BilingualText = BilingualText::new("Yes", "Ja");
const NO: BilingualText = BilingualText::new("No", "Nein");

macro_rules! fields {
    ($($code:literal = $en:literal, $de:literal;)+) => {
        const FIELDS: &[(&str, BilingualText)] = &[$(($code, BilingualText::new($en, $de))),+];
    };
}

fields! {
    "accent_color" = "Accent colour", "Akzentfarbe";
    "added" = "Added", "Hinzugefügt";
    "allowed_addresses" = "Allowed addresses", "Erlaubte Adressen";
    "allowed_origins" = "Allowed websites", "Freigegebene Websites";
    "answer_characters" = "Length of the answer", "Länge der Antwort";
    "answer_model" = "Language model", "Sprachmodell";
    "answer_models" = "Language models to choose from", "Sprachmodelle zur Auswahl";
    "api_keys_allowed" = "API keys allowed", "API-Schlüssel erlaubt";
    "approved" = "Approved", "Freigegeben";
    "avatar_url" = "Chatbot avatar", "Avatar des Chatbots";
    "background_color" = "Background colour", "Hintergrundfarbe";
    "border_radius" = "Corner radius (px)", "Eckenradius (px)";
    "branding" = "Branding", "Erscheinungsbild";
    "branding_defaults" = "Default branding", "Standard-Erscheinungsbild";
    "bytes" = "Size in bytes", "Größe in Bytes";
    "category" = "Category", "Kategorie";
    "changed" = "Changed", "Geändert";
    "chatbot_id" = "Chatbot ID", "Chatbot-ID";
    "chatbot_ids" = "Chatbot IDs", "Chatbot-IDs";
    "chatbots" = "Chatbots", "Chatbots";
    "cloned_from" = "Copy of", "Kopie von";
    "cloned_from_version" = "Version of the original", "Version des Originals";
    "contact_url" = "Contact", "Kontakt";
    "content_hash" = "Hash of the content", "Hash des Inhalts";
    "conversations" = "Conversations", "Gespräche";
    "copy_of" = "Copy of", "Kopie von";
    "created" = "Added", "Hinzugefügt";
    "created_at" = "Created", "Angelegt";
    "cross_language" = "Search in other languages", "Suche in anderen Sprachen";
    "custom_css" = "Custom CSS", "Eigenes CSS";
    "date_from" = "From", "Von";
    "date_to" = "To", "Bis";
    "deactivated_at" = "Deactivated", "Deaktiviert";
    "default_language" = "Default language", "Standardsprache";
    "deleted" = "Deleted", "Gelöscht";
    "description" = "Description", "Beschreibung";
    "display_name" = "Display name", "Anzeigename";
    "document_id" = "Document ID", "Dokument-ID";
    "document_ids" = "Document IDs", "Dokument-IDs";
    "documents" = "Documents", "Dokumente";
    "done" = "Done", "Fertig";
    "email" = "Email (hash)", "E-Mail (Hash)";
    "embedding_model" = "Embedding model", "Embedding-Modell";
    "enabled" = "Turned on", "Eingeschaltet";
    "enabled_modules" = "Modules", "Module";
    "error" = "Error", "Fehler";
    "exclude" = "Excluded paths", "Ausgeschlossene Pfade";
    "expires_at" = "Expires", "Läuft ab";
    "failed" = "Failed", "Fehlgeschlagen";
    "fallback_message" = "Fallback message", "Fallback-Nachricht";
    "faq_ids" = "IDs of the answers", "IDs der Antworten";
    "faq_seed" = "Questions and answers", "Fragen und Antworten";
    "feedback" = "Feedback", "Feedback";
    "file_type" = "File type", "Dateityp";
    "files" = "Files", "Dateien";
    "filters_sha256" = "Filters (hash)", "Filter (Hash)";
    "first_name" = "First name (hash)", "Vorname (Hash)";
    "font_family" = "Font family", "Schriftart";
    "goodbye" = "Reply to a goodbye", "Antwort auf eine Verabschiedung";
    "greeting" = "Reply to a greeting", "Antwort auf eine Begrüßung";
    "handled" = "Done", "Erledigt";
    "has_comment" = "With a comment", "Mit Kommentar";
    "header_title" = "Chat window title", "Titel des Chatfensters";
    "host" = "Host", "Host";
    "human" = "Reply to “Can I talk to a human?”", "Antwort auf „Kann ich mit einem Menschen sprechen?“";
    "id" = "ID", "ID";
    "include" = "Included paths", "Eingeschlossene Pfade";
    "include_full_output" = "With full answers", "Mit vollständigen Antworten";
    "input_placeholder" = "Input placeholder", "Platzhalter im Eingabefeld";
    "internal_only" = "Hidden from tenants", "Für Mandanten nicht sichtbar";
    "is_active" = "Active", "Aktiv";
    "is_always_on" = "Always enabled", "Immer aktiv";
    "kind" = "Kind", "Art";
    "language" = "Language", "Sprache";
    "last_name" = "Last name (hash)", "Nachname (Hash)";
    "launcher_position" = "Button position", "Position des Chat-Buttons";
    "logo_url" = "Logo", "Logo";
    "max_depth" = "Maximum number of clicks from the first page", "Höchstzahl der Klicks ab der ersten Seite";
    "max_pages" = "Maximum number of pages", "Höchstzahl der Seiten";
    "max_rows" = "Row limit", "Zeilenlimit";
    "message_id" = "Message ID", "Nachrichten-ID";
    "messages" = "Messages", "Nachrichten";
    "module_ids" = "Modules", "Module";
    "name" = "Name", "Name";
    "name_characters" = "Length of the name", "Länge des Namens";
    "name_sha256" = "Name (hash)", "Name (Hash)";
    "note_characters" = "Length of the note", "Länge der Notiz";
    "note_sha256" = "Note (hash)", "Notiz (Hash)";
    "notice_text" = "Words after the notice", "Worte nach dem Hinweis";
    "outcome" = "Outcome", "Ergebnis";
    "output_filter_audit" = "Output filter events", "Ereignisse des Ausgabefilters";
    "own_answers" = "Custom answers", "Eigene Antworten";
    "pages" = "Web pages", "Webseiten";
    "pages_added" = "Pages added", "Neue Seiten";
    "pages_changed" = "Pages changed", "Geänderte Seiten";
    "pages_removed" = "Pages removed", "Entfernte Seiten";
    "passages" = "Passages", "Abschnitte";
    "password_set_at" = "Password set", "Passwort vergeben";
    "paused" = "Paused", "Pausiert";
    "position" = "Position", "Position";
    "prefix" = "Prefix", "Präfix";
    "primary_color" = "Primary colour", "Primärfarbe";
    "privacy_url" = "Privacy policy", "Datenschutzerklärung";
    "provisioning" = "Knowledge base", "Wissensbasis";
    "query_characters" = "Length of the search", "Länge der Suche";
    "query_sha256" = "Search (hash)", "Suche (Hash)";
    "question_characters" = "Length of the question", "Länge der Frage";
    "questions_per_month" = "Questions per month", "Fragen pro Monat";
    "quotas" = "Quotas", "Kontingente";
    "rating" = "Rating", "Bewertung";
    "record_page_urls" = "Record page addresses", "Seitenadressen festhalten";
    "reindexing" = "Change of the embedding model", "Wechsel des Embedding-Modells";
    "replaced" = "Replaced", "Ersetzt";
    "returned" = "Rows", "Zeilen";
    "robot" = "Reply to “Are you a robot?”", "Antwort auf „Bist du ein Roboter?“";
    "role" = "Role", "Rolle";
    "schedule" = "Read again", "Erneut lesen";
    "scope" = "Scope", "Umfang";
    "scopes" = "Scopes", "Berechtigungen";
    "searched" = "With a search", "Mit Suche";
    "second_embedding_model" = "Second embedding model", "Zweites Embedding-Modell";
    "self_service" = "Tenant administrators can turn it on or off", "Mandanten-Administratoren können es ein- und ausschalten";
    "session_id" = "Session ID", "Sitzungs-ID";
    "sessions" = "Sessions", "Sitzungen";
    "slug" = "Slug", "Kurzname";
    "slugs" = "Slugs", "Kurznamen";
    "small_talk" = "Small talk", "Small Talk";
    "source_id" = "Source ID", "Quellen-ID";
    "sources" = "Sources", "Quellen";
    "state" = "Status", "Status";
    "status" = "Status", "Status";
    "suggested_questions" = "Suggested questions", "Vorgeschlagene Fragen";
    "suggested_system_prompt" = "System prompt", "System-Prompt";
    "system_prompt" = "System prompt", "System-Prompt";
    "target_tenant_id" = "Tenant ID", "Mandanten-ID";
    "template_id" = "Template", "Vorlage";
    "template_snapshot" = "Copy of the template", "Kopie der Vorlage";
    "template_version" = "Version of the template", "Version der Vorlage";
    "tenant_id" = "Tenant ID", "Mandanten-ID";
    "tenant_ids" = "Tenant IDs", "Mandanten-IDs";
    "text_color" = "Text colour", "Textfarbe";
    "thanks" = "Reply to thanks", "Antwort auf einen Dank";
    "theme" = "Chat window theme", "Farbschema des Chatfensters";
    "tokens_per_month" = "Language model tokens per month", "Sprachmodell-Tokens pro Monat";
    "total" = "Total", "Gesamt";
    "truncated" = "Cut off", "Gekürzt";
    "truncated_by_disconnect" = "Connection lost", "Verbindung abgebrochen";
    "updated_at" = "Changed", "Geändert";
    "username" = "Username", "Benutzername";
    "variants" = "Other phrasings", "Andere Formulierungen";
    "vector_collection" = "Vector collection", "Vektorsammlung";
    "version" = "Version", "Version";
    "visitors_open_files" = "Visitors can open files", "Besucher können Dateien öffnen";
    "website" = "Website", "Website";
    "welcome_message" = "Welcome message", "Begrüßung";
}

/// The name of a field by its dotted path; a part without a name appears as in the details.
pub fn field(path: &str, is_german: bool) -> String {
    path.split('.').map(|part| words(part, is_german)).collect::<Vec<_>>().join(" › ")
}

fn label(code: &str) -> Option<BilingualText> {
    FIELDS.iter().find(|(field_code, _)| *field_code == code).map(|(_, label)| *label)
}

fn words(part: &str, is_german: bool) -> String {
    if let Some(label) = label(part) {
        return label.of(is_german).to_owned();
    }
    let spaced = part.replace('_', " ");
    let mut chars = spaced.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Whether a value is empty.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(entries) => entries.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// A value as people read it: texts without quotes, lists of them line by line, other lists and objects as JSON.
pub fn value(value: &Value, is_german: bool) -> String {
    match value {
        Value::Bool(true) => YES.of(is_german).to_owned(),
        Value::Bool(false) => NO.of(is_german).to_owned(),
        Value::Array(entries) if entries.iter().all(Value::is_string) => {
            entries.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        }
        _ => crate::json_diff::text(value),
    }
}

#[cfg(test)]
mod tests {
    use contract::{
        branding::TenantBranding, chatbots::SmallTalkReplies, templates::TemplateContent, usage::Quotas,
        websites::NewWebsite,
    };
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_is_said_in_words() {
        assert_eq!([false, true].map(|is_german| field("display_name", is_german)), ["Display name", "Anzeigename"]);
        assert_eq!(field("branding_defaults.header_title", false), "Default branding › Chat window title");
        assert_eq!(field("some_new_field", true), "Some new field");
        assert_eq!(field("", false), "");
    }

    #[test]
    fn fields_of_the_contract_have_a_label_in_both_languages() {
        let things = [
            json!(TenantBranding::default()),
            json!(Quotas::default()),
            json!(TemplateContent::default()),
            json!(SmallTalkReplies::default()),
            json!(NewWebsite::at("").settings()),
        ];
        let fields = things.iter().flat_map(|thing| thing.as_object().unwrap().keys().map(String::as_str));
        // Warnings are made for the reply and are never in the log.
        let logged = fields.filter(|field| *field != "warnings");
        let is_labelled = |field: &str| {
            label(field).is_some_and(|label| [false, true].iter().all(|is_german| !label.of(*is_german).is_empty()))
        };
        let without_label: Vec<&str> = logged.filter(|field| !is_labelled(field)).collect();
        assert_eq!(without_label, [""; 0]);
    }

    #[test]
    fn fields_are_in_order_and_once() {
        assert!(FIELDS.is_sorted_by(|one, other| one.0 < other.0));
    }

    #[test]
    fn values_are_read_as_texts() {
        assert_eq!(value(&json!(true), true), "Ja");
        assert_eq!(value(&json!(["Why?", "How?"]), false), "Why?\nHow?");
        assert_eq!(value(&json!(7), false), "7");
        assert!(is_empty(&json!("")) && is_empty(&json!(null)) && !is_empty(&json!(false)));
    }
}
