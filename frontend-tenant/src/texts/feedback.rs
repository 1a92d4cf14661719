//! Texts of a chatbot's feedback.

texts! {
    TOTAL = "Feedback", "Feedback";
    TOTAL_HINT = "since the chatbot was created", "seit der Chatbot angelegt wurde";
    HELPFUL = "Helpful", "Hilfreich";
    HELPFUL_HINT_ONE = "{0} of 1 rating", "{0} von 1 Bewertung";
    HELPFUL_HINT = "{0} of {1} ratings", "{0} von {1} Bewertungen";
    TOP = "Top issue", "Häufigstes Problem";
    TOP_HINT = "{0} times", "{0}-mal";
    TOP_ONCE = "once", "einmal";
    TOP_NONE = "none", "keines";
    PLOT = "Feedback per day (UTC)", "Feedback pro Tag (UTC)";
    PLOT_EMPTY = "No feedback in this period.", "Kein Feedback in diesem Zeitraum.";
    CATEGORIES = "What was wrong", "Was bemängelt wurde";
    CATEGORIES_NONE = "No issues reported yet.", "Noch keine Probleme gemeldet.";
    CATEGORY_SHOW = "Show feedback: {0}", "Feedback anzeigen: {0}";
    RATING = "Rating", "Bewertung";
    RATING_ALL = "All ratings", "Jede Bewertung";
    UP = "Helpful", "Hilfreich";
    DOWN = "Not helpful", "Nicht hilfreich";
    CATEGORY = "Category", "Kategorie";
    CATEGORY_ALL = "All categories", "Alle Kategorien";
    INCORRECT = "Incorrect", "Falsch";
    INCOMPLETE = "Incomplete", "Unvollständig";
    IRRELEVANT = "Off topic", "Am Thema vorbei";
    OUTDATED = "Outdated", "Veraltet";
    TONE = "Tone", "Tonfall";
    OTHER = "Other", "Sonstiges";
    LIST = "Feedback, newest first", "Feedback, neuestes zuerst";
    QUESTION = "Question", "Frage";
    ANSWER = "Answer", "Antwort";
    COMMENT = "Comment", "Kommentar";
    NO_MESSAGE = "No conversation available. Either the rating was not about a specific answer, or the conversation has been deleted.", "Kein Gespräch verfügbar. Entweder galt die Bewertung keiner bestimmten Antwort, oder das Gespräch wurde gelöscht.";
    EMPTY_TITLE = "No feedback yet", "Noch kein Feedback";
    EMPTY_TEXT = "Visitors can rate answers in the chat window. Their feedback appears here.", "Besucher können Antworten im Chatfenster bewerten. Ihr Feedback erscheint hier.";
    CSV = "Download CSV", "CSV herunterladen";
    NO_MATCH_TITLE = "No results", "Keine Treffer";
    NO_MATCH_TEXT = "No feedback matches these filters.", "Kein Feedback entspricht diesen Filtern.";
}
