//! Characters of a font's codes: from its `ToUnicode` map, else from its encoding.

use std::cell::OnceCell;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, SHIFT_JIS};
use lopdf::{Dictionary, Document, Encoding, Object, dictionary};

use super::{
    MAX_STREAM, code_map::CodeMap, collections::Collection, glyph_names::of_name, program::Program, resolve,
    to_unicode::ToUnicode,
};

/// Minimum glyphs with numbers as names from which on these numbers are taken for codes.
const MIN_NUMBERED: usize = 3;
/// The bit of a font's flags for characters outside the standard Latin set.
const SYMBOLIC: i64 = 1 << 2;
/// Maximum bytes of the readable part of an embedded font, which names its codes.
const MAX_NAMES: usize = 64 * 1024;
/// The marks of the font `ZapfDingbats` that stand for something in a text.
const DINGBATS: [(u8, &str); 7] =
    [(b'3', "✓"), (b'4', "✔"), (b'8', "✘"), (b'l', "•"), (b'n', "▪"), (b'u', "•"), (b's', "▪")];

/// What `ToUnicode` says.
fn to_unicode(document: &Document, font: &Dictionary) -> Option<ToUnicode> {
    let stream = font.get_deref(b"ToUnicode", document).and_then(Object::as_stream).ok()?;
    Some(ToUnicode::parse(&stream.get_plain_content_with_limit(MAX_STREAM).ok()?))
}

fn look_up(map: Option<&ToUnicode>, code: &[u8]) -> Option<String> {
    let number = code.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
    readable(map?.text(number)?)
}

/// The text without characters that mean nothing; `None` when it has no others. A map may also give a code an empty text.
fn readable(text: String) -> Option<String> {
    let is_known = |letter: char| {
        letter != '\u{FFFD}'
            && !letter.is_control()
            && (!('\u{E000}'..='\u{F8FF}').contains(&letter) || is_bullet(letter))
    };
    let is_space = |letter: char| matches!(letter, '\t' | '\n' | '\r');
    if text.chars().all(is_known) {
        return Some(text);
    }
    let text: String = text
        .chars()
        .map(|letter| if is_space(letter) { ' ' } else { letter })
        .filter(|letter| is_known(*letter))
        .collect();
    (!text.is_empty()).then_some(text)
}

/// Bullets of the font Symbol in the private area.
fn is_bullet(letter: char) -> bool {
    matches!(letter, '\u{f0b7}' | '\u{f0a7}')
}

/// The codes of a font.
pub(super) enum Codes<'a> {
    Simple(Simple),
    Composite(Composite<'a>),
}

impl Codes<'_> {
    /// Bytes of the next code.
    pub(super) fn length(&self, codes: &[u8]) -> usize {
        match self {
            Self::Simple(_) => 1,
            Self::Composite(font) => font.length(codes),
        }
    }

    /// Whether lines run from top to bottom.
    pub(super) fn are_vertical(&self) -> bool {
        matches!(self, Self::Composite(font) if font.is_vertical)
    }

    /// The number under which the font gives the width of a code.
    pub(super) fn id(&self, code: &[u8], number: u32) -> u32 {
        match self {
            Self::Composite(font) => match &font.layout {
                Layout::Ids => number,
                Layout::Map(map) => map.cid(code.len(), number).unwrap_or(0),
                _ => u32::from(code.len() > 1),
            },
            Self::Simple(_) => number,
        }
    }

    /// The text of a code; none when nothing explains it.
    pub(super) fn text(&self, code: &[u8]) -> Option<String> {
        match self {
            Self::Simple(font) => font.text(code),
            Self::Composite(font) => font.text(code),
        }
    }
}

/// The codes of a font with one byte a code.
pub(super) struct Simple {
    to_unicode: Option<ToUnicode>,
    texts: Vec<Option<String>>,
}

