//! Texts of the chatbot list.

texts! {
    SUBTITLE = "Each chatbot answers from its own documents.", "Jeder Chatbot antwortet aus seinen eigenen Dokumenten.";
    NEW = "New chatbot", "Neuer Chatbot";
    CAPTION = "Chatbots of your tenant", "Chatbots Ihres Mandanten";
    SEARCH = "Search by name or slug", "Nach Name oder Kurzname suchen";
    STATUS_ALL = "All states", "Alle Status";
    PROVISIONING = "Collection", "Sammlung";
    EMPTY_TITLE = "No chatbot yet", "Noch kein Chatbot";
    EMPTY_TEXT = "A chatbot answers your visitors' questions from your documents and names its sources. The first one takes about two minutes.", "Ein Chatbot beantwortet die Fragen Ihrer Besucher aus Ihren Dokumenten und nennt seine Quellen. Der erste dauert etwa zwei Minuten.";
    NO_MATCH_TITLE = "Nothing matches", "Nichts gefunden";
    NO_MATCH_TEXT = "No chatbot matches this search and filter.", "Kein Chatbot passt zu Suche und Filter.";
}
