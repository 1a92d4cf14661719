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
    "added" = "Added", "Hinzugefügt";
    "allowed_origins" = "Allowed websites", "Freigegebene Websites";
    "answer_characters" = "Length of the answer", "Länge der Antwort";
    "answer_model" = "Language model", "Sprachmodell";
    "answer_models" = "Language models to choose from", "Sprachmodelle zur Auswahl";
    "approved" = "Approved", "Freigegeben";
    "branding_defaults" = "Default branding", "Standard-Erscheinungsbild";
    "bytes" = "Size in bytes", "Größe in Bytes";
    "category" = "Category", "Kategorie";
    "changed" = "Changed", "Geändert";
    "chatbot_id" = "Chatbot ID", "Chatbot-ID";
    "content_hash" = "Hash of the content", "Hash des Inhalts";
    "copy_of" = "Copy of", "Kopie von";
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
    "document_ids" = "Document IDs", "Dokument-IDs";
    "documents" = "Documents", "Dokumente";
    "email" = "Email (hash)", "E-Mail (Hash)";
    "embedding_model" = "Embedding model", "Embedding-Modell";
    "enabled" = "Turned on", "Eingeschaltet";
    "enabled_modules" = "Modules", "Module";
    "error" = "Error", "Fehler";
    "fallback_message" = "Fallback message", "Fallback-Nachricht";
    "faq_ids" = "IDs of the answers", "IDs der Antworten";
    "faq_seed" = "Questions and answers", "Fragen und Antworten";
    "feedback" = "Feedback", "Feedback";
    "file_type" = "File type", "Dateityp";
    "files" = "Files", "Dateien";
    "first_name" = "First name (hash)", "Vorname (Hash)";
    "handled" = "Done", "Erledigt";
    "header_title" = "Chat window title", "Titel des Chatfensters";
    "host" = "Host", "Host";
    "id" = "ID", "ID";
    "include_full_output" = "With full answers", "Mit vollständigen Antworten";
    "internal_only" = "Hidden from tenants", "Für Mandanten nicht sichtbar";
    "is_active" = "Active", "Aktiv";
    "is_always_on" = "Always enabled", "Immer aktiv";
    "kind" = "Kind", "Art";
    "language" = "Language", "Sprache";
    "last_name" = "Last name (hash)", "Nachname (Hash)";
    "logo_url" = "Logo", "Logo";
    "max_rows" = "Row limit", "Zeilenlimit";
    "messages" = "Messages", "Nachrichten";
    "module_ids" = "Modules", "Module";
    "name" = "Name", "Name";
    "name_characters" = "Length of the name", "Länge des Namens";
    "note_characters" = "Length of the note", "Länge der Notiz";
    "outcome" = "Outcome", "Ergebnis";
    "own_answers" = "Custom answers", "Eigene Antworten";
    "pages_added" = "Pages added", "Neue Seiten";
    "pages_changed" = "Pages changed", "Geänderte Seiten";
    "pages_removed" = "Pages removed", "Entfernte Seiten";
    "position" = "Position", "Position";
    "primary_color" = "Primary colour", "Primärfarbe";
    "provisioning" = "Knowledge base", "Wissensbasis";
    "query_characters" = "Length of the search", "Länge der Suche";
    "question_characters" = "Length of the question", "Länge der Frage";
    "quotas" = "Quotas", "Kontingente";
    "rating" = "Rating", "Bewertung";
    "record_page_urls" = "Record page addresses", "Seitenadressen festhalten";
    "returned" = "Rows", "Zeilen";
    "role" = "Role", "Rolle";
    "scope" = "Scope", "Umfang";
    "searched" = "With a search", "Mit Suche";
    "self_service" = "Tenant administrators can turn it on or off", "Mandanten-Administratoren können es ein- und ausschalten";
    "sessions" = "Sessions", "Sitzungen";
    "slug" = "Slug", "Kurzname";
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
    "truncated" = "Cut off", "Gekürzt";
    "updated_at" = "Changed", "Geändert";
    "username" = "Username", "Benutzername";
    "vector_collection" = "Vector collection", "Vektorsammlung";
    "version" = "Version", "Version";
    "visitors_open_files" = "Visitors can open files", "Besucher können Dateien öffnen";
    "welcome_message" = "Welcome message", "Begrüßung";
}

/// The name of a field by its dotted path; a part without a name appears as in the details.
pub fn field(path: &str, is_german: bool) -> String {
    path.split('.').map(|part| words(part, is_german)).collect::<Vec<_>>().join(" › ")
}

fn words(part: &str, is_german: bool) -> String {
    if let Some((_, words)) = FIELDS.iter().find(|(code, _)| *code == part) {
        return words.of(is_german).to_owned();
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
