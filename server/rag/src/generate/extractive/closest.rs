//! The units that are closest to a question, for a reply that is not sure.

use super::{Asked, LOWER, UNSCORED, embed_promising, headed, weigh};
use crate::{
    block::item_marker,
    citation::verify,
    embed::{EmbedError, Embedder},
    generate::{
        asked::Named,
        units::{Kind, Unit},
        unsure::Closest,
        weights::Weights,
        window::row_text,
    },
    price,
    retrieve::Candidate,
};

/// Maximum units that are closest to a question, and their characters together and each.
const CLOSEST: usize = 3;
const CLOSEST_CHARS: usize = 700;
const UNIT_CHARS: usize = 300;

/// The units of the candidates that are closest to `question`, best first, for a reply that is not sure. The arguments are as in
/// [`answer`](super::answer).
///
/// # Errors
/// Only when the embedder fails.
pub async fn closest<I: Clone>(
    question: &str,
    language: &str,
    question_vector: &[f32],
    candidates: &[Candidate<I>],
    embedder: &dyn Embedder,
) -> Result<Vec<Closest<I>>, EmbedError> {
    let wanted = Weights::new(question, candidates.iter().map(|candidate| candidate.content.as_str()));
    let asked = Asked { wanted, named: Named::of(question, language), asks_price: price::is_asked(question) };
    let mut weighed = weigh(candidates, &[], &asked);
    embed_promising(&mut weighed, candidates, question_vector, embedder).await?;
    let scored = weighed.iter().enumerate().flat_map(|(p, passage)| {
        let can_stand = move |u: &usize| {
            let unit = &passage.units[*u];
            passage.scores[*u] > UNSCORED && unit.kind != Kind::Heading && !unit.is_code() && !unit.announces
        };
        (0..passage.units.len()).filter(can_stand).map(move |u| (passage.scores[u] - LOWER * p as f32, p, u))
    });
    let mut scored: Vec<(f32, usize, usize)> = scored.collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut found, mut used) = (Vec::<Closest<I>>::new(), 0);
    for (_, p, u) in scored {
        let passage = &weighed[p];
        let text = shortened(&closest_text(&passage.units[u]));
        used += text.chars().count();
        if found.len() == CLOSEST || used > CLOSEST_CHARS {
            break;
        }
        if !found.iter().any(|known| known.text == text) {
            found.push(Closest { text, source: headed(&candidates[passage.candidate], passage.headings[u].text) });
        }
    }
    Ok(found)
}

/// A unit on one line, without the marker of a list item.
fn closest_text(unit: &Unit<'_>) -> String {
    let text = if unit.kind == Kind::Row { row_text(unit) } else { unit.text.to_owned() };
    let text = &text[item_marker(&text).unwrap_or_default()..];
    verify(&text.split_whitespace().collect::<Vec<_>>().join(" "), &[]).0
}

/// The beginning of a long unit, cut between words.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(UNIT_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} …", text[..end].rsplit_once(' ').map_or(&text[..end], |(text, _)| text)),
    }
}
