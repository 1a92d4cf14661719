//! Turns the output of text recognition into paragraphs. The input is the table of `tesseract`, one line per word.

use serde::{Deserialize, Serialize};

use super::{
    Section,
    builder::{Builder, add_line},
    page_heading,
};

/// The text of a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recognised {
    /// Paragraphs in reading order.
    pub paragraphs: Vec<String>,
    /// The confidence of the recognition, from 0 to 100.
    pub confidence: f32,
}

impl Recognised {
    /// Reads the table. Skips lines of another form.
    pub fn from_table(table: &str) -> Self {
        let mut text = Text::default();
        for word in table.lines().filter_map(Word::parse) {
            text.add(&word);
        }
        let confidence = if text.letters == 0.0 { 0.0 } else { text.sum / text.letters };
        Self { paragraphs: text.paragraphs, confidence }
    }

    /// The section of a page. `page` is its number when the document has pages, `several` whether there is more than
    /// one.
    pub fn section(&self, page: Option<u32>, several: bool) -> Option<Section> {
        let mut builder = Builder::default();
        for paragraph in &self.paragraphs {
            builder.text(paragraph);
            builder.end_block();
        }
        let mut section = builder.finish().into_iter().next()?;
        if let Some(page) = page {
            section.anchor = Some(format!("page={page}"));
            section.heading_path = if several { vec![page_heading(page)] } else { Vec::new() };
        }
        Some(section)
    }
}

/// A word and its place.
struct Word<'a> {
    /// Block and paragraph.
    paragraph: (u32, u32),
    line: u32,
    confidence: f32,
    text: &'a str,
}

impl<'a> Word<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [level, _page, block, paragraph, line, _word, _left, _top, _width, _height, confidence, text] =
            columns.as_slice()
        else {
            return None;
        };
        let is_word = *level == "5" && !text.trim().is_empty();
        is_word.then_some(())?;
        Some(Self {
            paragraph: (block.parse().ok()?, paragraph.parse().ok()?),
            line: line.parse().ok()?,
            confidence: confidence.parse::<f32>().ok()?.clamp(0.0, 100.0),
            text: text.trim(),
        })
    }
}

#[derive(Default)]
struct Text {
    paragraphs: Vec<String>,
    last: Option<((u32, u32), u32)>,
    /// Sum of the confidences, weighted by the letters of each word.
    sum: f32,
    letters: f32,
}

impl Text {
    fn add(&mut self, word: &Word<'_>) {
        #[allow(clippy::cast_precision_loss, reason = "a page has few letters")]
        let letters = word.text.chars().count() as f32;
        self.letters += letters;
        self.sum += letters * word.confidence;
        let place = (word.paragraph, word.line);
        let last = self.last.replace(place);
        match (self.paragraphs.last_mut(), last) {
            (Some(paragraph), Some((number, line))) if number == word.paragraph => {
                if line == word.line {
                    paragraph.push(' ');
                    paragraph.push_str(word.text);
                } else {
                    add_line(paragraph, word.text);
                }
            }
            _ => self.paragraphs.push(word.text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t100\t100\t-1\t
5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t96.5\tThe
5\t1\t1\t1\t1\t2\t0\t0\t9\t9\t90\tinstal-
5\t1\t1\t1\t2\t1\t0\t0\t9\t9\t90\tlation
5\t1\t1\t1\t2\t2\t0\t0\t9\t9\t-1\t
5\t1\t1\t2\t1\t1\t0\t0\t9\t9\t20\tEnds.
";

    #[test]
    fn words_become_paragraphs_with_one_confidence() {
        let read = Recognised::from_table(TABLE);
        assert_eq!(read.paragraphs, ["The installation", "Ends."]);
        assert!((read.confidence - (3.0 * 96.5 + 13.0 * 90.0 + 5.0 * 20.0) / 21.0).abs() < 0.01, "{read:?}");
        let section = read.section(Some(3), true).unwrap();
        assert_eq!((section.anchor.as_deref(), section.text.as_str()), (Some("page=3"), "The installation\n\nEnds."));
    }

    #[test]
    fn a_hyphen_for_the_end_of_a_word_stays() {
        let table = TABLE.replace("instal-", "in-").replace("lation", "and");
        assert_eq!(Recognised::from_table(&table).paragraphs, ["The in- and", "Ends."]);
    }

    #[test]
    fn a_picture_without_words_has_no_section() {
        let read = Recognised::from_table("no table");
        assert_eq!((read.section(None, false), read.confidence), (None, 0.0));
    }
}
