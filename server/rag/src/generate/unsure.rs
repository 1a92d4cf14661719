//! The answer of a chatbot with low confidence: it says so and quotes what is closest to the question, each sentence, list
//! item or row below the name of its section.

use super::table::strong;
use crate::{chunk::innermost, citation::Citation, retrieve::Candidate, source_title::localized};

/// Maximum sections that are named when nothing is quoted.
const SECTIONS: usize = 3;
/// Maximum headings of a passage that joins several sections.
const HEADINGS: usize = 3;

/// A sentence, list item or row that is close to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Closest {
    pub text: String,
    /// Its passage, below the heading of its section.
    pub source: Candidate,
}

/// The sentences before what is quoted, by language.
const SENTENCES: [(&str, &str); 7] = [
    ("en", "I am not sure. These passages come closest:"),
    ("de", "Ich bin mir nicht sicher. Diese Stellen kommen der Frage am nächsten:"),
    ("es", "No estoy seguro de tener la respuesta. Esto es lo más parecido:"),
    ("fr", "Je ne suis pas certain d’avoir la réponse. Voici ce qui s’en rapproche le plus :"),
    ("it", "Non sono sicuro di avere la risposta. Questi passaggi sono i più vicini:"),
    ("nl", "Ik weet niet zeker of ik het antwoord heb. Dit komt het dichtst in de buurt:"),
    ("pt", "Não tenho a certeza de ter a resposta. Isto é o que mais se aproxima:"),
];

/// The sentence in the language of a tag; English for languages without texts.
fn sentence(language: &str) -> &'static str {
    let code = language.split('-').next().unwrap_or_default();
    SENTENCES.iter().find(|(other_code, _)| *other_code == code).unwrap_or(&SENTENCES[0]).1
}

/// Whether a reply offers passages of which a visitor may choose one.
pub fn is_offer(reply: &str) -> bool {
    SENTENCES.iter().any(|(_, sentence)| reply.contains(sentence))
}

/// A reply that is not sure.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsure {
    /// Small Markdown with a marker behind each item.
    pub text: String,
    pub sources: Vec<Candidate>,
    pub citations: Vec<Citation>,
    /// The quoted texts, each with the index of its source.
    pub closest: Vec<(String, usize)>,
}

/// The reply with what is closest. Without that it names the sections of the best `candidates`. `hint` comes before it, such
/// as the question whether another word was meant.
pub fn answer(language: &str, hint: Option<&str>, closest: &[Closest], candidates: &[Candidate]) -> Unsure {
    let items = if closest.is_empty() { sections(language, candidates) } else { quoted(language, closest) };
    let mut text = hint.map(|hint| format!("{hint} ")).unwrap_or_default() + sentence(language);
    let (mut sources, mut citations) = (Vec::<Candidate>::new(), Vec::<Citation>::new());
    let mut texts = Vec::new();
    for (number, (item, source)) in items.into_iter().enumerate() {
        let position = sources.iter().position(|listed| {
            (&listed.id, &listed.title, &listed.heading) == (&source.id, &source.title, &source.heading)
        });
        let index = position.unwrap_or(sources.len());
        let marker = format!("[{}]", index + 1);
        texts.extend(closest.get(number).map(|unit| (unit.text.clone(), index)));
        text.push_str(&format!("{}- {item} {marker}", if number == 0 { "\n\n" } else { "\n" }));
        if position.is_none() {
            sources.push(source.clone());
            citations.push(Citation { marker, source_index: index });
        }
    }
    Unsure { text, sources, citations, closest: texts }
}

/// The quoted texts below the names of their sections; a name is not repeated from one item to the next.
fn quoted<'a>(language: &str, closest: &'a [Closest]) -> Vec<(String, &'a Candidate)> {
    let mut above = String::new();
    let item = |unit: &'a Closest| {
        let name = name_of(&unit.source.title, [innermost(&unit.source.heading)].into_iter(), language);
        let item = if name == above { unit.text.clone() } else { format!("{}: {}", strong(&name), unit.text) };
        above = name;
        (item, &unit.source)
    };
    closest.iter().map(item).collect()
}

