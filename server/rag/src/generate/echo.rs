//! Removes tags around a model's answer: tags of templates and formats, and its thinking.

/// The names of tags that are removed.
const TAGS: [&str; 5] = ["passage", "question", "answer", "s", THINKING];
/// The tag around a model's thinking.
const THINKING: &str = "think";
/// Maximum length of a control token such as `<|im_end|>`, in bytes.
const LONGEST_CONTROL: usize = 40;

/// Maximum length of a recognised tag, in bytes; a longer one is text.
const MAX_TAG_BYTES: usize = 512;

/// Removes tags from words that arrive in chunks, independent of chunk borders. Holds back what may become a tag.
#[derive(Debug)]
pub(super) struct Echo {
    pending: String,
    /// Whether the released words end with a line break.
    at_line_start: bool,
    /// Whether a tag was removed at the start of its line. The line is removed with it when it is empty.
    is_line_of_tags: bool,
    /// Whether the current words are thinking.
    is_thinking: bool,
}

/// What a `<` begins.
enum Found {
    /// A tag of this many bytes.
    Tag(usize),
    /// Text that is not a tag.
    Text,
    /// Undecided until more text arrives; whether the name of a tag is complete.
    Open(bool),
}

impl Echo {
    pub(super) fn new() -> Self {
        Self { pending: String::new(), at_line_start: true, is_line_of_tags: false, is_thinking: false }
    }

    /// Takes the next words and returns those that are final.
    pub(super) fn push(&mut self, part: &str) -> String {
        self.pending.push_str(part);
        self.settle(false)
    }

    /// Ends the answer and returns the words that were held back. Removes an incomplete tag.
    pub(super) fn finish(mut self) -> String {
        self.settle(true)
    }

    fn settle(&mut self, last: bool) -> String {
        let text = std::mem::take(&mut self.pending);
        let (mut visible, mut at) = (String::with_capacity(text.len()), 0);
        while let Some(character) = text[at..].chars().next() {
            match if character == '<' { tag(&text[at..]) } else { Found::Text } {
                Found::Open(_) if !last => break,
                Found::Open(true) => at = text.len(),
                Found::Tag(length) => {
                    let name = text[at..at + length].to_ascii_lowercase();
                    self.is_thinking = name.contains(THINKING) && !name.contains('/');
                    self.is_line_of_tags |= self.at_line_start;
                    at += length;
                }
                Found::Open(false) | Found::Text if self.is_thinking => at += character.len_utf8(),
                Found::Open(false) | Found::Text => {
                    if !(character == '\n' && self.is_line_of_tags) {
                        visible.push(character);
                        self.at_line_start = character == '\n';
                    }
                    self.is_line_of_tags = false;
                    at += character.len_utf8();
                }
            }
        }
        self.pending = text[at..].to_owned();
        visible
    }
}

/// Classifies a text that begins with `<`.
fn tag(text: &str) -> Found {
    if let Some(control) = text.strip_prefix("<|") {
        return match control.find("|>") {
            Some(end) if end <= LONGEST_CONTROL => Found::Tag(end + 4),
            None if control.len() <= LONGEST_CONTROL && !control.contains(char::is_whitespace) => Found::Open(true),
            _ => Found::Text,
        };
    }
    if text == "<" {
        return Found::Open(false);
    }
    let name = text[1..].trim_start_matches(['/', ' ']);
    let before = text.len() - name.len();
    if before > MAX_TAG_BYTES {
        return Found::Text;
    }
    let begins =
        |tag_name: &&&str| name.get(..tag_name.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag_name));
    let Some(tag_name) = TAGS.iter().find(begins) else {
        let may_become =
            |tag_name: &&str| tag_name.len() > name.len() && tag_name[..name.len()].eq_ignore_ascii_case(name);
        return if name.is_ascii() && TAGS.iter().any(may_become) { Found::Open(false) } else { Found::Text };
    };
    let rest = &name[tag_name.len()..];
    if rest.starts_with(|mark: char| !matches!(mark, '>' | '/' | ' ' | '\t')) {
        return Found::Text;
    }
    end(rest, before + tag_name.len())
}

/// The end of a tag whose name has `before` bytes: the first `>` on the same line that is not quoted.
fn end(rest: &str, before: usize) -> Found {
    let mut is_quoted = false;
    for (at, mark) in rest.char_indices() {
        match mark {
            _ if before + at >= MAX_TAG_BYTES => return Found::Text,
            '\n' => return Found::Text,
            '"' => is_quoted = !is_quoted,
            '>' if !is_quoted => return Found::Tag(before + at + 1),
            _ => {}
        }
    }
    Found::Open(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The remaining text, asserted to be the same for any chunks.
    fn without(text: &str) -> String {
        let in_parts = |parts: &[&str]| {
            let mut echo = Echo::new();
            let visible: String = parts.iter().map(|part| echo.push(part)).collect();
            visible + &echo.finish()
        };
        let whole = in_parts(&[text]);
        let borders: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        for (index, &first) in borders.iter().enumerate() {
            for &second in &borders[index..] {
                let parts = [&text[..first], &text[first..second], &text[second..]];
                assert_eq!(in_parts(&parts), whole, "{text:?} {first} {second}");
            }
        }
        let letters: Vec<String> = text.chars().map(String::from).collect();
        assert_eq!(in_parts(&letters.iter().map(String::as_str).collect::<Vec<_>>()), whole, "{text:?}");
        whole
    }

    #[test]
    fn repeated_tags_are_removed_with_their_lines() {
        let text =
            "<passage number=\"1\" title=\"Files > Öffnen\">\nAt nine.\n</passage>\n\n<question>\nWhen?\n</question>";
        assert_eq!(without(text), "At nine.\n\nWhen?\n");
        assert_eq!(without("So: <Passage number=2>nine</ PASSAGE > [1]."), "So: nine [1].");
        assert_eq!(without("<question>NO_ANSWER</question>"), "NO_ANSWER");
        assert_eq!(without("</passage><question>\nHi"), "Hi");
    }

    #[test]
    fn other_words_and_tags_stay() {
        for text in [
            "1 < 2 and 3 > 2",
            "<b>bold</b> <passages> <question-mark> <questionä>",
            "a <pass",
            "a <",
            "<",
            "< / b",
            "<p>ö</p>",
            "&lt;passage>",
            "A <passage of time\nwent by> on.",
        ] {
            assert_eq!(without(text), text);
        }
    }

    #[test]
    fn control_tokens_and_thoughts_are_removed() {
        assert_eq!(without("<think>\nHm, <b>1</b> < 2.\n</think>\n\nAt nine.<|im_end|></s>"), "\nAt nine.");
        assert_eq!(without("At <|eot_id|>nine a <| b"), "At nine a <| b");
    }

    #[test]
    fn a_tag_that_is_cut_off_is_removed_and_one_without_end_is_text() {
        assert_eq!(without("At nine. <passage number=\"2"), "At nine. ");
        let mut echo = Echo::new();
        let endless = format!("<question {}", "x".repeat(10_000));
        assert_eq!(echo.push(&endless) + &echo.finish(), endless);
        let mut echo = Echo::new();
        let blank = format!("<{}", " ".repeat(10_000));
        assert_eq!(echo.push(&blank), blank, "nothing is held back for ever");
    }
}
