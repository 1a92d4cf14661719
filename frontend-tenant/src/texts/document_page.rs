//! Texts of the page of a document in a chatbot's knowledge.

texts! {
    BACK = "All documents", "Alle Dokumente";
    MISSING = "Document not found", "Dokument nicht gefunden";
    MISSING_TEXT = "It may have been deleted.", "Möglicherweise wurde es gelöscht.";
    FILE = "File", "Datei";
    FILE_SIZE = "File size", "Dateigröße";
    ADDED = "Added", "Hinzugefügt";
    USE = "Use in answers", "Verwendung in Antworten";
    OPEN_PAGE = "Open page", "Seite öffnen";
    OWN_ANSWERS = "Edit custom answers", "Eigene Antworten bearbeiten";
    ASK = "Ask about this document", "Frage zu diesem Dokument stellen";
    ASK_QUESTION = "What does “{0}” say about ", "Was steht in „{0}“ über ";
    CITED_NONE = "Not cited in the last 30 days", "In den letzten 30 Tagen nicht zitiert";
    CITED_ONE = "Cited in 1 answer in the last 30 days", "In den letzten 30 Tagen in 1 Antwort zitiert";
    CITED_SOME = "Cited in {0} answers in the last 30 days", "In den letzten 30 Tagen in {0} Antworten zitiert";
    CITED_NEWEST = "The latest {0} are listed.", "Angezeigt werden die neuesten {0}.";
    CITED_CUT = "Only the latest 5,000 answers of the chatbot were counted.", "Gezählt wurden nur die neuesten 5.000 Antworten des Chatbots.";
    CITED_SINCE = "A new version of the document starts counting from zero.", "Bei einer neuen Version des Dokuments beginnt die Zählung bei null.";
}
