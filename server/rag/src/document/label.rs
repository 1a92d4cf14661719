//! The labels at the beginning of printed lines: bullets, numbers of steps and of clauses (`1.`, `2.3`, `(4)`, `b)`, `§ 5`).

/// Marks that begin an item of a list; the last two are bullets of the font Symbol.
const BULLETS: [char; 9] = ['-', '*', '–', '•', '·', '▪', '‣', '\u{f0b7}', '\u{f0a7}'];
/// Maximum digits of a number in a label.
const DIGITS: usize = 3;
/// Stands for the text behind a label where there is none.
const FURTHER_TEXT: &str = "x";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Bullet,
    /// `1.` or `1.2`
    Dotted,
    /// `1)`
    Closed,
    /// `(1)`
    Bracketed,
    /// `a)`
    Letter,
    /// `(a)`
    BracketedLetter,
    /// `§ 1`
    Section,
}

/// The label of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label<'a> {
    pub(super) form: Form,
    /// Its numbers, such as 2 and 3 of `2.3`; a letter counts as its place in the alphabet.
    pub(super) numbers: Vec<u32>,
    /// The line without the label.
    pub(super) rest: &'a str,
}

impl<'a> Label<'a> {
    /// The label of a trimmed line, which has further text.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let (mark, rest) = match line.strip_prefix('§') {
            Some(number) => number.trim_start().split_once(' ')?,
            None => line.split_once(' ')?,
        };
        let rest = rest.trim_start();
        let label = |form: Form, numbers: Vec<u32>| Some(Self { form, numbers, rest });
        if line.starts_with('§') {
            return label(Form::Section, vec![number(mark.trim_end_matches('.'))?]);
        }
        if mark.chars().count() == 1 && mark.starts_with(BULLETS) {
            return label(Form::Bullet, Vec::new());
        }
        if let Some(open) = mark.strip_suffix(')') {
            let inner = open.strip_prefix('(');
            let bracketed = inner.is_some();
            let inner = inner.unwrap_or(open);
            return match (number(inner), letter(inner)) {
                (Some(number), _) => label(if bracketed { Form::Bracketed } else { Form::Closed }, vec![number]),
                (_, Some(letter)) => label(if bracketed { Form::BracketedLetter } else { Form::Letter }, vec![letter]),
                _ => None,
            };
        }
        let numbers: Option<Vec<u32>> = mark.strip_suffix('.').unwrap_or(mark).split('.').map(number).collect();
        numbers.filter(|_| mark.contains('.')).and_then(|numbers| label(Form::Dotted, numbers))
    }

    /// Whether it follows another label: the next number, or the first one of the next level.
    fn follows(&self, other: &EarlierLabel) -> bool {
        let (form, before) = other;
        let Some((last, above)) = self.numbers.split_last() else { return *form == self.form };
        let is_next = before.get(above.len()).is_some_and(|before| before + 1 == *last) && before.starts_with(above);
        *form == self.form && (is_next || above == before.as_slice() && *last == 1)
    }
}

/// Whether a text is nothing but the label of an item or a clause.
pub(super) fn is_label(text: &str) -> bool {
    form_of_label(text).is_some()
}

/// Whether a text is nothing but the mark of an item of a list.
pub(super) fn is_bullet(text: &str) -> bool {
    form_of_label(text) == Some(Form::Bullet)
}

/// The form of a text that is nothing but a label. [`Label::of`] asks for further text, so this adds some.
fn form_of_label(text: &str) -> Option<Form> {
    let line = format!("{text} {FURTHER_TEXT}");
    Label::of(&line).filter(|label| label.rest == FURTHER_TEXT).map(|label| label.form)
}

