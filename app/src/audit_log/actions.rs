//! Every action of the audit log with its name and sentence.

use contract::audit::actions as codes;

use super::BilingualText;

/// The subject of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// The thing itself: its name today, else the one in the details.
    Thing,
    /// The chatbot that it belongs to.
    Chatbot,
    /// The tenant that it belongs to.
    Tenant,
    /// The number of things in a bulk row.
    Count,
    /// Nothing: the thing has no name that operators may see.
    Nothing,
}

/// An action of the audit log.
#[derive(Debug)]
pub struct Action {
    /// Its value in the log.
    pub code: &'static str,
    /// The action's name, without actor and subject.
    pub label: BilingualText,
    pub(super) about: About,
    /// The sentence; `{0}` is who did it, `{1}` the name.
    pub(super) named: BilingualText,
    /// The sentence without a name.
    pub(super) unnamed: BilingualText,
}

macro_rules! actions {
    ($($code:ident, $about:ident: $en:literal, $de:literal; $named_en:literal, $named_de:literal;
       $plain_en:literal, $plain_de:literal;)+) => {
        /// Every action, by kind of thing.
        pub const ACTIONS: &[Action] = &[$(Action {
            code: codes::$code,
            label: BilingualText::new($en, $de),
            about: About::$about,
            named: BilingualText::new($named_en, $named_de),
            unnamed: BilingualText::new($plain_en, $plain_de),
        }),+];
    };
}

