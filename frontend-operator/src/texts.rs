//! The texts of the operator console.

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub(crate) const $name: app::i18n::Text = app::i18n::Text::new($en, $de);)+
    };
}

pub(crate) mod bulk;
pub(crate) mod output_filter;
pub(crate) mod templates;
pub(crate) mod tenants;
pub(crate) mod vendor_access;

texts! {
    CONSOLE = "Operator console", "Betreiberkonsole";
    OVERVIEW = "Overview", "Übersicht";
    OVERVIEW_SUBTITLE = "What runs on the platform and what needs attention.", "Was auf der Plattform läuft und was Aufmerksamkeit braucht.";
    TENANTS = "Tenants", "Mandanten";
    TENANTS_SUBTITLE = "Customers of the platform. Each has its own chatbots, branding and users.", "Kunden der Plattform. Jeder hat eigene Chatbots, ein eigenes Erscheinungsbild und eigene Benutzer.";
    TEMPLATES = "Templates", "Vorlagen";
    TEMPLATES_SUBTITLE = "What tenants start a new chatbot from.", "Woraus Mandanten einen neuen Chatbot anlegen.";
    PAGE = "Page", "Seite";
    CONNECTORS = "Connectors", "Konnektoren";

    LIVE_CHATBOTS = "Active chatbots", "Aktive Chatbots";
    ACTIVE_TEMPLATES = "Active templates", "Aktive Vorlagen";
    CONVERSATIONS = "Conversations", "Gespräche";
    LAST_30_DAYS = "in the last 30 days", "in den letzten 30 Tagen";
    QUESTIONS = "Questions", "Fragen";
    QUESTIONS_BY_DAY = "Questions by day", "Fragen je Tag";
    FILTER_EVENTS_BY_DAY = "Output filter by day", "Ausgabefilter je Tag";
    LATEST_TENANTS = "Latest tenants", "Neueste Mandanten";
    ALL_TENANTS = "All tenants", "Alle Mandanten";
    ATTENTION = "Needs attention", "Braucht Aufmerksamkeit";
    ATTENTION_NONE_TITLE = "Nothing to do", "Nichts zu tun";
    ATTENTION_NONE_TEXT = "Every chatbot is provisioned and every tenant can embed its widget.", "Jeder Chatbot ist bereit, und jeder Mandant kann sein Widget einbetten.";
    ATTENTION_PROVISIONING = "Chatbots whose vector collection could not be made: {0}. The tenant can try again, and the platform does so by itself.", "Chatbots, deren Vektorsammlung nicht angelegt werden konnte: {0}. Der Mandant kann es erneut versuchen, und die Plattform tut es von selbst.";
    ATTENTION_ORIGINS = "Tenants without allowed origins: {0}. Their widget answers nobody until they name their sites.", "Mandanten ohne erlaubte Websites: {0}. Ihr Widget antwortet niemandem, bis sie ihre Websites nennen.";

    ATTENTION_CORS = "Tenants with websites that may show the widget but not read its answers: {0}. List their origins in cors.allowed_origins, or set cors.tenant_origins.", "Mandanten mit Websites, die das Widget zeigen, aber seine Antworten nicht lesen dürfen: {0}. Nehmen Sie diese Websites in cors.allowed_origins auf, oder setzen Sie cors.tenant_origins.";
    ATTENTION_MORE = "and {0} more", "und {0} weitere";

    SEARCH_TENANTS = "Search by name or slug", "Nach Name oder Kurzname suchen";
    NEW_TENANT = "New tenant", "Neuer Mandant";
    CREATE_TENANT = "Create tenant", "Mandant anlegen";
    EDIT_TENANT = "Edit tenant", "Mandant bearbeiten";
    EDIT_NAMED = "Edit {0}", "{0} bearbeiten";
    DELETE_NAMED = "Delete {0}", "{0} löschen";
    DELETE_TENANT = "Delete tenant", "Mandant löschen";
    DELETE_TENANT_TITLE = "Delete “{0}”?", "„{0}“ löschen?";
    DELETE_TENANT_TEXT = "The tenant {0} disappears from every list, its users lose their access and its widgets fall silent at once. This cannot be undone here.", "Der Mandant {0} verschwindet aus allen Listen, seine Benutzer verlieren den Zugang und seine Widgets verstummen sofort. Das lässt sich hier nicht rückgängig machen.";
    TENANT_CREATED = "Tenant “{0}” created.", "Mandant „{0}“ angelegt.";
    TENANT_SAVED = "Tenant “{0}” saved.", "Mandant „{0}“ gespeichert.";
    TENANT_DELETED = "Tenant “{0}” deleted.", "Mandant „{0}“ gelöscht.";
    TENANT_SLUG_HINT = "Short name in addresses and exports: a–z, 0–9 and hyphens.", "Kurzer Name in Adressen und Exporten: a–z, 0–9 und Bindestriche.";
    DEFAULT_LANGUAGE = "Default language", "Standardsprache";
    ENABLED_MODULES = "Modules", "Module";
    NO_TENANTS_TITLE = "No tenants yet", "Noch keine Mandanten";
    NO_TENANTS_TEXT = "Create the first one; then its users can sign in to the tenant console and build a chatbot.", "Legen Sie den ersten an; dann können sich seine Benutzer in der Mandantenkonsole anmelden und einen Chatbot bauen.";
    NO_MATCH_TITLE = "Nothing matches", "Nichts gefunden";
    NO_MATCH_TEXT = "Try fewer letters or other filters.", "Versuchen Sie weniger Buchstaben oder andere Filter.";
    DETAILS = "Details", "Angaben";
    TENANT_ID = "Tenant id", "Mandantenkennung";
    CHATBOTS = "Chatbots", "Chatbots";
    CHATBOTS_EMPTY_TITLE = "No chatbots yet", "Noch keine Chatbots";
    CHATBOTS_EMPTY_TEXT = "The tenant's administrators create them in the tenant console.", "Die Administratoren des Mandanten legen sie in der Mandantenkonsole an.";
    PROVISIONING = "Collection", "Sammlung";
    TEMPLATE = "Template", "Vorlage";
    READ_ONLY = "You can look at everything here, switch modules and write templates; tenants are changed by operators only.", "Sie können hier alles ansehen, Module umschalten und Vorlagen schreiben; Mandanten ändern nur Betreiber.";

    SEARCH_TEMPLATES = "Search by name or id", "Nach Name oder Kennung suchen";
    NEW_TEMPLATE = "New template", "Neue Vorlage";
    NEW_TEMPLATE_SUBTITLE = "Chatbots copy these fields when they are created; later changes are offered to them.", "Chatbots übernehmen diese Felder beim Anlegen; spätere Änderungen werden ihnen angeboten.";
    CREATE_TEMPLATE = "Create template", "Vorlage anlegen";
    TEMPLATE_CREATED = "Template “{0}” created.", "Vorlage „{0}“ angelegt.";
    TEMPLATE_ID = "Id", "Kennung";
    TEMPLATE_ID_HINT = "Cannot be changed later. Ends in its language by custom: support-en.", "Später nicht änderbar. Endet üblicherweise auf die Sprache: support-en.";
    TEMPLATE_LANGUAGE = "Language", "Sprache";
    TEMPLATE_VERSION = "Version", "Version";
    NO_TEMPLATES_TITLE = "No templates yet", "Noch keine Vorlagen";
    NO_TEMPLATES_TEXT = "Write one, so that tenants need not start from an empty page.", "Schreiben Sie eine, damit Mandanten nicht vor einer leeren Seite sitzen.";
    GENERAL = "General", "Allgemein";
    CONVERSATION = "Conversation", "Gespräch";
    FAQ = "Questions and answers", "Fragen und Antworten";
    FAQ_HINT = "Indexed into every chatbot made from this template.", "Werden in jeden Chatbot aus dieser Vorlage aufgenommen.";
    FAQ_QUESTION = "Question {0}", "Frage {0}";
    FAQ_ANSWER = "Answer {0}", "Antwort {0}";
    FAQ_ADD = "Add a question", "Frage hinzufügen";
    FAQ_REMOVE = "Remove question {0}", "Frage {0} entfernen";
    FAQ_EMPTY = "No questions and answers.", "Keine Fragen und Antworten.";
    BRANDING = "Branding to start with", "Erscheinungsbild zu Beginn";
    BRANDING_EMPTY = "No branding; the tenant's own applies.", "Kein Erscheinungsbild; das des Mandanten gilt.";
    DESCRIPTION = "Description", "Beschreibung";
    SYSTEM_PROMPT = "System prompt", "Systemanweisung";
    SYSTEM_PROMPT_HINT = "What the model is told before every question.", "Was dem Modell vor jeder Frage gesagt wird.";
    WELCOME = "Welcome message", "Begrüßung";
    FALLBACK = "Fallback message", "Ersatzantwort";
    FALLBACK_HINT = "What the chatbot says when its documents have no answer.", "Was der Chatbot sagt, wenn seine Dokumente keine Antwort haben.";
    SUGGESTED = "Suggested questions", "Vorgeschlagene Fragen";
    SUGGESTED_HINT = "One a line, at most eight.", "Eine je Zeile, höchstens acht.";
    HEADER_TITLE = "Header title", "Titel im Kopf";

    AUDIT = "Audit log", "Protokoll";
    AUDIT_SUBTITLE = "Every change on the platform, newest first: who, what, when.", "Jede Änderung auf der Plattform, neueste zuerst: wer, was, wann.";
    AUDIT_SEARCH = "Search in the details", "In den Einzelheiten suchen";
    AUDIT_TIME = "Time", "Zeit";
    AUDIT_ACTION = "Action", "Vorgang";
    AUDIT_ACTOR = "By", "Durch";
    AUDIT_USER = "User", "Benutzer";
    AUDIT_ROLE = "Role", "Rolle";
    AUDIT_ENTITY = "Entity", "Gegenstand";
    AUDIT_ENTITY_TYPE = "Entity type", "Art des Gegenstands";
    AUDIT_ENTITY_ID = "Entity id", "Kennung des Gegenstands";
    AUDIT_CHATBOT = "Chatbot id", "Chatbotkennung";
    AUDIT_FROM = "From (UTC)", "Von (UTC)";
    AUDIT_TO = "To and including (UTC)", "Bis einschließlich (UTC)";
    AUDIT_ID = "Id of this row", "Kennung dieser Zeile";
    AUDIT_ADDRESS = "Address", "Adresse";
    AUDIT_SESSION = "Session", "Sitzung";
    AUDIT_BAD_ID = "Is not an id.", "Ist keine Kennung.";
    AUDIT_LIVE = "Live", "Live";
    NEWEST = "Newest", "Neueste";
    NEWER = "Newer", "Neuere";
    OLDER = "Older", "Ältere";
    AUDIT_NEIGHBOURS = "Rows beside this one", "Zeilen neben dieser";
    KEY_OLDER = "In a row of the audit log: to the older row of the list", "In einer Zeile des Protokolls: zur älteren Zeile der Liste";
    KEY_NEWER = "In a row of the audit log: to the newer row of the list", "In einer Zeile des Protokolls: zur neueren Zeile der Liste";
    AUDIT_END = "These are the oldest rows.", "Das sind die ältesten Zeilen.";
    AUDIT_NO_MATCH_TEXT = "No row fits. Bulk changes are found by their action, not by the id of one tenant.", "Keine Zeile passt. Sammeländerungen findet man über ihren Vorgang, nicht über die Kennung eines Mandanten.";
    AUDIT_EMPTY_TITLE = "Nothing happened yet", "Noch ist nichts geschehen";
    AUDIT_EMPTY_TEXT = "Every change through the API or a console leaves a row here.", "Jede Änderung über die API oder eine Konsole hinterlässt hier eine Zeile.";
    AUDIT_CSV = "Download CSV", "CSV herunterladen";
    AUDIT_CSV_TEXT = "The file holds every row that the filters of this page let through, not only the ones shown.", "Die Datei enthält alle Zeilen, die die Filter dieser Seite durchlassen, nicht nur die gezeigten.";
    AUDIT_CSV_DETAILS = "With the details of each change as the last column", "Mit den Einzelheiten jeder Änderung als letzter Spalte";
    AUDIT_DOWNLOADED = "The file has been downloaded.", "Die Datei wurde heruntergeladen.";
    AUDIT_SAME = "All rows of this entity", "Alle Zeilen zu diesem Gegenstand";
    AUDIT_CHANGES = "What changed", "Was sich änderte";
    AUDIT_NO_CHANGES = "This event changed no field.", "Dieses Ereignis änderte kein Feld.";
    AUDIT_FIELD = "Field", "Feld";
    AUDIT_BEFORE = "Before", "Vorher";
    AUDIT_AFTER = "After", "Nachher";
    AUDIT_MORE = "More", "Weiteres";
    AUDIT_RAW = "As JSON", "Als JSON";
    DOWNLOAD = "Download", "Herunterladen";
    RELOAD = "Reload", "Neu laden";
    FILTERS = "Filters", "Filter";
    FILTERS_SET = "Filters ({0} set)", "Filter ({0} gesetzt)";
    APPLY_FILTERS = "Apply filters", "Filter anwenden";
    TENANT = "Tenant", "Mandant";

    SELECT_NAMED = "Select {0}", "{0} auswählen";
    SELECTION = "Selection", "Auswahl";
    SELECT_PAGE = "Select all on this page", "Alle auf dieser Seite auswählen";
    SELECTED = "{0} selected", "{0} ausgewählt";
    SELECT_NONE = "Clear selection", "Auswahl aufheben";
    BULK_DELETE = "Delete selected tenants", "Ausgewählte Mandanten löschen";
    BULK_DELETE_TITLE = "Delete {0} tenants?", "{0} Mandanten löschen?";
    BULK_DELETE_TEXT = "{0}: they disappear from every list, their users lose their access and their widgets fall silent at once. All are deleted or none. This cannot be undone here.", "{0}: Sie verschwinden aus allen Listen, ihre Benutzer verlieren den Zugang, und ihre Widgets verstummen sofort. Es werden alle gelöscht oder keiner. Das lässt sich hier nicht rückgängig machen.";
    BULK_DELETE_CONFIRM = "Delete tenants", "Mandanten löschen";
    BULK_DELETED = "{0} tenants deleted.", "{0} Mandanten gelöscht.";
    AND_MORE = "{0} and {1} more", "{0} und {1} weitere";
    TOO_MANY_SELECTED = "At most {0} tenants can be deleted at once. Select fewer.", "Höchstens {0} Mandanten lassen sich auf einmal löschen. Wählen Sie weniger.";

    MODULES_SUBTITLE = "What tenants can have. Each tenant's own set stands on its page.", "Was Mandanten haben können. Welche ein Mandant hat, steht auf seiner Seite.";
    NEW_MODULE = "New module", "Neues Modul";
    CREATE_MODULE = "Create module", "Modul anlegen";
    EDIT_MODULE = "Edit module", "Modul bearbeiten";
    MODULE_CREATED = "Module “{0}” created.", "Modul „{0}“ angelegt.";
    MODULE_SAVED = "Module “{0}” saved.", "Modul „{0}“ gespeichert.";
    ID_RULE = "1 to 64 of a–z, 0–9, dots, underscores and hyphens; begins with a letter or digit.", "1 bis 64 Zeichen aus a–z, 0–9, Punkten, Unterstrichen und Bindestrichen; am Anfang ein Buchstabe oder eine Ziffer.";
    MODULE_ID_HINT = "Cannot be changed later: a–z, 0–9, dots, underscores and hyphens.", "Später nicht änderbar: a–z, 0–9, Punkte, Unterstriche und Bindestriche.";
    CATEGORY = "Category", "Gruppe";
    POSITION = "Position", "Rang";
    POSITION_HINT = "0 to 10000; lower stands first.", "0 bis 10000; niedrigere stehen zuerst.";
    ALWAYS_ON = "Always on", "Immer an";
    ALWAYS_ON_LABEL = "Every tenant has it and nobody switches it", "Jeder Mandant hat es, und niemand schaltet es um";
    INTERNAL_ONLY = "Internal", "Intern";
    INTERNAL_LABEL = "Tenants do not see it", "Mandanten sehen es nicht";
    NO_MODULES_TITLE = "No modules yet", "Noch keine Module";
    NO_MODULES_TEXT = "Register the first one; then it can be switched on for tenants.", "Legen Sie das erste an; dann lässt es sich für Mandanten einschalten.";
    MODULE_ON = "{0} is on.", "{0} ist an.";
    MODULE_OFF = "{0} is off.", "{0} ist aus.";
    NOT_A_NUMBER = "Is not a whole number.", "Ist keine ganze Zahl.";

    CONNECTORS_SUBTITLE = "Sources that chatbots could read from by themselves.", "Quellen, aus denen Chatbots von selbst lesen könnten.";
    CONNECTORS_TITLE = "Not part of this release", "Nicht Teil dieser Version";
    CONNECTORS_TEXT = "This page reads nothing from the server: connectors to wikis, ticket systems and drives are planned, and none is connected. Documents come in through the command “server ingest”.", "Diese Seite liest nichts vom Server: Konnektoren zu Wikis, Ticketsystemen und Laufwerken sind geplant, und keiner ist verbunden. Dokumente kommen über den Befehl „server ingest“ herein.";
}

/// The keys of single pages.
pub(crate) const KEYS: [(&str, app::i18n::Text); 2] = [("j", KEY_OLDER), ("k", KEY_NEWER)];
