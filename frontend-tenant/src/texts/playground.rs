//! Texts of the playground.

texts! {
    INTRO = "Ask a question as a visitor would. Nothing is stored or counted, and no allowed website is needed.", "Stellen Sie eine Frage wie ein Besucher. Nichts wird gespeichert oder gezählt, und keine freigegebene Website ist nötig.";
    QUESTION = "Question", "Frage";
    ASK = "Ask", "Fragen";
    SUGGESTED = "Suggested questions", "Vorgeschlagene Fragen";
    INACTIVE_TITLE = "This chatbot is deactivated", "Dieser Chatbot ist deaktiviert";
    INACTIVE_TEXT = "Deactivated chatbots can't be tested. Settings and documents are kept.", "Deaktivierte Chatbots lassen sich nicht testen. Einstellungen und Dokumente bleiben erhalten.";
    ANSWER = "Answer", "Antwort";
    ANSWERED = "From the documents", "Aus den Dokumenten";
    FALLBACK = "Fallback message", "Fallback-Nachricht";
    FILTERED = "Changed by the output filter", "Vom Ausgabefilter geändert";
    FALLBACK_TEXT = "No passage was relevant enough or contained an answer, so visitors get the fallback message.", "Kein Abschnitt war relevant genug oder enthielt eine Antwort. Besucher erhalten deshalb die Fallback-Nachricht.";
    TIMES = "Search {0} ms, answer {1} ms", "Suche {0} ms, Antwort {1} ms";
    SOURCES = "Sources shown to visitors", "Quellen, die Besucher sehen";
    FINDINGS = "Output filter", "Ausgabefilter";
    FINDING_WATCHED = "{0} ({1}), monitored only", "{0} ({1}), nur beobachtet";
    FINDING = "{0} ({1})", "{0} ({1})";
    PASSAGES = "Passages found", "Gefundene Abschnitte";
    PASSAGES_NONE = "Nothing found. This chatbot has no documents yet.", "Nichts gefunden. Dieser Chatbot hat noch keine Dokumente.";
    PASSAGES_TEXT = "Sorted by relevance. Passages scoring {0} or higher can be used in the answer (slightly lower if one sentence contains every word of the question).", "Nach Relevanz sortiert. Abschnitte ab {0} können in der Antwort verwendet werden (etwas darunter, wenn ein Satz alle Wörter der Frage enthält).";
    RELEVANT = "Relevant", "Relevant";
    TOO_LOW = "Not relevant enough", "Nicht relevant genug";
    SCORE = "Relevance {0}", "Relevanz {0}";
}
