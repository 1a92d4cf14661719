//! Texts of a tenant's own questions and answers, of unanswered questions and of documents.

texts! {
    ANSWER_IT = "Answer it", "Beantworten";
    CORRECT_IT = "Write a better answer", "Bessere Antwort schreiben";
    DIALOG_TITLE = "An answer of your own", "Eine eigene Antwort";
    DIALOG_TEXT = "The chatbot answers from it at once, and names it as its source. Leave out what only this visitor should know.", "Der Chatbot antwortet sofort daraus und nennt sie als Quelle. Lassen Sie weg, was nur diesen Besucher angeht.";
    DIALOG_KNOWN = "You have answered this question before. What you save here takes the place of that answer.", "Diese Frage haben Sie schon beantwortet. Was Sie hier speichern, tritt an die Stelle dieser Antwort.";
    QUESTION = "Question", "Frage";
    ANSWER = "Answer", "Antwort";
    ANSWER_HINT = "At most 4000 characters; lists, links and emphasis in Markdown.", "Höchstens 4000 Zeichen; Listen, Links und Hervorhebungen in Markdown.";
    SAVE = "Save answer", "Antwort speichern";
    SAVED = "The chatbot answers with it now.", "Der Chatbot antwortet jetzt damit.";
    ASK_IT = "Ask it again", "Noch einmal fragen";
    SAVED_LATER = "Saved. It cannot be searched yet; the platform tries again by itself.", "Gespeichert. Noch ist sie nicht durchsuchbar; die Plattform versucht es von selbst erneut.";
    NEW = "New answer", "Neue Antwort";
    HANDLE = "Mark as done", "Als erledigt markieren";
    REOPEN = "Open again", "Wieder öffnen";
    HANDLED = "Done", "Erledigt";
    HANDLED_BY = "{0}, {1}", "{0}, {1}";
    STATE = "State", "Stand";
    STATE_ALL = "Open and done", "Offene und erledigte";
    STATE_OPEN = "Open only", "Nur offene";
    STATE_HANDLED = "Done only", "Nur erledigte";
    OPEN_CONVERSATION = "Open conversation", "Gespräch öffnen";

    UNANSWERED_LIST = "Unanswered questions, newest first", "Unbeantwortete Fragen, neueste zuerst";
    UNANSWERED_TEXT = "Questions whose answer was not in the documents. Equal ones stand together; what is asked again after it was done opens again.", "Fragen, deren Antwort nicht in den Dokumenten stand. Gleiche stehen zusammen; was nach dem Erledigen erneut gefragt wird, ist wieder offen.";
    TIMES = "asked {0} times", "{0}-mal gefragt";
    ONCE = "asked once", "einmal gefragt";
    UNANSWERED_MORE = "The chatbot has older unanswered questions.", "Der Chatbot hat ältere unbeantwortete Fragen.";
    UNANSWERED_ON = "Search on", "Weitersuchen";
    UNANSWERED_NEWEST = "Newest questions", "Neueste Fragen";
    UNANSWERED_NONE_TITLE = "Nothing left unanswered", "Nichts unbeantwortet";
    UNANSWERED_NONE_TEXT = "Questions that your documents have no answer to stand here.", "Fragen, auf die Ihre Dokumente keine Antwort haben, stehen hier.";

    FAQ = "Your own answers", "Ihre eigenen Antworten";
    FAQ_NO_MATCH = "None of your answers matches.", "Keine Ihrer Antworten passt.";
    FAQ_NONE = "None yet. Unanswered questions and bad answers can be turned into one.", "Noch keine. Aus unbeantworteten Fragen und schlechten Antworten lassen sich welche machen.";
    CHANGE = "Change", "Ändern";
    CHANGE_NAMED = "Change: {0}", "Ändern: {0}";
    REMOVE = "Remove", "Entfernen";
    REMOVE_NAMED = "Remove: {0}", "Entfernen: {0}";
    REMOVE_TITLE = "Remove this answer?", "Diese Antwort entfernen?";
    REMOVE_TEXT = "The chatbot no longer answers “{0}” with it.", "Der Chatbot beantwortet „{0}“ nicht mehr damit.";
    REMOVED = "The answer is removed.", "Die Antwort ist entfernt.";
    READY = "Indexed", "Durchsuchbar";
    WAITING = "Waits to be indexed", "Wartet auf den Index";

    SOURCES = "Sources", "Quellen";
    SOURCES_NONE = "Nothing is indexed yet. Documents are fed by the platform's administrators.", "Noch nichts durchsuchbar. Dokumente spielen die Administratoren der Plattform ein.";
    SOURCE = "Source", "Quelle";
    KIND_FAQ_SEED = "Template's questions and answers", "Fragen und Antworten der Vorlage";
    KIND_FILES = "Files", "Dateien";
    KIND_FAQ = "Your own answers", "Ihre eigenen Antworten";
    DOCUMENTS = "Documents", "Dokumente";
    PASSAGES = "Passages", "Abschnitte";
    SIZE = "Characters", "Zeichen";
    CHANGED = "Last changed", "Zuletzt geändert";
    SEARCH = "Search answers and documents", "Antworten und Dokumente suchen";
    DOCUMENT = "Document", "Dokument";
    NO_DOCUMENT = "No document matches.", "Kein Dokument passt.";
}