/// A number of few digits.
fn number(text: &str) -> Option<u32> {
    let is_number = (1..=DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The place of a small letter in the alphabet.
fn letter(text: &str) -> Option<u32> {
    let is_letter = text.len() == 1 && text.starts_with(|letter: char| letter.is_ascii_lowercase());
    text.chars().next().filter(|_| is_letter).map(|letter| u32::from(letter) - u32::from('a') + 1)
}

/// The form and the numbers of the label of an earlier line.
type EarlierLabel = (Form, Vec<u32>);

/// Finds the lines of a text that begin an item or a clause.
#[derive(Default, Clone)]
pub(super) struct Labels {
    /// The last label of each form in the paragraph.
    last_labels: Vec<EarlierLabel>,
    /// Whether a label may stand at the beginning of the next line: not in the middle of a sentence.
    is_open: bool,
    /// Whether the line before ends with a comma.
    after_comma: bool,
    /// Whether the paragraph has a line.
    has_line: bool,
}

impl Labels {
    /// Begins a paragraph.
    pub(super) fn end_paragraph(&mut self) {
        *self = Self::default();
    }

    /// The label of the next line, if it begins an item or a clause. A number in a wrapped sentence ("on" / "12. May") is
    /// no label. A label is at the beginning of a paragraph, after the end of a sentence or after a line with a label, or
    /// its number follows that of an earlier label. After a comma, a number such as `12.` or `§ 5` is no label unless it is
    /// 1; other labels are.
    pub(super) fn read<'a>(&mut self, line: &'a str) -> Option<Label<'a>> {
        let is_reference =
            |label: &Label<'_>| matches!(label.form, Form::Dotted | Form::Section) && label.numbers != [1];
        let may_begin = |label: &Label<'_>| {
            self.is_open
                || !self.has_line
                || self.after_comma && !is_reference(label)
                || self.last_labels.iter().any(|earlier| label.follows(earlier))
        };
        let label = Label::of(line).filter(may_begin);
        self.is_open = label.is_some() || line.ends_with(['.', ':', ';', '!', '?']);
        self.after_comma = line.ends_with(',');
        self.has_line = true;
        if let Some(Label { form, numbers, .. }) = &label {
            self.last_labels.retain(|(other, _)| other != form);
            self.last_labels.push((*form, numbers.clone()));
        }
        label
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_bullets_numbers_and_letters() {
        for (line, form, numbers, rest) in [
            ("- milk", Form::Bullet, vec![], "milk"),
            ("•  milk", Form::Bullet, vec![], "milk"),
            ("1. Scope", Form::Dotted, vec![1], "Scope"),
            ("2.13 Users", Form::Dotted, vec![2, 13], "Users"),
            ("2.1. Users", Form::Dotted, vec![2, 1], "Users"),
            ("3) Wait", Form::Closed, vec![3], "Wait"),
            ("(3) Wait", Form::Bracketed, vec![3], "Wait"),
            ("b) Wait", Form::Letter, vec![2], "Wait"),
            ("(b) Wait", Form::BracketedLetter, vec![2], "Wait"),
            ("§ 4 Entry", Form::Section, vec![4], "Entry"),
            ("§4 Entry", Form::Section, vec![4], "Entry"),
        ] {
            assert_eq!(Label::of(line), Some(Label { form, numbers, rest }), "{line}");
        }
        for line in
            ["", "-", "-5 degrees", "1984. A novel", "12 eggs", "(see) it", "a. b", "§ x", "..", ". a", "1..2 a"]
        {
            assert_eq!(Label::of(line), None, "{line}");
        }
    }

    #[test]
    fn a_number_in_a_sentence_is_no_label() {
        let are_labels = |lines: &[&str]| {
            let mut labels = Labels::default();
            lines.iter().map(|line| u8::from(labels.read(line).is_some())).collect::<Vec<u8>>()
        };
        assert_eq!(are_labels(&["We open on", "12. May and close", "- as always - on", "1. June."]), [0, 0, 0, 0]);
        assert_eq!(are_labels(&["Bring:", "- a", "  wide coat", "- a hat"]), [0, 1, 0, 1]);
        assert_eq!(are_labels(&["1. Open the", "lid and", "2. close it", "again, on", "9. May"]), [1, 0, 1, 0, 0]);
        assert_eq!(are_labels(&["1. Scope", "1.1 These terms", "apply to", "1.2 all", "2. Users"]), [1, 1, 0, 1, 1]);
        assert_eq!(are_labels(&["We open on Sunday,", "12. May,", "(2) not", "on May,", "1. June"]), [0, 0, 1, 0, 1]);
        assert_eq!(are_labels(&["It is so.", "(2) Not here", "though", "(3) And"]), [0, 1, 0, 1]);
    }
}