impl Simple {
    pub(super) fn read(document: &Document, font: &Dictionary, descriptor: Option<&Dictionary>) -> Self {
        let to_unicode = to_unicode(document, font);
        let encoding = font.get_deref(b"Encoding", document).ok();
        let subtype = font.get(b"Subtype").and_then(Object::as_name).unwrap_or_default();
        let name = font.get_deref(b"BaseFont", document).and_then(Object::as_name).unwrap_or_default();
        let own = descriptor.and_then(|descriptor| own_codes(document, descriptor, to_unicode.is_none()));
        let flags = descriptor.and_then(|descriptor| descriptor.get_deref(b"Flags", document).ok()?.as_i64().ok());
        let encoding_name = match encoding {
            Some(Object::Name(name)) => Some(name.as_slice()),
            Some(Object::Dictionary(encoding)) => encoding.get(b"BaseEncoding").and_then(Object::as_name).ok(),
            _ => None,
        };
        let is_bare = encoding.is_none_or(|encoding| encoding.as_dict().is_err());
        let mut texts: Vec<Option<String>> = match (encoding_name, own) {
            (Some(name), _) => base(name),
            (None, Some(own)) if subtype == b"TrueType" => {
                own.into_iter().zip(base(b"WinAnsiEncoding")).map(|(own, guess)| own.or(guess)).collect()
            }
            (None, Some(own)) => own,
            _ if subtype == b"Type3" || name.ends_with(b"ZapfDingbats") || name.ends_with(b"Symbol") => vec![None; 256],
            // The codes of such a font are its own, but often they are those of Windows.
            _ if is_bare && (subtype == b"TrueType" || flags.unwrap_or(0) & SYMBOLIC != 0) => base(b"WinAnsiEncoding"),
            _ => base(b"StandardEncoding"),
        };
        if name.ends_with(b"ZapfDingbats") {
            DINGBATS.iter().for_each(|(code, text)| texts[usize::from(*code)] = Some((*text).to_owned()));
        } else if name.ends_with(b"Symbol") {
            texts[0xB7] = Some("•".to_owned());
        }
        let encoding = encoding.and_then(|encoding| encoding.as_dict().ok());
        let differences =
            encoding.and_then(|encoding| encoding.get_deref(b"Differences", document).and_then(Object::as_array).ok());
        let mut code = 0_usize;
        let mut others = Vec::new();
        for difference in differences.into_iter().flatten() {
            match resolve(document, difference) {
                Object::Name(name) if code < 256 => {
                    texts[code] = of_name(name);
                    if texts[code].is_none() && name != b".notdef" {
                        others.push((code, name.as_slice()));
                    }
                    code += 1;
                }
                number => code = number.as_i64().ok().and_then(|number| usize::try_from(number).ok()).unwrap_or(code),
            }
        }
        for (code, text) in texts_of_numbers(&others) {
            texts[code] = Some(text);
        }
        Self { to_unicode, texts }
    }

    fn text(&self, code: &[u8]) -> Option<String> {
        let text = look_up(self.to_unicode.as_ref(), code);
        text.or_else(|| readable(self.texts.get(usize::from(*code.first()?))?.clone()?))
    }
}

/// The texts of a standard encoding.
fn base(name: &[u8]) -> Vec<Option<String>> {
    let font = dictionary! { "Type" => "Font", "Encoding" => Object::Name(name.to_vec()) };
    let empty = Document::new();
    match font.get_font_encoding(&empty) {
        Ok(Encoding::OneByteEncoding(set)) => {
            let text = |unit: u16| char::from_u32(u32::from(unit)).map(String::from);
            set.iter().map(|glyph| glyph.and_then(|glyph| text(glyph.utf16_code_unit()))).collect()
        }
        _ => vec![None; 256],
    }
}

