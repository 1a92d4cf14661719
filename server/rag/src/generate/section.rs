//! Completes passages that were cut from a longer section: the passages of a prompt get their neighbours back, and a
//! quotation may continue in the text before and after its passage.

use uuid::Uuid;

use super::{
    prompt::{MAX_PASSAGES, cost},
    units::{Kind, units},
};
use crate::{
    chunk::{CONTINUED, estimate_tokens},
    retrieve::Candidate,
};

/// A passage next to one that was found, in the same document and under the same headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub id: Uuid,
    /// Its position in the document.
    pub ordinal: i32,
    pub content: String,
    /// Whether it is the found passage itself.
    pub is_own: bool,
}

/// The text of a section directly before and after one of its passages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Adjacent {
    /// The passage that this one continues.
    pub before: Option<String>,
    /// The passage that continues this one.
    pub after: Option<String>,
    /// The rows of tables in the section beyond both, each table once with its header and how many rows.
    pub further_rows: Vec<(String, usize)>,
}

impl Adjacent {
    /// The text around the found passage among `neighbours`, the parts around it in their order.
    pub fn of(neighbours: &[Part]) -> Self {
        let section = Section::around(neighbours);
        let text = |at: usize| section.parts.get(at).map(|part| part.content.clone());
        let parts = section.parts.iter().enumerate();
        let beyond = parts.filter(|(at, _)| at + 1 < section.from || *at > section.to).map(|(_, part)| part);
        let further_rows = beyond.flat_map(|part| rows_of(&part.content)).collect();
        Self { before: section.from.checked_sub(1).and_then(text), after: text(section.to), further_rows }
    }

    /// How many rows of the table with this header are beyond the texts.
    pub(super) fn further_rows_of(&self, head: &str) -> usize {
        self.further_rows.iter().filter(|(row_head, _)| row_head == head).map(|(_, rows)| rows).sum()
    }

    /// The passage together with the text around it.
    pub(super) fn with(&self, content: &str) -> String {
        let texts = [self.before.as_deref(), Some(content), self.after.as_deref()];
        texts.into_iter().flatten().collect::<Vec<&str>>().join("\n\n")
    }
}

/// Selects the best passages that fit into a prompt, as [`super::prompt::select`] does, with their neighbours of the
/// same section in document order. The best passage and its neighbours get half of `tokens`; the neighbours of all
/// share what the passages leave. `neighbours` has the parts around each passage, in their order.
pub fn select(passages: &[Candidate], neighbours: &[Vec<Part>], tokens: usize) -> Vec<Candidate> {
    let passages = &passages[..passages.len().min(MAX_PASSAGES)];
    let Some((best, others)) = passages.split_first() else { return Vec::new() };
    let parts = |at: usize| neighbours.get(at).map(Vec::as_slice).unwrap_or_default();
    let mut sections: Vec<Section<'_>> = (0..passages.len()).map(|at| Section::around(parts(at))).collect();
    let mut taken = ids_in(&sections);
    let half = (tokens / 2).saturating_sub(cost(best));
    let mut room = half;
    sections[0].grow(&mut room, &mut taken);
    let mut tokens_left = tokens.saturating_sub(cost(best)) - (half - room);
    let mut count = 1;
    for passage in others {
        let Some(rest) = tokens_left.checked_sub(cost(passage)) else { break };
        tokens_left = rest;
        count += 1;
    }
    sections.truncate(count);
    let mut taken = ids_in(&sections);
    sections.iter_mut().for_each(|section| section.grow(&mut tokens_left, &mut taken));
    let whole = |(passage, section): (&Candidate, &Section<'_>)| match section.text() {
        Some(content) => Candidate { content, ..passage.clone() },
        None => passage.clone(),
    };
    passages.iter().zip(&sections).map(whole).collect()
}

/// The headers of the tables of a passage, each with its rows.
fn rows_of(content: &str) -> Vec<(String, usize)> {
    let rows = units(content).into_iter().filter(|unit| unit.kind == Kind::Row).map(|unit| unit.head.to_owned());
    let mut counts: Vec<(String, usize)> = Vec::new();
    for head in rows {
        match counts.last_mut().filter(|(counted, _)| *counted == head) {
            Some((_, count)) => *count += 1,
            None => counts.push((head, 1)),
        }
    }
    counts
}

/// A section with the parts that are in the prompt.
#[derive(Debug)]
struct Section<'a> {
    parts: &'a [Part],
    from: usize,
    to: usize,
}

impl<'a> Section<'a> {
    /// The section around the found passage; without parts when the passage was removed in the meantime.
    fn around(neighbours: &'a [Part]) -> Self {
        let Some(own) = neighbours.iter().position(|part| part.is_own) else {
            return Self { parts: &[], from: 0, to: 0 };
        };
        let goes_on = |at: &usize| {
            let (before, part) = (&neighbours[*at - 1], &neighbours[*at]);
            part.ordinal == before.ordinal + 1 && part.content.starts_with(CONTINUED)
        };
        let first = own - (1..=own).rev().take_while(goes_on).count();
        let end = own + 1 + (own + 1..neighbours.len()).take_while(goes_on).count();
        Self { parts: &neighbours[first..end], from: own - first, to: own - first + 1 }
    }

    /// Adds the parts after and before those in the prompt, while there is room and they are not in the prompt
    /// elsewhere.
    fn grow(&mut self, room: &mut usize, taken: &mut Vec<Uuid>) {
        loop {
            let behind = self.parts.get(self.to).is_some_and(|part| take(part, room, taken));
            self.to += usize::from(behind);
            let before = self.from > 0 && take(&self.parts[self.from - 1], room, taken);
            self.from -= usize::from(before);
            if !behind && !before {
                return;
            }
        }
    }

