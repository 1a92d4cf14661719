//! Mutates outputs of models: cuts, joins and repeats them with a deterministic random generator.

/// A deterministic random generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// Cuts, joins, repeats, or inserts marks and words in wrong places.
pub(super) fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    const NOISE: [&str; 13] = [
        "[1]",
        " [2], ",
        "(3)",
        "\n",
        "\n\n",
        " NO_ANSWER ",
        "# ",
        "- ",
        "`",
        "<|im_end|>",
        "[1] Returns\n",
        " ,",
        "7",
    ];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(letters.len() + 1);
        match random.below(6) {
            0 => letters.truncate(at),
            1 => letters = letters.split_off(at),
            2 => letters.extend(other.chars()),
            3 => letters.extend(text.chars()),
            4 => letters = other.chars().take(at).chain(letters).collect(),
            _ => {
                let noise = NOISE[random.below(NOISE.len())].chars();
                letters.splice(at..at, noise);
            }
        }
    }
    letters.into_iter().collect()
}
