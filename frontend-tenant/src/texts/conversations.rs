//! Texts of the conversations.

texts! {
    TITLE = "Conversations", "Gespräche";
    SUBTITLE = "What visitors asked and what your chatbots answered.", "Was Besucher gefragt und Ihre Chatbots geantwortet haben.";
    COUNT = "Conversations", "Gespräche";
    COUNT_HINT = "in the last 30 days", "in den letzten 30 Tagen";
    COUNT_CHOSEN = "in the selected period (UTC)", "im gewählten Zeitraum (UTC)";
    ANSWERED = "Answered", "Beantwortet";
    ANSWERED_HINT = "{0} of {1} questions", "{0} von {1} Fragen";
    UNANSWERED = "Unanswered", "Unbeantwortet";
    UNANSWERED_HINT = "{0} with an unsure answer, {1} with the fallback message", "{0} mit unsicherer Antwort, {1} mit Fallback-Nachricht";
    PLOT = "Conversations per day (UTC)", "Gespräche pro Tag (UTC)";
    PLOT_QUESTIONS = "Questions per day (UTC)", "Fragen pro Tag (UTC)";

    SEARCH = "Search conversations", "Gespräche durchsuchen";
    CHATBOT = "Chatbot", "Chatbot";
    CHATBOT_ALL = "All chatbots", "Alle Chatbots";
    OUTCOME = "Outcome", "Ergebnis";
    OUTCOME_ALL = "Any outcome", "Alle Ergebnisse";
    OUTCOME_ANSWERED = "Fully answered", "Vollständig beantwortet";
    OUTCOME_UNANSWERED = "With unanswered questions", "Mit unbeantworteten Fragen";
    RATING = "Rating", "Bewertung";
    RATING_ALL = "Any rating", "Alle Bewertungen";
    RATING_DOWN = "Rated not helpful", "Als nicht hilfreich bewertet";
    RATING_UP = "Rated helpful", "Als hilfreich bewertet";
    FROM = "From", "Von";
    TO = "To", "Bis";
    CAPTION = "Conversations, newest first", "Gespräche, neueste zuerst";
    FIRST_QUESTION = "First question", "Erste Frage";
    LAST_MESSAGE = "Last message", "Letzte Nachricht";
    QUESTIONS = "Answers", "Antworten";
    NO_QUESTION = "(no question)", "(keine Frage)";
    SOME_UNANSWERED = "{0} unanswered", "{0} unbeantwortet";
    DOWN = "{0} not helpful", "{0} nicht hilfreich";
    UP = "{0} helpful", "{0} hilfreich";
    OLDER = "Older", "Ältere";
    NEWER = "Newer", "Neuere";
    EMPTY_TITLE = "No conversations yet", "Noch keine Gespräche";
    EMPTY_TEXT = "Conversations appear here as soon as a visitor asks one of your chatbots.", "Gespräche erscheinen hier, sobald ein Besucher einem Ihrer Chatbots eine Frage stellt.";
    SEARCHED_TO = "Searched back to {0}. Older conversations may also match.", "Bis {0} durchsucht. Auch ältere Gespräche können passen.";
    SEARCHED_TO_NONE = "No results back to {0}. Older conversations may match.", "Noch keine Treffer, bis {0} durchsucht. Ältere Gespräche können passen.";
    SEARCH_ON = "Search older", "Ältere durchsuchen";
    AT_LEAST = "at least {0}", "mindestens {0}";
    NO_MATCH_TITLE = "No results", "Keine Treffer";
    NO_MATCH_TEXT = "No conversations match these filters.", "Keine Gespräche entsprechen diesen Filtern.";

    ONE = "Conversation", "Gespräch";
    ONE_SUBTITLE = "{0}, started {1}", "{0}, begonnen {1}";
    MISSING_TITLE = "Conversation not found", "Gespräch nicht gefunden";
    MISSING_TEXT = "It may have been deleted, either manually or automatically after a long period of inactivity.", "Vielleicht wurde es gelöscht, manuell oder automatisch nach längerer Inaktivität.";
    BACK = "All conversations", "Alle Gespräche";
    MESSAGES = "Messages", "Nachrichten";
    VISITOR = "Visitor", "Besucher";
    NOT_ANSWERED = "Unanswered", "Unbeantwortet";
    NOT_SURE = "Not sure", "Nicht sicher";
    QUOTED = "Quoted from documents", "Aus Dokumenten zitiert";
    GENERATED = "Worded by the language model", "Vom Sprachmodell formuliert";
    TRUNCATED = "Ended early", "Vorzeitig beendet";
    FILTERED = "Changed by the output filter", "Vom Ausgabefilter geändert";
    SOURCES = "Sources", "Quellen";
    HANDLED = "Done", "Erledigt";
    ERASE = "Delete conversation", "Gespräch löschen";
    ERASE_TITLE = "Delete this conversation?", "Dieses Gespräch löschen?";
    ERASE_TEXT = "Its {0} messages and any feedback comments will be permanently deleted, including from the output filter's records. Ratings are kept as numbers. The audit log records that you deleted it, but not its content.", "Die {0} Nachrichten und alle Feedback-Kommentare werden endgültig gelöscht, auch aus den Aufzeichnungen des Ausgabefilters. Bewertungen bleiben als Zahlen erhalten. Das Audit-Log hält fest, dass Sie das Gespräch gelöscht haben, nicht aber den Inhalt.";
    ERASED = "Conversation deleted.", "Gespräch gelöscht.";
}