    /// Its parts in the prompt as one text; `None` when it is only the passage itself.
    fn text(&self) -> Option<String> {
        let parts = &self.parts[self.from..self.to];
        let text = |(number, part): (usize, &Part)| match part.content.strip_prefix(CONTINUED) {
            Some(rest) if number > 0 => rest.trim_start().to_owned(),
            _ => part.content.clone(),
        };
        (parts.len() > 1).then(|| parts.iter().enumerate().map(text).collect::<Vec<String>>().join("\n\n"))
    }
}

/// The parts that are in the prompt.
fn ids_in(sections: &[Section<'_>]) -> Vec<Uuid> {
    sections.iter().flat_map(|section| &section.parts[section.from..section.to]).map(|part| part.id).collect()
}

fn take(part: &Part, room: &mut usize, taken: &mut Vec<Uuid>) -> bool {
    let rest = room.checked_sub(estimate_tokens(&part.content)).filter(|_| !taken.contains(&part.id));
    if let Some(rest) = rest {
        *room = rest;
        taken.push(part.id);
    }
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(content: &str) -> Candidate {
        Candidate { cosine: 0.9, words: 0.5, coverage: 0.5, ..Candidate::new(Uuid::nil(), "Shop", "", content) }
    }

    /// Parts with these positions and texts; `own` is the position of the found one.
    fn parts(texts: &[(i32, &str)], own: i32) -> Vec<Part> {
        let part = |(ordinal, content): &(i32, &str)| Part {
            id: Uuid::from_u64_pair(0, ordinal.unsigned_abs().into()),
            ordinal: *ordinal,
            content: (*content).to_owned(),
            is_own: *ordinal == own,
        };
        texts.iter().map(part).collect()
    }

    fn selected(passages: &[&str], neighbours: &[Vec<Part>], tokens: usize) -> Vec<String> {
        let passages: Vec<Candidate> = passages.iter().map(|content| candidate(content)).collect();
        select(&passages, neighbours, tokens).into_iter().map(|passage| passage.content).collect()
    }

    #[test]
    fn a_passage_is_completed_to_its_section_in_document_order() {
        let texts = [(1, "…\n\nZ."), (3, "A."), (4, "…\n\nB."), (5, "…\n\nC."), (6, "D."), (8, "…\n\nE.")];
        assert_eq!(selected(&["…\n\nB."], &[parts(&texts, 4)], 100), ["A.\n\nB.\n\nC."]);
        assert_eq!(selected(&["D."], &[parts(&texts, 6)], 100), ["D."]);
        assert_eq!(selected(&["…\n\nE."], &[parts(&texts, 8)], 100), ["…\n\nE."], "what is before it is unknown");
        assert_eq!(selected(&["Gone."], &[parts(&texts, 7)], 100), ["Gone."]);
        assert_eq!(selected(&["Alone."], &[], 100), ["Alone."]);
        assert!(selected(&[], &[], 100).is_empty());
    }

    #[test]
    fn the_text_around_a_passage_is_of_its_own_section() {
        let around = |texts: &[(i32, &str)], own: i32| {
            let Adjacent { before, after, .. } = Adjacent::of(&parts(texts, own));
            (before.unwrap_or_default(), after.unwrap_or_default())
        };
        let texts = [(3, "A."), (4, "…\n\nB."), (5, "…\n\nC."), (6, "D."), (8, "…\n\nE.")];
        let pair = |before: &str, after: &str| (before.to_owned(), after.to_owned());
        assert_eq!(around(&texts, 3), pair("", "…\n\nB."));
        assert_eq!(around(&texts, 4), pair("A.", "…\n\nC."));
        assert_eq!(around(&texts, 5), pair("…\n\nB.", ""));
        assert_eq!(around(&texts, 6), pair("", ""));
        assert_eq!(around(&texts, 8), pair("", ""), "what is before it is unknown");
        assert_eq!(around(&texts, 7), pair("", ""), "it was removed in the meantime");
    }

    #[test]
    fn the_best_section_gets_half_of_the_budget() {
        let neighbours = || vec![parts(&[(0, "a b c d"), (1, "… e f g h"), (2, "… i j k l")], 0)];
        let others = ["a b c d", "m n o p", "q r s t", "u v w x"];
        // Each passage costs five tokens with its title, and so does each neighbour.
        assert_eq!(selected(&others, &neighbours(), 20), ["a b c d\n\ne f g h", "m n o p", "q r s t"]);
        assert_eq!(selected(&others, &neighbours(), 18), ["a b c d", "m n o p", "q r s t"]);
        assert_eq!(selected(&others[..1], &neighbours(), 18), ["a b c d\n\ne f g h\n\ni j k l"]);
        assert_eq!(selected(&others[..1], &neighbours(), 14), ["a b c d\n\ne f g h"]);
        assert_eq!(selected(&others, &neighbours(), 1), ["a b c d"]);
    }

    #[test]
    fn no_text_is_in_the_prompt_twice() {
        let texts = [(0, "A."), (1, "…\n\nB."), (2, "…\n\nC.")];
        let neighbours = [parts(&texts, 0), parts(&texts, 1)];
        assert_eq!(selected(&["A.", "…\n\nB."], &neighbours, 100), ["A.", "…\n\nB.\n\nC."]);
        let neighbours = [parts(&texts, 0), parts(&texts, 2)];
        assert_eq!(selected(&["A.", "…\n\nC."], &neighbours, 100), ["A.\n\nB.", "…\n\nC."]);
    }
}
