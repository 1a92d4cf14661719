//! Texts of the conversations.

texts! {
    TITLE = "Conversations", "Gespräche";
    SUBTITLE = "What visitors asked your chatbots, and what they were told.", "Was Besucher Ihre Chatbots gefragt und zur Antwort bekommen haben.";
    COUNT = "Conversations", "Gespräche";
    COUNT_HINT = "in the last 30 days", "in den letzten 30 Tagen";
    COUNT_CHOSEN = "on the chosen days in UTC", "an den gewählten Tagen in UTC";
    ANSWERED = "Answered", "Beantwortet";
    ANSWERED_HINT = "{0} of {1} questions, from the documents", "{0} von {1} Fragen, aus den Dokumenten";
    UNANSWERED = "Unanswered", "Unbeantwortet";
    UNANSWERED_HINT = "questions that got the fallback message", "Fragen, die die Ersatzantwort bekamen";
    PLOT = "Conversations a day (UTC)", "Gespräche je Tag (UTC)";
    PLOT_QUESTIONS = "Questions a day (UTC)", "Fragen je Tag (UTC)";

    SEARCH = "Search what was said", "Gesagtes durchsuchen";
    CHATBOT = "Chatbot", "Chatbot";
    CHATBOT_ALL = "All chatbots", "Alle Chatbots";
    OUTCOME = "Outcome", "Ausgang";
    OUTCOME_ALL = "Answered or not", "Beantwortet oder nicht";
    OUTCOME_ANSWERED = "All answered", "Alles beantwortet";
    OUTCOME_UNANSWERED = "With unanswered questions", "Mit unbeantworteten Fragen";
    RATING = "Rating", "Bewertung";
    RATING_ALL = "Rated or not", "Bewertet oder nicht";
    RATING_DOWN = "Rated badly", "Schlecht bewertet";
    RATING_UP = "Rated well", "Gut bewertet";
    FROM = "From day", "Ab Tag";
    TO = "To day", "Bis Tag";
    CAPTION = "Conversations, newest first", "Gespräche, neueste zuerst";
    FIRST_QUESTION = "First question", "Erste Frage";
    LAST_MESSAGE = "Last message", "Letzte Nachricht";
    QUESTIONS = "Answers", "Antworten";
    NO_QUESTION = "(nothing asked)", "(nichts gefragt)";
    SOME_UNANSWERED = "{0} unanswered", "{0} unbeantwortet";
    DOWN = "{0} bad", "{0} schlecht";
    UP = "{0} good", "{0} gut";
    OLDER = "Older", "Ältere";
    NEWER = "Newer", "Neuere";
    EMPTY_TITLE = "No conversations yet", "Noch keine Gespräche";
    EMPTY_TEXT = "As soon as a visitor asks one of your chatbots, the conversation stands here.", "Sobald ein Besucher einen Ihrer Chatbots fragt, steht das Gespräch hier.";
    SEARCHED_TO = "Searched back to {0}. Older conversations may match, too.", "Durchsucht bis {0}. Auch ältere Gespräche können passen.";
    SEARCHED_TO_NONE = "No match so far, searched back to {0}. Older conversations may match.", "Bisher kein Treffer, durchsucht bis {0}. Ältere Gespräche können passen.";
    SEARCH_ON = "Search on", "Weitersuchen";
    AT_LEAST = "at least {0}", "mindestens {0}";
    NO_MATCH_TITLE = "Nothing matches", "Nichts gefunden";
    NO_MATCH_TEXT = "No conversation matches these filters.", "Kein Gespräch passt zu diesen Filtern.";

    ONE = "Conversation", "Gespräch";
    ONE_SUBTITLE = "{0}, since {1}", "{0}, seit {1}";
    MISSING_TITLE = "This conversation does not exist (any more)", "Dieses Gespräch gibt es nicht (mehr)";
    MISSING_TEXT = "It was erased, it was removed because it was silent for long, or it never existed.", "Es wurde gelöscht, wurde nach langer Stille entfernt, oder es gab es nie.";
    BACK = "All conversations", "Alle Gespräche";
    MESSAGES = "Messages", "Nachrichten";
    VISITOR = "Visitor", "Besucher";
    NOT_ANSWERED = "Unanswered", "Unbeantwortet";
    FILTERED = "Changed by the output filter", "Vom Ausgabefilter verändert";
    SOURCES = "Sources", "Quellen";
    HANDLED = "Done", "Erledigt";
    ERASE = "Erase conversation", "Gespräch löschen";
    ERASE_TITLE = "Erase this conversation?", "Dieses Gespräch löschen?";
    ERASE_TEXT = "Its {0} messages and the comments of its feedback are gone for good, also from the records of the output filter. Ratings stay as numbers. The audit log says that you did it, never what was said.", "Seine {0} Nachrichten und die Kommentare seiner Rückmeldungen verschwinden für immer, auch aus den Aufzeichnungen des Ausgabefilters. Bewertungen bleiben als Zahlen. Das Protokoll sagt, dass Sie es waren, nie, was gesagt wurde.";
    ERASED = "The conversation is erased.", "Das Gespräch ist gelöscht.";
}