/// The names of the sections of the best candidates, each once.
fn sections<'a>(language: &str, candidates: &'a [Candidate]) -> Vec<(String, &'a Candidate)> {
    let mut items: Vec<(String, &Candidate)> = Vec::new();
    for candidate in candidates {
        let name = name(candidate, language);
        if items.len() < SECTIONS && items.iter().all(|(item_name, _)| *item_name != name) {
            items.push((name, candidate));
        }
    }
    items
}

/// The innermost heading, below the title of the document, and the first headings within a passage of several sections.
/// Drops brackets, which would look like markers or links.
fn name(candidate: &Candidate, language: &str) -> String {
    let within = candidate.content.split("\n\n").filter_map(|block| block.strip_prefix("### "));
    let within: Vec<&str> = within.filter(|heading| !heading.contains('\n')).map(innermost).take(HEADINGS).collect();
    let within = within.join(", ");
    name_of(&candidate.title, [innermost(&candidate.heading), within.as_str()].into_iter(), language)
}

fn name_of<'a>(title: &str, headings: impl Iterator<Item = &'a str>, language: &str) -> String {
    let mut name = title.to_owned();
    for heading in headings.filter(|heading| !heading.is_empty() && *heading != title) {
        name.push_str(&format!(" › {}", localized(heading, language)));
    }
    name.replace(['[', ']', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn candidate(id: u128, heading: &str, content: &str) -> Candidate {
        Candidate::new(Uuid::from_u128(id), "Shop [2026]", heading, content)
    }

    #[test]
    fn a_passage_of_several_sections_is_named_by_their_headings() {
        let rooms = "### Study rooms\n\nOne is free.\n\n### Printing > Prices\n\n10 pence.\n\n### Scanning\n\nYes.";
        let candidates = [
            candidate(1, "", rooms),
            candidate(2, "Orders", "### Paying\n\nBy card."),
            candidate(3, "Orders", "### Paying\n\nBy bill."),
            candidate(4, "", "Text.\n\n### Not a heading,\nbut two lines"),
        ];
        let Unsure { text, sources, .. } = answer("en", None, &[], &candidates);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "- Shop  2026  › Study rooms, Prices, Scanning [1]",
                "- Shop  2026  › Orders › Paying [2]",
                "- Shop  2026  [3]"
            ]
        );
        assert_eq!(sources.iter().map(|source| source.id.as_u128()).collect::<Vec<_>>(), [1, 2, 4]);
    }

    #[test]
    fn each_section_is_named_once_with_its_marker() {
        let candidates = [(1, "Orders > Returns"), (2, "Orders > Returns"), (3, ""), (4, "Page 7")]
            .map(|(id, heading)| candidate(id, heading, "Text."));
        let Unsure { text, sources, citations, .. } = answer("de-CH", None, &[], &candidates);
        assert_eq!(
            text,
            "Ich bin mir nicht sicher. Diese Stellen kommen der Frage am nächsten:\n\n\
             - Shop  2026  › Returns [1]\n- Shop  2026  [2]\n- Shop  2026  › Seite 7 [3]"
        );
        assert_eq!(sources.iter().map(|source| source.id.as_u128()).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(citations.last(), Some(&Citation { marker: "[3]".into(), source_index: 2 }));
        assert!(answer("pl", None, &[], &candidates).text.starts_with("I am not sure"));
    }

    #[test]
    fn what_is_closest_is_quoted_below_its_section() {
        let closest =
            |id: u128, text: &str| Closest { text: text.into(), source: candidate(id, "Orders > Returns", "Text.") };
        let units = [closest(1, "Within 30 days."), closest(2, "By post."), closest(1, "With the slip.")];
        let Unsure { text, sources, citations, .. } = answer("en", Some("No X here."), &units, &[]);
        assert_eq!(
            text,
            "No X here. I am not sure. These passages come closest:\n\n- **Shop  2026  › Returns**: Within 30 days. [1]\n\
             - By post. [2]\n- With the slip. [1]"
        );
        assert_eq!((sources.len(), citations.len()), (2, 2));
        assert!(is_offer(&text) && !is_offer("I am sure."));
    }
}