/// The characters of codes whose names are made of the codes: `65`, `a65`, `C065` or, with hexadecimal digits, `G41`.
fn texts_of_numbers(names: &[(usize, &[u8])]) -> Vec<(usize, String)> {
    let letters = base(b"WinAnsiEncoding");
    let text = |(code, number): (usize, usize)| Some((code, letters.get(number)?.clone()?));
    if names.len() >= MIN_NUMBERED && names.iter().all(|(code, name)| *name == code.to_string().as_bytes()) {
        return names.iter().filter_map(|(code, _)| text((*code, *code))).collect();
    }
    let parts = |name: &[u8]| {
        let (letter, digits) = name.split_first()?;
        let digits = std::str::from_utf8(digits).ok().filter(|digits| (2..=3).contains(&digits.len()))?.to_owned();
        matches!(letter, b'a' | b'c' | b'C' | b'G').then_some((*letter, digits))
    };
    let pairs: Option<Vec<_>> = names.iter().map(|(code, name)| Some((*code, parts(name)?))).collect();
    let Some(pairs) = pairs.filter(|pairs| pairs.len() >= MIN_NUMBERED) else {
        return Vec::new();
    };
    let all = |is_one: fn(&u8, &str) -> bool| pairs.iter().all(|(_, (letter, digits))| is_one(letter, digits));
    let has_letters = !all(|_, digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    let is_hexadecimal = all(|letter, digits| digits.len() == 2 && letter.is_ascii_uppercase())
        && (has_letters || all(|letter, _| *letter == b'G'));
    let radix = if is_hexadecimal { 16 } else { 10 };
    let numbers = pairs.iter().map(|(code, (_, digits))| Some((*code, usize::from_str_radix(digits, radix).ok()?)));
    let Some(numbers) = numbers.collect::<Option<Vec<_>>>() else { return Vec::new() };
    numbers.into_iter().filter_map(text).collect()
}

/// The texts of the own codes of an embedded font. Those that only its program explains are read if that `is_needed`.
fn own_codes(document: &Document, descriptor: &Dictionary, is_needed: bool) -> Option<Vec<Option<String>>> {
    embedded_names(document, descriptor).or_else(|| {
        let program = if is_needed { Program::read(document, descriptor)? } else { return None };
        let texts: Vec<_> = (0..=255).map(|code| program.text_of_code(code).map(str::to_owned)).collect();
        texts.iter().any(Option::is_some).then_some(texts)
    })
}

/// The texts of an embedded Type 1 font's own encoding: `dup 65 /A put` in its readable part.
fn embedded_names(document: &Document, descriptor: &Dictionary) -> Option<Vec<Option<String>>> {
    let program = descriptor.get_deref(b"FontFile", document).and_then(Object::as_stream).ok()?;
    let program = program.get_plain_content_with_limit(MAX_STREAM).ok()?;
    let text = String::from_utf8_lossy(&program[..program.len().min(MAX_NAMES)]).into_owned();
    let encoding = &text[text.find("/Encoding")?..];
    if encoding["/Encoding".len()..].trim_start().starts_with("StandardEncoding") {
        return Some(base(b"StandardEncoding"));
    }
    let mut texts = vec![None; 256];
    for entry in encoding.split("dup ").skip(1).take(256) {
        let mut words = entry.split_whitespace();
        let (Some(code), Some(name)) = (words.next().and_then(|code| code.parse::<usize>().ok()), words.next()) else {
            break;
        };
        if let (Some(text), Some(name)) = (texts.get_mut(code), name.strip_prefix('/')) {
            *text = of_name(name.as_bytes());
        }
    }
    texts.iter().any(Option::is_some).then_some(texts)
}

/// The codes of a composite font.
pub(super) struct Composite<'a> {
    to_unicode: Option<ToUnicode>,
    layout: Layout,
    is_vertical: bool,
    document: &'a Document,
    descendant: &'a Dictionary,
    /// What the embedded program tells, read when the file's own map does not explain a code.
    glyphs: OnceCell<Option<Glyphs>>,
    collection: Option<&'static Collection>,
}

/// The embedded program of a composite font, and its glyph for each number of a glyph in the file, if the two differ.
struct Glyphs {
    program: Program,
    numbers: Option<Vec<u8>>,
}

impl Glyphs {
    fn read(document: &Document, descendant: &Dictionary) -> Option<Self> {
        let descriptor = descendant.get_deref(b"FontDescriptor", document).and_then(Object::as_dict).ok()?;
        let program = Program::read(document, descriptor)?;
        let numbers = descendant.get_deref(b"CIDToGIDMap", document).and_then(Object::as_stream).ok();
        Some(Self { program, numbers: numbers.and_then(|map| map.get_plain_content_with_limit(MAX_STREAM).ok()) })
    }

    fn text(&self, cid: u32) -> Option<String> {
        let glyph = match &self.numbers {
            Some(numbers) => {
                let at = usize::try_from(cid).ok()? * 2;
                u16::from_be_bytes(numbers.get(at..at + 2)?.try_into().ok()?)
            }
            None => u16::try_from(cid).ok()?,
        };
        self.program.text(glyph).map(str::to_owned)
    }
}

