//! Texts of the overview: trends, active tenants, templates and health.

texts! {
    QUESTIONS = "Questions", "Fragen";
    CONVERSATIONS = "Conversations", "Gespräche";
    NEW_TENANTS = "New tenants", "Neue Mandanten";
    NEW_CHATBOTS = "New chatbots", "Neue Chatbots";
    QUESTIONS_BY_DAY = "Questions per day", "Fragen pro Tag";
    FILTER_EVENTS_BY_DAY = "Output filter events per day", "Ereignisse des Ausgabefilters pro Tag";

    MOST_ACTIVE = "Most active tenants", "Aktivste Mandanten";
    ALL_TENANTS = "All tenants", "Alle Mandanten";
    ONE_QUESTION = "1 question", "1 Frage";
    QUESTION_COUNT = "{0} questions", "{0} Fragen";
    NONE_BEFORE = "none before", "davor keine";
    MOST_ACTIVE_BEFORE = "Changes are compared with the {0} days before.", "Mit der Veränderung gegenüber den {0} Tagen davor.";
    MOST_ACTIVE_NONE = "No questions in this period.", "Keine Fragen in diesem Zeitraum.";
    WITHOUT_QUESTIONS = "Tenants without questions in this period: {0}", "Mandanten ohne Fragen in diesem Zeitraum: {0}";

    ADOPTION = "Most used templates", "Meistgenutzte Vorlagen";
    ALL_TEMPLATES = "All templates", "Alle Vorlagen";
    NO_CHATBOTS = "no chatbots", "keine Chatbots";
    ONE_CHATBOT = "1 chatbot", "1 Chatbot";
    CHATBOT_COUNT = "{0} chatbots", "{0} Chatbots";
    BEHIND = "{0} behind", "{0} veraltet";
    BEHIND_NEWEST = "{0} behind the newest version", "{0} nicht auf der neuesten Version";
    BEHIND_TEXT = "A chatbot is behind until its tenant applies the newest version.", "Ein Chatbot ist veraltet, bis sein Mandant die neueste Version übernimmt.";

    HEALTH = "Platform health", "Zustand der Plattform";
    UNAVAILABLE = "Unavailable", "Nicht erreichbar";
    VECTOR_STORE = "Vector store", "Vektorspeicher";
    UPLOAD_SPACE = "Disk space for uploaded files", "Speicherplatz für hochgeladene Dateien";
    CACHE = "Cache", "Cache";
    LANGUAGE_MODELS = "Language models", "Sprachmodelle";
    MODELS_PAUSED = "Not available: {0}", "Nicht verfügbar: {0}";
    JOBS = "Background jobs", "Hintergrundaufgaben";
    JOBS_FAILED = "Failed in the last 24 hours: {0}", "In den letzten 24 Stunden fehlgeschlagen: {0}";
    JOBS_WAITING = "Waiting for more than an hour: {0}", "Warten seit mehr als einer Stunde: {0}";
}
