//! Texts of the knowledge hub.

texts! {
    TITLE = "Knowledge", "Wissen";
    SUBTITLE = "Search everything your chatbots know.", "Durchsuchen Sie alles, was Ihre Chatbots wissen.";
    SEARCH_TITLE = "Search", "Suche";
    SEARCH = "Search all documents", "Alle Dokumente durchsuchen";
    SEARCH_BUTTON = "Search", "Suchen";
    SECTIONS = "Pages of the knowledge hub", "Seiten der Wissenssuche";
    START = "Start", "Start";
    BOOKMARKS = "Bookmarks", "Lesezeichen";
    HISTORY = "History", "Verlauf";
    SAVED = "Saved searches", "Gespeicherte Suchen";

    RECENT = "Recent searches", "Letzte Suchen";
    RECENT_NONE = "Your searches appear here. Only you can see them.", "Hier erscheinen Ihre Suchen. Nur Sie können sie sehen.";
    SAVED_NONE = "Save a search to come back to it and see what's new.", "Speichern Sie eine Suche, um sie jederzeit wieder aufzurufen und Neues zu entdecken.";
    SOURCES = "Popular sources", "Beliebte Quellen";
    SOURCES_NONE = "Your chatbots don't have any documents yet.", "Ihre Chatbots haben noch keine Dokumente.";
    INSIGHTS = "Unsuccessful searches", "Erfolglose Suchen";
    INSIGHTS_NONE = "Searches of the last four weeks in which at least five people found or opened nothing appear here, without names. The list changes every Monday.", "Suchen der letzten vier Wochen, bei denen mindestens fünf Personen nichts gefunden oder nichts geöffnet haben, erscheinen hier ohne Namen. Die Liste ändert sich jeden Montag.";
    INSIGHT_NO_RESULT = "searched {0} times, no results", "{0}-mal gesucht, keine Treffer";
    INSIGHT_NOT_OPENED = "searched {0} times, nothing opened", "{0}-mal gesucht, nichts geöffnet";
    DOCUMENTS = "{0} documents", "{0} Dokumente";
    DOCUMENTS_ONE = "1 document", "1 Dokument";
    OPENED_TIMES = "opened {0} times", "{0}-mal geöffnet";
    OPENED_ONCE = "opened once", "einmal geöffnet";
    SHOW_ALL = "Show all", "Alle anzeigen";

    RESULTS = "{0} results", "{0} Treffer";
    RESULTS_ONE = "1 result", "1 Treffer";
    RESULTS_AT_LEAST = "More than {0} results", "Mehr als {0} Treffer";
    TOOK = "in {0} ms", "in {0} ms";
    DOCUMENTS_NEWEST_FIRST = "{0}, newest first", "{0}, neueste zuerst";
    RESULT_LIST = "Results", "Treffer";
    FILTERS = "Filters", "Filter";
    FILTERS_NOTE = "Numbers count all documents that match the other filters, not just the results.", "Gezählt werden alle Dokumente, die zu den übrigen Filtern passen, nicht nur die Treffer.";
    SOURCE = "Source", "Quelle";
    CHATBOT = "Chatbot", "Chatbot";
    KIND = "Kind", "Art";
    LANGUAGE = "Language", "Sprache";
    MONTH = "Changed in", "Geändert im";
    MONTH_ANY = "Any month", "Alle Monate";
    OTHER_PERIOD = "Selected period", "Gewählter Zeitraum";
    SORT = "Sort by", "Sortierung";
    SORT_RELEVANCE = "Most relevant first", "Relevanteste zuerst";
    SORT_NEWEST = "Newest first", "Neueste zuerst";
    ALSO_IN = "Also in: {0}", "Auch in: {0}";
    DOCUMENTS_NONE = "No documents yet", "Noch keine Dokumente";
    DOCUMENTS_NONE_TEXT = "As soon as your chatbots have documents, you can search them here.", "Sobald Ihre Chatbots Dokumente haben, können Sie sie hier durchsuchen.";
    FILTERS_REMOVE = "Remove filters", "Filter entfernen";
    NO_RESULTS = "No results", "Keine Treffer";
    NO_RESULTS_TEXT = "Check the spelling, try other words, or remove filters.", "Prüfen Sie die Schreibweise, versuchen Sie andere Wörter oder entfernen Sie Filter.";
    DID_YOU_MEAN = "Did you mean “{0}”?", "Meinten Sie „{0}“?";
    NEAREST = "These passages come closest", "Diese Abschnitte passen am ehesten";
    MODEL_UNAVAILABLE = "Some chatbots couldn't be searched because their embedding model isn't available.", "Einige Chatbots konnten nicht durchsucht werden, weil ihr Embedding-Modell nicht verfügbar ist.";
    VECTORS_UNAVAILABLE = "Only exact words were searched because the search by meaning isn't available at the moment.", "Es wurde nur nach den genauen Wörtern gesucht, weil die Suche nach Bedeutung gerade nicht verfügbar ist.";
    RERANKER_UNAVAILABLE = "The results are less precisely ordered than usual.", "Die Treffer sind ungenauer sortiert als sonst.";

    KIND_FAQ_SEED = "Template questions", "Fragen der Vorlage";
    KIND_FILES = "Files", "Dateien";
    KIND_FAQ = "Custom answers", "Eigene Antworten";
    KIND_UPLOAD = "Uploads", "Uploads";
    KIND_API = "API", "API";
    KIND_WEBSITE = "Website", "Website";

    SAVE = "Save search", "Suche speichern";
    SAVE_TITLE = "Save this search", "Diese Suche speichern";
    NAME = "Name", "Name";
    SAVED_DONE = "Search saved.", "Suche gespeichert.";
    NEW = "{0} new", "{0} neu";
    DELETE_NAMED = "Delete “{0}”", "„{0}“ löschen";
    SAVED_DELETED = "Saved search deleted.", "Gespeicherte Suche gelöscht.";
    EMPTY_QUERY = "All documents", "Alle Dokumente";
    WITH_FILTERS = "with filters", "mit Filtern";

    DOCUMENT = "Document", "Dokument";
    PASSAGES = "Passages", "Abschnitte";
    OUTLINE = "Outline", "Gliederung";
    VERSIONS = "Versions", "Versionen";
    QUOTED_IN = "Used in answers to", "Verwendet in Antworten auf";
    VERSION = "Version {0}, {1}", "Version {0}, {1}";
    SUPERSEDED = "This is an older version. The passages below are from the newest one.", "Dies ist eine ältere Version. Die Abschnitte unten stammen aus der neuesten.";
    SHOW_NEWEST = "Show the newest version", "Neueste Version anzeigen";
    SUMMARY = "Summary", "Zusammenfassung";
    SUMMARY_NOTE = "Sentences quoted from the document.", "Aus dem Dokument zitierte Sätze.";
    SUMMARY_WRITTEN = "Written by a language model from this document.", "Von einem Sprachmodell aus diesem Dokument formuliert.";
    SUMMARISE = "Summarise", "Zusammenfassen";
    OPEN_ORIGINAL = "Open original", "Original öffnen";
    DOWNLOAD = "Download original", "Original herunterladen";
    BOOKMARK = "Bookmark", "Lesezeichen setzen";
    BOOKMARK_REMOVE = "Remove bookmark", "Lesezeichen entfernen";
    BOOKMARK_REMOVE_NAMED = "Remove bookmark “{0}”", "Lesezeichen „{0}“ entfernen";
    BOOKMARKED = "Bookmarked.", "Lesezeichen gesetzt.";
    BOOKMARK_REMOVED = "Bookmark removed.", "Lesezeichen entfernt.";
    SHOWN_PASSAGES = "Passages {0} to {1} of {2}", "Abschnitte {0} bis {1} von {2}";
    EARLIER_PASSAGES = "Earlier passages", "Frühere Abschnitte";
    LATER_PASSAGES = "Later passages", "Spätere Abschnitte";
    NO_TEXT = "This document has no text.", "Dieses Dokument enthält keinen Text.";
    UPDATED = "Changed {0}", "Geändert {0}";

    BOOKMARKS_SUBTITLE = "Documents you bookmarked. Only you can see them.", "Dokumente mit Ihrem Lesezeichen. Nur Sie können sie sehen.";
    BOOKMARKS_NONE = "No bookmarks yet", "Noch keine Lesezeichen";
    BOOKMARKS_NONE_TEXT = "Open a document and set a bookmark to find it here.", "Öffnen Sie ein Dokument und setzen Sie ein Lesezeichen, um es hier wiederzufinden.";
    STATE_CHANGED = "Changed since", "Seitdem geändert";
    STATE_GONE = "No longer available", "Nicht mehr verfügbar";
    NOTE = "Note", "Notiz";
    NOTE_EDIT = "Edit note", "Notiz bearbeiten";
    NOTE_OF = "Note on “{0}”", "Notiz zu „{0}“";

    HISTORY_SUBTITLE = "What you searched for. Only you can see it.", "Wonach Sie gesucht haben. Nur Sie können es sehen.";
    HISTORY_NONE = "No searches yet", "Noch keine Suchen";
    HISTORY_CLEAR = "Clear history", "Verlauf löschen";
    HISTORY_CLEAR_TITLE = "Clear your search history?", "Ihren Suchverlauf löschen?";
    HISTORY_CLEAR_TEXT = "All your searches will be permanently deleted. Saved searches and bookmarks stay.", "Alle Ihre Suchen werden endgültig gelöscht. Gespeicherte Suchen und Lesezeichen bleiben erhalten.";
    HISTORY_CLEARED = "History cleared.", "Verlauf gelöscht.";
    QUERY = "Search", "Suche";
    WHEN = "When", "Wann";
    RESULT_COUNT = "Results", "Treffer";
    OPENED = "Opened", "Geöffnet";

    SAVED_SUBTITLE = "Searches you saved. Only you can see them.", "Suchen, die Sie gespeichert haben. Nur Sie können sie sehen.";
    SAVED_EMPTY = "No saved searches yet", "Noch keine gespeicherten Suchen";
    SOURCE_SUBTITLE = "{0}, chatbot “{1}”", "{0}, Chatbot „{1}“";
    SOURCE_NONE_TEXT = "This source has nothing to search yet.", "In dieser Quelle gibt es noch nichts zu durchsuchen.";
    CHANGED = "Changed", "Geändert";
    SEARCH_IN = "Search in this source", "In dieser Quelle suchen";
}
