-- Words are told apart alike in every database. In the locale C, which the embedded database has, PostgreSQL takes every character
-- outside ASCII for a letter: “warranty”, ¿cómo and l’été were words together with their marks, and 5 € was one word when its space
-- does not break. Typographic apostrophes and hyphens become those of ASCII, and other marks and spaces become spaces.
create function text_words(p_language text, p_text text) returns tsvector
    language sql immutable parallel safe
    return to_tsvector(text_search_config(p_language), translate(
        translate(p_text, E'‘’‛ʼ′´‐\u2011−', $marks$''''''---$marks$),
        E'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u2028\u2029\u202f\u205f\u3000'
        '¡¢£¤¥¦§¨©«¬®¯°±¶·¸»¿×÷–—―‖‚“”„‟†‡•‣…‰″‹›※€₹№™←↑→↓↔⇒≈≠≤≥■□▪▲►▼◆●○★☆☎✓✔✗✘➜、。',
        repeat(' ', 200)));

create or replace function passage_words(p_language text, p_title text, p_heading text, p_content text) returns tsvector
    language sql immutable parallel safe
    return setweight(text_words(p_language, p_heading), 'A') || setweight(text_words(p_language, p_title), 'B') ||
           text_words(p_language, p_content);

-- The words of all passages are made again in the background, as after a change of the language.
alter table chatbots no force row level security;
update chatbots set stale_words = array_append(array_remove(stale_words, language), language), words_done = null;
alter table chatbots force row level security;