/// How long codes are, and what they mean without `ToUnicode`.
enum Layout {
    /// Numbers of glyphs in two bytes, whose meaning only the font's maker knows.
    Ids,
    /// A map that the file brings along.
    Map(CodeMap),
    Utf16,
    /// A character set with one to four bytes.
    Charset(&'static encoding_rs::Encoding),
    /// JIS X 0208 in seven bits.
    Jis,
}

impl<'a> Composite<'a> {
    pub(super) fn read(document: &'a Document, font: &Dictionary, descendant: &'a Dictionary) -> Self {
        let to_unicode = to_unicode(document, font);
        let layout = match font.get_deref(b"Encoding", document) {
            Ok(Object::Name(name)) => Layout::of_name(&String::from_utf8_lossy(name)),
            Ok(Object::Stream(map)) => map
                .get_plain_content_with_limit(MAX_STREAM)
                .ok()
                .and_then(|map| CodeMap::parse(&String::from_utf8_lossy(&map)))
                .map_or(Layout::Ids, Layout::Map),
            _ => Layout::Ids,
        };
        let is_vertical = match (&layout, font.get_deref(b"Encoding", document)) {
            (Layout::Map(map), _) => map.is_vertical,
            (_, Ok(Object::Name(name))) => name == b"V" || name.ends_with(b"-V"),
            _ => false,
        };
        let system = descendant.get_deref(b"CIDSystemInfo", document).and_then(Object::as_dict).ok();
        let ordering = system.and_then(|system| system.get_deref(b"Ordering", document).and_then(Object::as_str).ok());
        let collection = ordering.and_then(Collection::find);
        Self { to_unicode, layout, is_vertical, document, descendant, glyphs: OnceCell::new(), collection }
    }

    fn length(&self, codes: &[u8]) -> usize {
        let [first, rest @ ..] = codes else { return 1 };
        match &self.layout {
            Layout::Ids | Layout::Jis => 2,
            Layout::Utf16 => {
                if (0xD8..0xDC).contains(first) {
                    4
                } else {
                    2
                }
            }
            Layout::Map(map) => map.length(*first),
            Layout::Charset(charset) if *charset == SHIFT_JIS => {
                if matches!(first, 0x81..=0x9F | 0xE0..=0xFC) {
                    2
                } else {
                    1
                }
            }
            Layout::Charset(charset) => match (first, rest.first()) {
                (0..=0x80, _) => 1,
                (0x8F, _) if *charset == EUC_JP => 3,
                (_, Some(b'0'..=b'9')) if *charset == GB18030 => 4,
                _ => 2,
            },
        }
    }

    fn text(&self, code: &[u8]) -> Option<String> {
        if let Some(text) = look_up(self.to_unicode.as_ref(), code) {
            return Some(text);
        }
        let decode = |charset: &'static encoding_rs::Encoding, code: &[u8]| {
            charset.decode_without_bom_handling_and_without_replacement(code).map(std::borrow::Cow::into_owned)
        };
        let number = code.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
        readable(match &self.layout {
            Layout::Ids => self.text_of_id(number)?,
            Layout::Map(map) => self.text_of_id(map.cid(code.len(), number)?)?,
            Layout::Utf16 => decode(encoding_rs::UTF_16BE, code)?,
            Layout::Charset(charset) => decode(charset, code)?,
            Layout::Jis => decode(EUC_JP, &code.iter().map(|byte| byte | 0x80).collect::<Vec<_>>())?,
        })
    }
}

impl Composite<'_> {
    /// The text of a number of a glyph, as the embedded program or the font's collection tells.
    fn text_of_id(&self, cid: u32) -> Option<String> {
        let glyphs = self.glyphs.get_or_init(|| Glyphs::read(self.document, self.descendant));
        let own = glyphs.as_ref().and_then(|glyphs| glyphs.text(cid));
        own.or_else(|| self.collection?.text(cid))
    }
}

impl Layout {
    /// The layout of a predefined map of codes (ISO 32000, 9.7.5.2).
    fn of_name(name: &str) -> Self {
        let name = name.trim_end_matches("-H").trim_end_matches("-V");
        match name {
            "H" | "V" | "Add" | "Ext" => Self::Jis,
            "EUC" => Self::Charset(EUC_JP),
            _ if name.ends_with("UCS2") || name.ends_with("UCS2-HW") || name.ends_with("UTF16") => Self::Utf16,
            _ if name.contains("RKSJ") => Self::Charset(SHIFT_JIS),
            _ if name.starts_with("GB") => Self::Charset(GB18030),
            _ if name.contains("B5") || name.starts_with("HKscs") => Self::Charset(BIG5),
            _ if name.starts_with("KSC") => Self::Charset(EUC_KR),
            _ => Self::Ids,
        }
    }
}
