//! Texts of a chatbot's feedback.

texts! {
    TOTAL = "Feedback", "Rückmeldungen";
    TOTAL_HINT = "since the chatbot exists", "seit es den Chatbot gibt";
    HELPFUL = "Helpful", "Hilfreich";
    HELPFUL_HINT = "{0} of {1} answers that were rated", "{0} von {1} bewerteten Antworten";
    TOP = "Most frequent complaint", "Häufigste Kritik";
    TOP_HINT = "{0} times", "{0}-mal";
    TOP_ONCE = "once", "einmal";
    TOP_NONE = "none", "keine";
    PLOT = "Feedback of the last 30 days", "Rückmeldungen der letzten 30 Tage";
    PLOT_EMPTY = "No feedback in the last 30 days.", "Keine Rückmeldungen in den letzten 30 Tagen.";
    CATEGORIES = "What was wrong", "Was nicht stimmte";
    CATEGORIES_NONE = "Nobody has said yet what was wrong with an answer.", "Noch hat niemand gesagt, was an einer Antwort nicht stimmte.";
    CATEGORY_SHOW = "Show feedback with: {0}", "Rückmeldungen zeigen mit: {0}";
    RATING = "Rating", "Bewertung";
    RATING_ALL = "All ratings", "Alle Bewertungen";
    UP = "Helpful", "Hilfreich";
    DOWN = "Not helpful", "Nicht hilfreich";
    CATEGORY = "Category", "Kategorie";
    CATEGORY_ALL = "All categories", "Alle Kategorien";
    INCORRECT = "Incorrect", "Falsch";
    INCOMPLETE = "Incomplete", "Unvollständig";
    IRRELEVANT = "Beside the question", "An der Frage vorbei";
    OUTDATED = "Outdated", "Veraltet";
    TONE = "Tone", "Ton";
    OTHER = "Other", "Anderes";
    LIST = "Feedback, newest first", "Rückmeldungen, neueste zuerst";
    QUESTION = "Question", "Frage";
    ANSWER = "Answer", "Antwort";
    COMMENT = "Comment", "Kommentar";
    NO_MESSAGE = "The conversation is not known: the visitor rated without naming an answer, or it has been removed since.", "Das Gespräch ist nicht bekannt: Der Besucher hat keine Antwort genannt, oder es wurde seither entfernt.";
    EMPTY_TITLE = "No feedback yet", "Noch keine Rückmeldungen";
    EMPTY_TEXT = "Visitors rate answers in the chat window. What they say stands here.", "Besucher bewerten Antworten im Chatfenster. Was sie sagen, steht hier.";
    CSV = "Download as CSV", "Als CSV herunterladen";
    NO_MATCH_TITLE = "Nothing matches", "Nichts gefunden";
    NO_MATCH_TEXT = "No feedback matches these filters.", "Keine Rückmeldung passt zu diesen Filtern.";
}
