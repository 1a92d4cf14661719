//! Scripts that a PDF shows in another way than text is stored: letters in the order of the eye, and shapes of letters.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Turns a line as the eye sees it, from left to right, into the order in which it is read, and folds shapes of letters to the
/// letters. Says whether the line runs from right to left.
pub(super) fn logical(line: &str) -> (String, bool) {
    let has_shapes = line.chars().any(is_shape);
    let runs_left = line.chars().any(is_right_to_left);
    if !runs_left {
        return (if has_shapes { fold(line) } else { line.to_owned() }, false);
    }
    let letters = |is_one: fn(char) -> bool| line.chars().filter(|letter| is_one(*letter)).count();
    let is_main = letters(is_right_to_left) * 2 >= letters(char::is_alphabetic);
    let mut order = String::with_capacity(line.len());
    for run in runs(line, is_main) {
        order.push_str(&run);
    }
    (fold(&order), is_main)
}

/// The runs of a line in reading order. Numbers and words of other scripts stay as they are.
fn runs(line: &str, is_main: bool) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    // A mark or a space belongs to the run on both of its sides, or else to the line.
    let strong = |letter: char| match letter {
        letter if is_right_to_left(letter) => Some(true),
        letter if letter.is_alphanumeric() => Some(false),
        _ => None,
    };
    let mut sides: Vec<Option<bool>> = letters.iter().map(|letter| strong(*letter)).collect();
    let mut at = 0;
    while at < sides.len() {
        let end = (at..sides.len()).find(|place| sides[*place].is_some()).unwrap_or(sides.len());
        let before = at.checked_sub(1).and_then(|before| sides[before]);
        let after = sides.get(end).copied().flatten();
        let side = before.filter(|_| before == after).unwrap_or(is_main);
        sides[at..end].fill(Some(side));
        at = end + 1;
    }
    let mut runs: Vec<(bool, Vec<char>)> = Vec::new();
    for (letter, side) in letters.into_iter().zip(sides) {
        let side = side.unwrap_or(is_main);
        match runs.last_mut().filter(|(last, _)| *last == side) {
            Some((_, run)) => run.push(letter),
            None => runs.push((side, vec![letter])),
        }
    }
    let turned = |(is_left, run): (bool, Vec<char>)| -> String {
        if is_left { backwards(&run) } else { run.into_iter().collect() }
    };
    let runs: Vec<String> = runs.into_iter().map(turned).collect();
    if is_main { runs.into_iter().rev().collect() } else { runs }
}

/// The letters of a code that stands for several, in the order of the eye.
pub(super) fn visual(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = Vec::new();
    let mut place = 0;
    for letter in text.chars() {
        if !is_combining_mark(letter) {
            place = 0;
        }
        letters.insert(place, letter);
        place += 1;
    }
    letters
}

/// The letters of a run backwards, with pairs of brackets turned and marks kept behind their letters.
fn backwards(run: &[char]) -> String {
    let mirrored = |letter: char| match letter {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        letter => letter,
    };
    let mut text = String::new();
    let mut marks: Vec<char> = Vec::new();
    for letter in run.iter().rev() {
        if is_combining_mark(*letter) {
            marks.push(*letter);
        } else {
            text.push(mirrored(*letter));
            text.extend(marks.drain(..).rev());
        }
    }
    text.extend(marks);
    text
}

/// Whether a letter belongs to a script that runs from right to left.
pub(super) fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{65f}' | '\u{66a}'..='\u{6ef}' | '\u{6fa}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Ligatures and shapes of letters.
fn is_shape(letter: char) -> bool {
    matches!(letter, '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{2f00}'..='\u{2fdf}' | '\u{f900}'..='\u{faff}' | '\u{2e80}'..='\u{2eff}')
}

fn fold(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let shapes = Some(letter)
                .filter(|letter| is_shape(*letter))
                .into_iter()
                .flat_map(|shape| std::iter::once(shape).nfkc());
            let plain = Some(letter).filter(|letter| !is_shape(*letter));
            shapes.chain(plain)
        })
        .collect()
}
