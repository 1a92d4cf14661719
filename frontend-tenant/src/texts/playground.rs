//! Texts of the playground.

texts! {
    INTRO = "Ask as a visitor would. Nothing of it is stored or counted, and no website needs to be allowed.", "Fragen Sie, wie es ein Besucher täte. Nichts davon wird gespeichert oder gezählt, und keine Website muss erlaubt sein.";
    QUESTION = "Question", "Frage";
    ASK = "Ask", "Fragen";
    SUGGESTED = "Suggested questions", "Vorgeschlagene Fragen";
    INACTIVE_TITLE = "A deactivated chatbot answers nobody", "Ein deaktivierter Chatbot antwortet niemandem";
    INACTIVE_TEXT = "Not here either. Its settings and documents are kept.", "Auch hier nicht. Seine Einstellungen und Dokumente bleiben erhalten.";
    ANSWER = "Answer", "Antwort";
    ANSWERED = "From the documents", "Aus den Dokumenten";
    FALLBACK = "Fallback message", "Ersatzantwort";
    FILTERED = "Changed by the output filter", "Vom Ausgabefilter geändert";
    FALLBACK_TEXT = "No passage was relevant enough, or none held an answer: visitors get the fallback message.", "Kein Abschnitt war wichtig genug, oder keiner enthielt eine Antwort: Besucher bekommen die Ersatzantwort.";
    TIMES = "Search {0} ms, answer {1} ms", "Suche {0} ms, Antwort {1} ms";
    SOURCES = "Sources as visitors see them", "Quellen, wie Besucher sie sehen";
    FINDINGS = "Output filter", "Ausgabefilter";
    FINDING_WATCHED = "{0} ({1}), watched only", "{0} ({1}), nur beobachtet";
    FINDING = "{0} ({1})", "{0} ({1})";
    PASSAGES = "Passages that were found", "Gefundene Abschnitte";
    PASSAGES_NONE = "Nothing was found: this chatbot has no documents yet.", "Nichts gefunden: Dieser Chatbot hat noch keine Dokumente.";
    PASSAGES_TEXT = "Best first. From a relevance of {0} on a passage may be answered from; a little below it when one sentence has all words of the question.", "Der beste zuerst. Ab einer Relevanz von {0} darf aus einem Abschnitt geantwortet werden; etwas darunter, wenn ein Satz alle Wörter der Frage enthält.";
    RELEVANT = "Relevant", "Relevant";
    TOO_LOW = "Not relevant enough", "Nicht relevant genug";
    SCORE = "Relevance {0}", "Relevanz {0}";
}