actions! {
    TENANT_CREATED, Thing: "Tenant created", "Mandant angelegt";
        "{0} created the tenant {1}", "{0} hat den Mandanten {1} angelegt";
        "{0} created a tenant", "{0} hat einen Mandanten angelegt";
    TENANT_UPDATED, Thing: "Tenant changed", "Mandant geändert";
        "{0} changed the tenant {1}", "{0} hat den Mandanten {1} geändert";
        "{0} changed a tenant", "{0} hat einen Mandanten geändert";
    TENANT_SOFT_DELETED, Thing: "Tenant deleted", "Mandant gelöscht";
        "{0} deleted the tenant {1}", "{0} hat den Mandanten {1} gelöscht";
        "{0} deleted a tenant", "{0} hat einen Mandanten gelöscht";
    TENANT_BULK_SOFT_DELETED, Count: "Several tenants deleted", "Mehrere Mandanten gelöscht";
        "{0} deleted several tenants ({1})", "{0} hat mehrere Mandanten gelöscht ({1})";
        "{0} deleted several tenants", "{0} hat mehrere Mandanten gelöscht";
    TENANT_BRANDING_UPDATED, Tenant: "Branding of a tenant changed", "Erscheinungsbild eines Mandanten geändert";
        "{0} changed the branding of {1}", "{0} hat das Erscheinungsbild von {1} geändert";
        "{0} changed the branding of a tenant", "{0} hat das Erscheinungsbild eines Mandanten geändert";
    TENANT_MODULE_ACTIVATED, Thing: "Module turned on", "Modul eingeschaltet";
        "{0} turned on the module {1}", "{0} hat das Modul {1} eingeschaltet";
        "{0} turned on a module", "{0} hat ein Modul eingeschaltet";
    TENANT_MODULE_DEACTIVATED, Thing: "Module turned off", "Modul ausgeschaltet";
        "{0} turned off the module {1}", "{0} hat das Modul {1} ausgeschaltet";
        "{0} turned off a module", "{0} hat ein Modul ausgeschaltet";
    TENANT_MODULE_BULK_ASSIGNED, Tenant: "Modules assigned", "Module zugewiesen";
        "{0} set the modules of {1}", "{0} hat die Module von {1} festgelegt";
        "{0} set the modules of a tenant", "{0} hat die Module eines Mandanten festgelegt";
    USER_INVITED, Thing: "Person invited", "Person eingeladen";
        "{0} invited {1}", "{0} hat {1} eingeladen";
        "{0} invited a person", "{0} hat eine Person eingeladen";
    USER_UPDATED, Thing: "Person changed", "Person geändert";
        "{0} changed the account of {1}", "{0} hat das Konto von {1} geändert";
        "{0} changed a person's account", "{0} hat das Konto einer Person geändert";
    USER_ROLE_CHANGED, Thing: "Role of a person changed", "Rolle einer Person geändert";
        "{0} changed the role of {1}", "{0} hat die Rolle von {1} geändert";
        "{0} changed a person's role", "{0} hat die Rolle einer Person geändert";
    USER_DEACTIVATED, Thing: "Person deactivated", "Person deaktiviert";
        "{0} deactivated {1}", "{0} hat {1} deaktiviert";
        "{0} deactivated a person", "{0} hat eine Person deaktiviert";
    USER_ACTIVATED, Thing: "Person activated", "Person aktiviert";
        "{0} activated {1}", "{0} hat {1} aktiviert";
        "{0} activated a person", "{0} hat eine Person aktiviert";
    USER_REMOVED, Thing: "Person removed", "Person entfernt";
        "{0} removed {1}", "{0} hat {1} entfernt";
        "{0} removed a person", "{0} hat eine Person entfernt";
    USER_PASSWORD_RESET, Thing: "Password reset", "Passwort zurückgesetzt";
        "{0} reset the password of {1}", "{0} hat das Passwort von {1} zurückgesetzt";
        "{0} reset a person's password", "{0} hat das Passwort einer Person zurückgesetzt";
    USER_SIGNED_OUT, Thing: "Person signed out everywhere", "Person überall abgemeldet";
        "{0} signed out {1} everywhere", "{0} hat {1} überall abgemeldet";
        "{0} signed out a person everywhere", "{0} hat eine Person überall abgemeldet";
    API_KEY_CREATED, Thing: "API key created", "API-Schlüssel erstellt";
        "{0} created the API key {1}", "{0} hat den API-Schlüssel {1} erstellt";
        "{0} created an API key", "{0} hat einen API-Schlüssel erstellt";
    API_KEY_UPDATED, Thing: "API key changed", "API-Schlüssel geändert";
        "{0} changed the API key {1}", "{0} hat den API-Schlüssel {1} geändert";
        "{0} changed an API key", "{0} hat einen API-Schlüssel geändert";
    API_KEY_REVOKED, Thing: "API key revoked", "API-Schlüssel widerrufen";
        "{0} revoked the API key {1}", "{0} hat den API-Schlüssel {1} widerrufen";
        "{0} revoked an API key", "{0} hat einen API-Schlüssel widerrufen";
    ALLOWED_HOST_CREATED, Thing: "Website allowed without verification", "Website ohne Bestätigung freigegeben";
        "{0} allowed the website {1} without verification", "{0} hat die Website {1} ohne Bestätigung freigegeben";
        "{0} allowed a website without verification", "{0} hat eine Website ohne Bestätigung freigegeben";
    ALLOWED_HOST_DELETED, Thing: "Allowed website removed", "Freigegebene Website entfernt";
        "{0} removed the allowed website {1}", "{0} hat die freigegebene Website {1} entfernt";
        "{0} removed an allowed website", "{0} hat eine freigegebene Website entfernt";

    CHATBOT_CREATED, Thing: "Chatbot created", "Chatbot angelegt";
        "{0} created the chatbot {1}", "{0} hat den Chatbot {1} angelegt";
        "{0} created a chatbot", "{0} hat einen Chatbot angelegt";
    CHATBOT_DUPLICATED, Thing: "Chatbot duplicated", "Chatbot dupliziert";
        "{0} duplicated a chatbot as {1}", "{0} hat einen Chatbot als {1} dupliziert";
        "{0} duplicated a chatbot", "{0} hat einen Chatbot dupliziert";
    CHATBOT_UPDATED, Thing: "Chatbot changed", "Chatbot geändert";
        "{0} changed the chatbot {1}", "{0} hat den Chatbot {1} geändert";
        "{0} changed a chatbot", "{0} hat einen Chatbot geändert";
    CHATBOT_DEACTIVATED, Thing: "Chatbot deactivated", "Chatbot deaktiviert";
        "{0} deactivated the chatbot {1}", "{0} hat den Chatbot {1} deaktiviert";
        "{0} deactivated a chatbot", "{0} hat einen Chatbot deaktiviert";
    CHATBOT_REACTIVATED, Thing: "Chatbot reactivated", "Chatbot wieder aktiviert";
        "{0} reactivated the chatbot {1}", "{0} hat den Chatbot {1} wieder aktiviert";
        "{0} reactivated a chatbot", "{0} hat einen Chatbot wieder aktiviert";
    CHATBOT_DELETED, Thing: "Chatbot deleted for good", "Chatbot endgültig gelöscht";
        "{0} deleted the chatbot {1} for good", "{0} hat den Chatbot {1} endgültig gelöscht";
        "{0} deleted a chatbot for good", "{0} hat einen Chatbot endgültig gelöscht";
    CHATBOT_BRANDING_UPDATED, Chatbot: "Branding of a chatbot changed", "Erscheinungsbild eines Chatbots geändert";
        "{0} changed the branding of {1}", "{0} hat das Erscheinungsbild von {1} geändert";
        "{0} changed the branding of a chatbot", "{0} hat das Erscheinungsbild eines Chatbots geändert";

    CHATBOT_DOCUMENT_CREATED, Chatbot: "Documents added", "Dokumente hinzugefügt";
        "{0} added documents to {1}", "{0} hat {1} Dokumente hinzugefügt";
        "{0} added documents to a chatbot", "{0} hat einem Chatbot Dokumente hinzugefügt";
    CHATBOT_DOCUMENT_REPLACED, Chatbot: "Documents replaced", "Dokumente ersetzt";
        "{0} replaced documents of {1}", "{0} hat Dokumente von {1} ersetzt";
        "{0} replaced documents of a chatbot", "{0} hat Dokumente eines Chatbots ersetzt";
    CHATBOT_DOCUMENT_DELETED, Chatbot: "Documents deleted", "Dokumente gelöscht";
        "{0} deleted documents of {1}", "{0} hat Dokumente von {1} gelöscht";
        "{0} deleted documents of a chatbot", "{0} hat Dokumente eines Chatbots gelöscht";
    CHATBOT_FAQ_CREATED, Chatbot: "Custom answer created", "Eigene Antwort angelegt";
        "{0} created a custom answer for {1}", "{0} hat eine eigene Antwort für {1} angelegt";
        "{0} created a custom answer for a chatbot", "{0} hat eine eigene Antwort für einen Chatbot angelegt";
    CHATBOT_FAQ_UPDATED, Chatbot: "Custom answer changed", "Eigene Antwort geändert";
        "{0} changed a custom answer of {1}", "{0} hat eine eigene Antwort von {1} geändert";
        "{0} changed a custom answer of a chatbot", "{0} hat eine eigene Antwort eines Chatbots geändert";
    CHATBOT_FAQ_DELETED, Chatbot: "Custom answer deleted", "Eigene Antwort gelöscht";
        "{0} deleted a custom answer of {1}", "{0} hat eine eigene Antwort von {1} gelöscht";
        "{0} deleted a custom answer of a chatbot", "{0} hat eine eigene Antwort eines Chatbots gelöscht";
    CHATBOT_FAQ_IMPORTED, Chatbot: "Custom answers imported", "Eigene Antworten importiert";
        "{0} imported custom answers for {1}", "{0} hat eigene Antworten für {1} importiert";
        "{0} imported custom answers for a chatbot", "{0} hat eigene Antworten für einen Chatbot importiert";
    CHATBOT_SOURCE_CREATED, Chatbot: "Source created", "Quelle angelegt";
        "{0} created a source for {1}", "{0} hat eine Quelle für {1} angelegt";
        "{0} created a source for a chatbot", "{0} hat eine Quelle für einen Chatbot angelegt";
    CHATBOT_SOURCE_UPDATED, Chatbot: "Source changed", "Quelle geändert";
        "{0} changed a source of {1}", "{0} hat eine Quelle von {1} geändert";
        "{0} changed a source of a chatbot", "{0} hat eine Quelle eines Chatbots geändert";
    CHATBOT_SOURCE_DELETED, Chatbot: "Source deleted", "Quelle gelöscht";
        "{0} deleted a source of {1}", "{0} hat eine Quelle von {1} gelöscht";
        "{0} deleted a source of a chatbot", "{0} hat eine Quelle eines Chatbots gelöscht";
    CHATBOT_SOURCE_READ_REQUESTED, Chatbot: "Reading of a source started", "Lesen einer Quelle gestartet";
        "{0} started reading a source of {1}", "{0} hat das Lesen einer Quelle von {1} gestartet";
        "{0} started reading a source of a chatbot", "{0} hat das Lesen einer Quelle eines Chatbots gestartet";
    CHATBOT_SOURCE_SYNCED, Chatbot: "Source synchronised", "Quelle abgeglichen";
        "{0} synchronised a source of {1}", "{0} hat eine Quelle von {1} abgeglichen";
        "{0} synchronised a source of a chatbot", "{0} hat eine Quelle eines Chatbots abgeglichen";

    CHAT_SESSION_ERASED, Chatbot: "Conversation deleted", "Gespräch gelöscht";
        "{0} deleted a conversation of {1}", "{0} hat ein Gespräch von {1} gelöscht";
        "{0} deleted a conversation of a chatbot", "{0} hat ein Gespräch eines Chatbots gelöscht";
    CONVERSATIONS_EXPORTED, Chatbot: "Conversations exported", "Gespräche exportiert";
        "{0} exported conversations of {1}", "{0} hat Gespräche von {1} exportiert";
        "{0} exported conversations", "{0} hat Gespräche exportiert";
    FEEDBACK_EXPORTED, Chatbot: "Feedback exported", "Feedback exportiert";
        "{0} exported the feedback on {1}", "{0} hat das Feedback zu {1} exportiert";
        "{0} exported feedback", "{0} hat Feedback exportiert";
    CHATBOT_FEEDBACK_CREATED, Chatbot: "Feedback given", "Feedback gegeben";
        "{0} gave feedback on {1}", "{0} hat Feedback zu {1} gegeben";
        "{0} gave feedback on a chatbot", "{0} hat Feedback zu einem Chatbot gegeben";
    CHATBOT_FEEDBACK_HANDLED, Chatbot: "Feedback marked as done", "Feedback als erledigt markiert";
        "{0} marked feedback on {1} as done", "{0} hat Feedback zu {1} als erledigt markiert";
        "{0} marked feedback on a chatbot as done", "{0} hat Feedback zu einem Chatbot als erledigt markiert";
    CHATBOT_FEEDBACK_REOPENED, Chatbot: "Feedback reopened", "Feedback wieder geöffnet";
        "{0} reopened feedback on {1}", "{0} hat Feedback zu {1} wieder geöffnet";
        "{0} reopened feedback on a chatbot", "{0} hat Feedback zu einem Chatbot wieder geöffnet";
    UNANSWERED_QUESTION_HANDLED, Chatbot: "Unanswered question marked as done", "Unbeantwortete Frage als erledigt markiert";
        "{0} marked an unanswered question to {1} as done", "{0} hat eine unbeantwortete Frage an {1} als erledigt markiert";
        "{0} marked an unanswered question as done", "{0} hat eine unbeantwortete Frage als erledigt markiert";
    UNANSWERED_QUESTION_REOPENED, Chatbot: "Unanswered question reopened", "Unbeantwortete Frage wieder geöffnet";
        "{0} reopened an unanswered question to {1}", "{0} hat eine unbeantwortete Frage an {1} wieder geöffnet";
        "{0} reopened an unanswered question", "{0} hat eine unbeantwortete Frage wieder geöffnet";

    KNOWLEDGE_BOOKMARK_CREATED, Nothing: "Bookmark created", "Lesezeichen angelegt";
        "{0} created a bookmark", "{0} hat ein Lesezeichen angelegt";
        "{0} created a bookmark", "{0} hat ein Lesezeichen angelegt";
    KNOWLEDGE_BOOKMARK_UPDATED, Nothing: "Bookmark changed", "Lesezeichen geändert";
        "{0} changed a bookmark", "{0} hat ein Lesezeichen geändert";
        "{0} changed a bookmark", "{0} hat ein Lesezeichen geändert";
    KNOWLEDGE_BOOKMARK_DELETED, Nothing: "Bookmark deleted", "Lesezeichen gelöscht";
        "{0} deleted a bookmark", "{0} hat ein Lesezeichen gelöscht";
        "{0} deleted a bookmark", "{0} hat ein Lesezeichen gelöscht";
    KNOWLEDGE_SAVED_SEARCH_CREATED, Nothing: "Search saved", "Suche gespeichert";
        "{0} saved a search", "{0} hat eine Suche gespeichert";
        "{0} saved a search", "{0} hat eine Suche gespeichert";
    KNOWLEDGE_SAVED_SEARCH_DELETED, Nothing: "Saved search deleted", "Gespeicherte Suche gelöscht";
        "{0} deleted a saved search", "{0} hat eine gespeicherte Suche gelöscht";
        "{0} deleted a saved search", "{0} hat eine gespeicherte Suche gelöscht";

    TEMPLATE_CREATED, Thing: "Template created", "Vorlage angelegt";
        "{0} created the template {1}", "{0} hat die Vorlage {1} angelegt";
        "{0} created a template", "{0} hat eine Vorlage angelegt";
    TEMPLATE_CLONED, Thing: "Template cloned", "Vorlage kopiert";
        "{0} cloned a template as {1}", "{0} hat eine Vorlage als {1} kopiert";
        "{0} cloned a template", "{0} hat eine Vorlage kopiert";
    TEMPLATE_UPDATED, Thing: "Template changed", "Vorlage geändert";
        "{0} changed the template {1}", "{0} hat die Vorlage {1} geändert";
        "{0} changed a template", "{0} hat eine Vorlage geändert";
    TEMPLATE_DEACTIVATED, Thing: "Template deactivated", "Vorlage deaktiviert";
        "{0} deactivated the template {1}", "{0} hat die Vorlage {1} deaktiviert";
        "{0} deactivated a template", "{0} hat eine Vorlage deaktiviert";
    TEMPLATE_REACTIVATED, Thing: "Template reactivated", "Vorlage wieder aktiviert";
        "{0} reactivated the template {1}", "{0} hat die Vorlage {1} wieder aktiviert";
        "{0} reactivated a template", "{0} hat eine Vorlage wieder aktiviert";
    MODULE_CREATED, Thing: "Module created", "Modul angelegt";
        "{0} created the module {1}", "{0} hat das Modul {1} angelegt";
        "{0} created a module", "{0} hat ein Modul angelegt";
    MODULE_UPDATED, Thing: "Module changed", "Modul geändert";
        "{0} changed the module {1}", "{0} hat das Modul {1} geändert";
        "{0} changed a module", "{0} hat ein Modul geändert";
    OUTPUT_FILTER_AUDIT_EXPORTED, Tenant: "Output filter events exported", "Ereignisse des Ausgabefilters exportiert";
        "{0} exported output filter events of {1}", "{0} hat Ereignisse des Ausgabefilters von {1} exportiert";
        "{0} exported output filter events", "{0} hat Ereignisse des Ausgabefilters exportiert";
}
