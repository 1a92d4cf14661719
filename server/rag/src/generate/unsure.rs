//! The answer of a chatbot with low confidence: it says so and names sections that may have the answer.

use crate::{chunk::innermost, citation::Citation, retrieve::Candidate, source_title::shown};

/// Maximum sections that are named.
const SECTIONS: usize = 3;
/// Maximum headings of a passage that joins several sections.
const HEADINGS: usize = 3;

/// The sentence before the sections, in the language of a tag; English for languages without texts.
fn sentence(language: &str) -> &'static str {
    match language.split('-').next().unwrap_or_default() {
        "de" => "Ich bin mir nicht sicher. Vielleicht finden Sie die Antwort hier:",
        "es" => "No estoy seguro de tener la respuesta. Quizá la encuentre aquí:",
        "fr" => "Je ne suis pas certain d’avoir la réponse. Elle se trouve peut-être ici :",
        "it" => "Non sono sicuro di avere la risposta. Forse si trova qui:",
        "nl" => "Ik weet niet zeker of ik het antwoord heb. Misschien staat het hier:",
        "pt" => "Não tenho a certeza de ter a resposta. Talvez esteja aqui:",
        _ => "I am not sure. You may find the answer here:",
    }
}

/// The text, its sources and its markers: the best `candidates`, each section once.
pub fn answer<I: Clone>(language: &str, candidates: &[Candidate<I>]) -> (String, Vec<Candidate<I>>, Vec<Citation>) {
    let mut named: Vec<(String, &Candidate<I>)> = Vec::new();
    for candidate in candidates {
        let name = name(candidate, language);
        if named.len() < SECTIONS && named.iter().all(|(known, _)| *known != name) {
            named.push((name, candidate));
        }
    }
    let mut text = sentence(language).to_owned();
    let mut citations = Vec::with_capacity(named.len());
    for (index, (name, _)) in named.iter().enumerate() {
        let marker = format!("[{}]", index + 1);
        text.push_str(&format!("{}- {name} {marker}", if index == 0 { "\n\n" } else { "\n" }));
        citations.push(Citation { marker, source_index: index });
    }
    (text, named.into_iter().map(|(_, candidate)| candidate.clone()).collect(), citations)
}

/// The innermost heading, below the title of the document, and the first headings within a passage of several sections.
/// Drops brackets, which would look like markers or links.
fn name<I>(candidate: &Candidate<I>, language: &str) -> String {
    let within = candidate.content.split("\n\n").filter_map(|block| block.strip_prefix("### "));
    let within: Vec<&str> = within.filter(|heading| !heading.contains('\n')).map(innermost).take(HEADINGS).collect();
    let within = within.join(", ");
    let mut name = candidate.title.clone();
    let headings = [innermost(&candidate.heading), within.as_str()].into_iter();
    for heading in headings.filter(|heading| !heading.is_empty() && *heading != candidate.title) {
        name.push_str(&format!(" › {}", shown(heading, language)));
    }
    name.replace(['[', ']', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: u8, heading: &str, content: &str) -> Candidate<u8> {
        Candidate::new(id, "Shop [2026]", heading, content)
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
        let (text, sources, _) = answer("en", &candidates);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "- Shop  2026  › Study rooms, Prices, Scanning [1]",
                "- Shop  2026  › Orders › Paying [2]",
                "- Shop  2026  [3]"
            ]
        );
        assert_eq!(sources.iter().map(|source| source.id).collect::<Vec<_>>(), [1, 2, 4]);
    }

    #[test]
    fn each_section_is_named_once_with_its_marker() {
        let candidates = [(1, "Orders > Returns"), (2, "Orders > Returns"), (3, ""), (4, "Page 7")]
            .map(|(id, heading)| candidate(id, heading, "Text."));
        let (text, sources, citations) = answer("de-CH", &candidates);
        assert_eq!(
            text,
            "Ich bin mir nicht sicher. Vielleicht finden Sie die Antwort hier:\n\n\
             - Shop  2026  › Returns [1]\n- Shop  2026  [2]\n- Shop  2026  › Seite 7 [3]"
        );
        assert_eq!(sources.iter().map(|source| source.id).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(citations.last(), Some(&Citation { marker: "[3]".into(), source_index: 2 }));
        assert!(answer("pl", &candidates).0.starts_with("I am not sure"));
    }
}
