//! Finds the known name most similar to a mistyped one.

/// The candidate with the smallest edit distance; the first of several; an empty text without candidates.
pub(crate) fn nearest(name: &str, candidates: impl Iterator<Item = String>) -> String {
    candidates.min_by_key(|candidate| distance(name, candidate)).unwrap_or_default()
}

/// The number of single-character changes between two texts.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &r) in right.iter().enumerate() {
            let change = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_name_finds_its_original() {
        let names = ["SVC_HTTP_PORT", "SVC_SITE_PORT", "SVC_HTTP_HOST"].map(str::to_owned);
        assert_eq!(nearest("SVC_HTPT_PORT", names.into_iter()), "SVC_HTTP_PORT");
    }
}
