//! The texts of the operator console.

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub(crate) const $name: app::i18n::Text = app::i18n::Text::new($en, $de);)+
    };
}

pub(crate) mod bulk;
pub(crate) mod output_filter;
pub(crate) mod overview;
pub(crate) mod system_check;
pub(crate) mod templates;
pub(crate) mod tenants;
pub(crate) mod vendor_access;

texts! {
    CONSOLE = "Operator console", "Betreiberkonsole";
    OVERVIEW = "Overview", "Übersicht";
    OVERVIEW_SUBTITLE = "What's running on the platform and what needs attention.", "Was auf der Plattform läuft und was Aufmerksamkeit braucht.";
    TENANTS = "Tenants", "Mandanten";
    TENANTS_SUBTITLE = "The platform's customers. Each has its own chatbots, branding and users.", "Die Kunden der Plattform. Jeder hat eigene Chatbots, ein eigenes Erscheinungsbild und eigene Benutzer.";
    TEMPLATES = "Templates", "Vorlagen";
    TEMPLATES_SUBTITLE = "Starting points for tenants' new chatbots.", "Ausgangspunkte für neue Chatbots der Mandanten.";
    PAGE = "Page", "Seite";
    CONNECTORS = "Connectors", "Konnektoren";

    LIVE_CHATBOTS = "Active chatbots", "Aktive Chatbots";
    ACTIVE_TEMPLATES = "Active templates", "Aktive Vorlagen";
    HUB = "Knowledge hub, last 30 days", "Knowledge Hub, letzte 30 Tage";
    HUB_SEARCHES = "Searches", "Suchen";
    HUB_TENANTS = "Tenants that searched", "Mandanten mit Suchen";
    HUB_OF = "{0} of {1}", "{0} von {1}";
    HUB_WITHOUT_RESULT = "Searches without results", "Suchen ohne Treffer";
    HUB_OPENED = "Results opened", "Geöffnete Treffer";
    MODELS_AWAY = "Language model not available: {0}. Answers are quoted from the documents until it is back.", "Sprachmodell nicht verfügbar: {0}. Bis es wieder da ist, werden Antworten aus den Dokumenten zitiert.";
    ATTENTION = "Needs attention", "Braucht Aufmerksamkeit";
    ATTENTION_NONE_TITLE = "All clear", "Alles in Ordnung";
    ATTENTION_NONE_TEXT = "Every chatbot is set up, and every tenant has allowed websites.", "Alle Chatbots sind eingerichtet, und jeder Mandant hat freigegebene Websites.";
    ATTENTION_PROVISIONING = "Chatbots whose knowledge base couldn't be created: {0}. The platform retries automatically, and tenants can retry themselves.", "Chatbots, deren Wissensbasis nicht angelegt werden konnte: {0}. Die Plattform versucht es automatisch erneut, und die Mandanten können es selbst erneut versuchen.";
    ATTENTION_ORIGINS = "Tenants without allowed websites: {0}. Their widget won't load until they add an allowed website.", "Mandanten ohne freigegebene Websites: {0}. Ihr Widget wird erst geladen, wenn sie eine Website freigeben.";

    ATTENTION_CORS = "Tenants with allowed websites that are missing from the platform's CORS settings: {0}. Browsers block the widget's requests there. Add these websites to cors.allowed_origins, or turn on cors.tenant_origins.", "Mandanten mit freigegebenen Websites, die in den CORS-Einstellungen der Plattform fehlen: {0}. Browser blockieren dort die Anfragen des Widgets. Nehmen Sie diese Websites in cors.allowed_origins auf oder schalten Sie cors.tenant_origins ein.";
    ATTENTION_MORE = "and {0} more", "und {0} weitere";

    SEARCH_TENANTS = "Search by name or slug", "Nach Name oder Kurzname suchen";
    NEW_TENANT = "New tenant", "Neuer Mandant";
    CREATE_TENANT = "Create tenant", "Mandant anlegen";
    EDIT_TENANT = "Edit tenant", "Mandant bearbeiten";
    EDIT_NAMED = "Edit {0}", "{0} bearbeiten";
    DELETE_NAMED = "Delete {0}", "{0} löschen";
    DELETE_TENANT = "Delete tenant", "Mandant löschen";
    DELETE_TENANT_TITLE = "Delete “{0}”?", "„{0}“ löschen?";
    DELETE_TENANT_TEXT = "{0} will be removed from all lists. Its users lose access and its widgets stop working immediately. You can't undo this here.", "{0} verschwindet aus allen Listen. Die Benutzer verlieren sofort den Zugriff, und die Widgets funktionieren nicht mehr. Das lässt sich hier nicht rückgängig machen.";
    TENANT_CREATED = "Tenant “{0}” created.", "Mandant „{0}“ angelegt.";
    TENANT_SAVED = "Tenant “{0}” saved.", "Mandant „{0}“ gespeichert.";
    TENANT_DELETED = "Tenant “{0}” deleted.", "Mandant „{0}“ gelöscht.";
    TENANT_SLUG_HINT = "Used in URLs and exports: a–z, 0–9 and hyphens.", "Für URLs und Exporte: a–z, 0–9 und Bindestriche.";
    DEFAULT_LANGUAGE = "Default language", "Standardsprache";
    ENABLED_MODULES = "Modules", "Module";
    NO_TENANTS_TITLE = "No tenants yet", "Noch keine Mandanten";
    NO_TENANTS_TEXT = "Create the first tenant so its users can sign in to the tenant console and create chatbots.", "Legen Sie den ersten Mandanten an, damit sich seine Benutzer in der Mandantenkonsole anmelden und Chatbots anlegen können.";
    NO_MATCH_TITLE = "No results", "Keine Treffer";
    NO_MATCH_TEXT = "Try a shorter search or different filters.", "Versuchen Sie einen kürzeren Suchbegriff oder andere Filter.";
    DETAILS = "Details", "Details";
    TENANT_ID = "Tenant ID", "Mandanten-ID";
    CHATBOTS = "Chatbots", "Chatbots";
    CHATBOTS_EMPTY_TITLE = "No chatbots yet", "Noch keine Chatbots";
    CHATBOTS_EMPTY_TEXT = "The tenant's administrators create chatbots in the tenant console.", "Die Administratoren des Mandanten legen Chatbots in der Mandantenkonsole an.";
    PROVISIONING = "Knowledge base", "Wissensbasis";
    TEMPLATE = "Template", "Vorlage";
    READ_ONLY = "You can view everything here, turn modules on or off and edit templates. Only operators can change tenants.", "Sie können hier alles ansehen, Module ein- und ausschalten und Vorlagen bearbeiten. Nur Betreiber können Mandanten ändern.";

    SEARCH_TEMPLATES = "Search by name or ID", "Nach Name oder ID suchen";
    NEW_TEMPLATE = "New template", "Neue Vorlage";
    NEW_TEMPLATE_SUBTITLE = "New chatbots copy these fields. Later changes are offered to them as updates.", "Neue Chatbots übernehmen diese Felder. Spätere Änderungen werden ihnen als Aktualisierung angeboten.";
    CREATE_TEMPLATE = "Create template", "Vorlage anlegen";
    TEMPLATE_CREATED = "Template “{0}” created.", "Vorlage „{0}“ angelegt.";
    TEMPLATE_ID = "ID", "ID";
    TEMPLATE_ID_HINT = "Can't be changed later. By convention it ends in the language: support-en.", "Später nicht mehr änderbar. Endet üblicherweise mit der Sprache: support-en.";
    TEMPLATE_LANGUAGE = "Language", "Sprache";
    TEMPLATE_VERSION = "Version", "Version";
    NO_TEMPLATES_TITLE = "No templates yet", "Noch keine Vorlagen";
    NO_TEMPLATES_TEXT = "Create one so tenants don't have to start from scratch.", "Legen Sie eine an, damit Mandanten nicht bei null anfangen müssen.";
    GENERAL = "General", "Allgemein";
    CONVERSATION = "Conversation", "Gespräch";
    FAQ = "Questions and answers", "Fragen und Antworten";
    FAQ_HINT = "Added to the knowledge base of every chatbot created from this template.", "Kommen in die Wissensbasis jedes Chatbots, der aus dieser Vorlage entsteht.";
    FAQ_QUESTION = "Question {0}", "Frage {0}";
    FAQ_ANSWER = "Answer {0}", "Antwort {0}";
    FAQ_ADD = "Add question", "Frage hinzufügen";
    FAQ_REMOVE = "Remove question {0}", "Frage {0} entfernen";
    FAQ_EMPTY = "No questions and answers yet.", "Noch keine Fragen und Antworten.";
    BRANDING = "Default branding", "Standard-Erscheinungsbild";
    BRANDING_EMPTY = "None. Chatbots use the tenant's branding.", "Keines. Chatbots verwenden das Erscheinungsbild des Mandanten.";
    DESCRIPTION = "Description", "Beschreibung";
    SYSTEM_PROMPT = "System prompt", "System-Prompt";
    SYSTEM_PROMPT_HINT = "Instructions the model gets with every question.", "Anweisungen, die das Modell mit jeder Frage erhält.";
    WELCOME = "Welcome message", "Begrüßung";
    FALLBACK = "Fallback message", "Fallback-Nachricht";
    FALLBACK_HINT = "Sent when the chatbot has no answer.", "Wird gesendet, wenn der Chatbot keine Antwort hat.";
    SUGGESTED = "Suggested questions", "Vorgeschlagene Fragen";
    SUGGESTED_HINT = "One per line, up to eight.", "Eine pro Zeile, höchstens acht.";
    HEADER_TITLE = "Chat window title", "Titel des Chatfensters";

    AUDIT = "Audit log", "Audit-Log";
    AUDIT_SUBTITLE = "Every change on the platform, newest first.", "Alle Änderungen auf der Plattform, neueste zuerst.";
    AUDIT_SEARCH = "Search details", "Details durchsuchen";
    AUDIT_TIME = "Time", "Zeit";
    AUDIT_ACTION = "Action", "Aktion";
    AUDIT_ACTOR = "User", "Benutzer";
    AUDIT_USER = "User", "Benutzer";
    AUDIT_ROLE = "Role", "Rolle";
    AUDIT_ENTITY = "Object", "Objekt";
    AUDIT_ENTITY_TYPE = "Object type", "Objekttyp";
    AUDIT_ENTITY_ID = "Object ID", "Objekt-ID";
    AUDIT_CHATBOT = "Chatbot ID", "Chatbot-ID";
    AUDIT_ONE_CHATBOT = "Chatbot", "Chatbot";
    AUDIT_CODE = "Action code", "Code der Aktion";
    AUDIT_HAPPENED = "Change", "Änderung";
    AUDIT_ADVANCED = "Advanced filters", "Weitere Filter";
    REMOVE_FILTER = "Remove filter: {0}", "Filter entfernen: {0}";
    SAVED_FILTERS = "Saved filters", "Gespeicherte Filter";
    REMOVE_SAVED = "Delete saved filters: {0}", "Gespeicherte Filter löschen: {0}";
    SAVE_FILTERS = "Save filters", "Filter speichern";
    SAVE_FILTERS_HINT = "Kept in this browser for you alone.", "Nur für Sie in diesem Browser gespeichert.";
    NAME_FILTERS = "Enter a name.", "Geben Sie einen Namen ein.";
    AUDIT_FROM = "From (UTC)", "Von (UTC)";
    AUDIT_TO = "To (UTC, inclusive)", "Bis einschließlich (UTC)";
    AUDIT_ID = "Entry ID", "Eintrags-ID";
    AUDIT_ADDRESS = "IP address", "IP-Adresse";
    AUDIT_SESSION = "Session", "Sitzung";
    AUDIT_BAD_ID = "Enter a valid ID.", "Geben Sie eine gültige ID ein.";
    AUDIT_LIVE = "Live", "Live";
    NEWEST = "Newest", "Neueste";
    NEWER = "Newer", "Neuere";
    OLDER = "Older", "Ältere";
    AUDIT_NEIGHBOURS = "Previous and next entry", "Vorheriger und nächster Eintrag";
    KEY_OLDER = "In an audit log entry: go to the next older entry", "In einem Eintrag des Audit-Logs: zum nächstälteren Eintrag";
    KEY_NEWER = "In an audit log entry: go to the next newer entry", "In einem Eintrag des Audit-Logs: zum nächstneueren Eintrag";
    AUDIT_END = "These are the oldest entries.", "Das sind die ältesten Einträge.";
    AUDIT_NO_MATCH_TEXT = "No entries match. To find bulk changes, filter by action instead of tenant ID.", "Keine passenden Einträge. Filtern Sie nach der Aktion statt nach der Mandanten-ID, um Sammeländerungen zu finden.";
    AUDIT_EMPTY_TITLE = "No entries yet", "Noch keine Einträge";
    AUDIT_EMPTY_TEXT = "Every change made through the API or a console is recorded here.", "Hier wird jede Änderung über die API oder eine Konsole aufgezeichnet.";
    AUDIT_CSV = "Download CSV", "CSV herunterladen";
    AUDIT_CSV_TEXT = "Exports all entries matching the current filters.", "Exportiert alle Einträge, die den aktuellen Filtern entsprechen.";
    AUDIT_CSV_DETAILS = "Add the details of each change as the last column", "Details jeder Änderung als letzte Spalte hinzufügen";
    AUDIT_DOWNLOADED = "File downloaded.", "Datei heruntergeladen.";
    AUDIT_SAME = "All entries for this object", "Alle Einträge zu diesem Objekt";
    AUDIT_CHANGES = "Changes", "Änderungen";
    AUDIT_NO_CHANGES = "No fields were changed.", "Es wurden keine Felder geändert.";
    AUDIT_FIELD = "Field", "Feld";
    AUDIT_BEFORE = "Before", "Vorher";
    AUDIT_AFTER = "After", "Nachher";
    AUDIT_MORE = "More details", "Weitere Details";
    AUDIT_TECHNICAL = "Technical details", "Technische Details";
    AUDIT_RAW = "Raw JSON", "JSON-Rohdaten";
    DOWNLOAD = "Download", "Herunterladen";
    RELOAD = "Reload", "Neu laden";
    FILTERS = "Filters", "Filter";
    FILTERS_SET = "Filters ({0} active)", "Filter ({0} aktiv)";
    APPLY_FILTERS = "Apply filters", "Filter anwenden";
    TENANT = "Tenant", "Mandant";

    SELECT_NAMED = "Select {0}", "{0} auswählen";
    SELECTION = "Selection", "Auswahl";
    SELECT_PAGE = "Select all on this page", "Alle auf dieser Seite auswählen";
    SELECTED = "{0} selected", "{0} ausgewählt";
    SELECT_NONE = "Clear selection", "Auswahl aufheben";
    BULK_DELETE = "Delete selected tenants", "Ausgewählte Mandanten löschen";
    BULK_DELETE_TITLE = "Delete the selected tenants ({0})?", "Ausgewählte Mandanten löschen ({0})?";
    BULK_DELETE_TEXT = "Tenants: {0}. They will be removed from all lists. Their users lose access and their widgets stop working immediately. If one of them can't be deleted, none will be. You can't undo this here.", "Mandanten: {0}. Sie verschwinden aus allen Listen. Die Benutzer verlieren sofort den Zugriff, und die Widgets funktionieren nicht mehr. Lässt sich einer nicht löschen, wird keiner gelöscht. Das lässt sich hier nicht rückgängig machen.";
    BULK_DELETE_CONFIRM = "Delete tenants", "Mandanten löschen";
    BULK_DELETED = "Tenants deleted: {0}.", "Gelöschte Mandanten: {0}.";
    AND_MORE = "{0} and {1} more", "{0} und {1} weitere";
    TOO_MANY_SELECTED = "You can delete up to {0} tenants at once. Select fewer.", "Sie können höchstens {0} Mandanten auf einmal löschen. Wählen Sie weniger aus.";

    MODULES_SUBTITLE = "All modules of the platform. Each tenant's modules are listed on the tenant's page.", "Alle Module der Plattform. Welche ein Mandant hat, steht auf der Seite des Mandanten.";
    NEW_MODULE = "New module", "Neues Modul";
    CREATE_MODULE = "Create module", "Modul anlegen";
    EDIT_MODULE = "Edit module", "Modul bearbeiten";
    MODULE_CREATED = "Module “{0}” created.", "Modul „{0}“ angelegt.";
    MODULE_SAVED = "Module “{0}” saved.", "Modul „{0}“ gespeichert.";
    ID_RULE = "Use 1 to 64 of a–z, 0–9, dots, underscores and hyphens, starting with a letter or digit.", "1 bis 64 Zeichen aus a–z, 0–9, Punkten, Unterstrichen und Bindestrichen, beginnend mit einem Buchstaben oder einer Ziffer.";
    MODULE_ID_HINT = "Can't be changed later. Use a–z, 0–9, dots, underscores and hyphens.", "Später nicht mehr änderbar. Erlaubt sind a–z, 0–9, Punkte, Unterstriche und Bindestriche.";
    CATEGORY = "Category", "Kategorie";
    POSITION = "Position", "Position";
    POSITION_HINT = "0 to 10000. Lower numbers come first.", "0 bis 10000. Niedrigere Zahlen stehen zuerst.";
    ALWAYS_ON = "Always enabled", "Immer aktiv";
    ALWAYS_ON_LABEL = "Always enabled for every tenant", "Für alle Mandanten immer aktiv";
    INTERNAL_ONLY = "Internal", "Intern";
    SELF_SERVICE_LABEL = "Tenant administrators can turn it on or off", "Mandanten-Administratoren können es ein- und ausschalten";
    INTERNAL_LABEL = "Hidden from tenants", "Für Mandanten nicht sichtbar";
    EFFECT_KNOWLEDGE_HUB = "Adds the knowledge search to the tenant console.", "Fügt der Mandantenkonsole die Wissenssuche hinzu.";
    EFFECT_NONE = "For information only.", "Nur zur Information.";
    NO_MODULES_TITLE = "No modules yet", "Noch keine Module";
    NO_MODULES_TEXT = "Create the first module, then turn it on for tenants.", "Legen Sie das erste Modul an und schalten Sie es dann für Mandanten ein.";
    MODULE_ON = "{0} is on.", "{0} ist eingeschaltet.";
    MODULE_OFF = "{0} is off.", "{0} ist ausgeschaltet.";
    NOT_A_NUMBER = "Enter a whole number.", "Geben Sie eine ganze Zahl ein.";

    CONNECTORS_SUBTITLE = "Sources that chatbots will be able to read automatically.", "Quellen, die Chatbots künftig automatisch lesen können.";
    CONNECTORS_TITLE = "Not available yet", "Noch nicht verfügbar";
    CONNECTORS_TEXT = "Connectors to wikis, ticket systems and drives are planned. For now, import documents with the command “server ingest”.", "Konnektoren zu Wikis, Ticketsystemen und Laufwerken sind geplant. Bis dahin importieren Sie Dokumente mit dem Befehl „server ingest“.";
}

/// The keys of single pages.
pub(crate) const KEYS: [(&str, app::i18n::Text); 2] = [("j", KEY_OLDER), ("k", KEY_NEWER)];
