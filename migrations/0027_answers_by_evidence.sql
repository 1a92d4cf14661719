-- The words of a passage: those of its headings (A) and of its document's title (B) can be told from those of its text.
create function passage_words(p_language text, p_title text, p_heading text, p_content text) returns tsvector
    language sql immutable parallel safe
    return setweight(to_tsvector(text_search_config(p_language), p_heading), 'A') ||
           setweight(to_tsvector(text_search_config(p_language), p_title), 'B') ||
           to_tsvector(text_search_config(p_language), p_content);

-- The version of the reader that made a document's passages: one of an older version is read again.
alter table documents add column reader_version integer not null default 1;

-- How sure the chatbot was of an answer; null for what was answered before, and for questions.
alter table chat_messages add column confidence text
    constraint chat_messages_confidence_check check (confidence in ('high', 'low', 'none'));
