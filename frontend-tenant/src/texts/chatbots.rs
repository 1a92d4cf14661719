//! Texts of the chatbot list.

texts! {
    SUBTITLE = "Each chatbot answers from its own knowledge base.", "Jeder Chatbot antwortet aus seiner eigenen Wissensbasis.";
    NEW = "New chatbot", "Neuer Chatbot";
    CAPTION = "Your organisation's chatbots", "Chatbots Ihrer Organisation";
    SEARCH = "Search by name or slug", "Nach Name oder Kurzname suchen";
    STATUS_ALL = "All statuses", "Alle Status";
    EMPTY_TITLE = "No chatbots yet", "Noch keine Chatbots";
    EMPTY_TEXT = "A chatbot answers your visitors' questions from your documents and cites its sources. Setting up the first one takes about two minutes.", "Ein Chatbot beantwortet die Fragen Ihrer Besucher aus Ihren Dokumenten und nennt seine Quellen. Den ersten richten Sie in etwa zwei Minuten ein.";
    NO_MATCH_TITLE = "No results", "Keine Treffer";
    NO_MATCH_TEXT = "No chatbots match your search and filters.", "Kein Chatbot entspricht Ihrer Suche und Ihren Filtern.";
    TEMPLATE_UPDATE = "Template update", "Neue Vorlagenversion";
}
