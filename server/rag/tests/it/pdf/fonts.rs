//! Characters of codes that a PDF itself does not map to characters.

use lopdf::{Dictionary, Object, Stream, dictionary};

use super::{layout::with_font, read, text};

/// What a page shows whose font has these codes.
fn text_of_codes(codes: &str, font: impl Fn(&mut lopdf::Document) -> Dictionary) -> String {
    let file = with_font(&format!("BT /F1 12 Tf 100 700 Td <{codes}> Tj ET"), font);
    text(&read(&file).unwrap()).join("\n")
}

fn composite(descendant: Dictionary) -> Dictionary {
    dictionary! {
        "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "Some", "Encoding" => "Identity-H",
        "DescendantFonts" => vec![Object::Dictionary(descendant)],
    }
}

fn units(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// A TrueType program whose glyphs from 3 on are the letters from `A` on.
fn true_type() -> Vec<u8> {
    let deltas = [0_u16.wrapping_sub(62), 1];
    let segments = [&[4, 0, 0, 4, 0, 0, 0, 90, 0xffff, 0, 65, 0xffff][..], &deltas, &[0, 0]].concat();
    let cmap = [units(&[0, 1, 3, 1, 0, 12]), units(&segments)].concat();
    let length = u32::try_from(cmap.len()).unwrap();
    let table = [&b"cmap\0\0\0\0"[..], &28_u32.to_be_bytes(), &length.to_be_bytes()].concat();
    [vec![0, 1, 0, 0], units(&[1, 0, 0, 0]), table, cmap].concat()
}

fn descriptor(file: &mut lopdf::Document, key: &str, program: Vec<u8>) -> Dictionary {
    let program = file.add_object(Stream::new(Dictionary::new(), program));
    let mut descriptor = dictionary! { "Type" => "FontDescriptor", "Flags" => 4 };
    descriptor.set(key, Object::Reference(program));
    descriptor
}

#[test]
fn numbers_of_character_collections_are_characters() {
    for (ordering, codes, expected) in [
        ("Japan1", "0cd40e8a0022", "日本A"),
        ("Korea1", "0ce004d60022", "한글A"),
        ("GB1", "11cf0ed30022", "中文A"),
        ("CNS1", "029502d60022", "中文A"),
    ] {
        let read = text_of_codes(codes, |_| {
            let system = dictionary! { "Registry" => Object::string_literal("Adobe"),
            "Ordering" => Object::string_literal(ordering), "Supplement" => 0 };
            composite(dictionary! { "Type" => "Font", "Subtype" => "CIDFontType0", "CIDSystemInfo" => system })
        });
        assert_eq!(read, expected, "{ordering}");
    }
}

#[test]
fn the_embedded_program_tells_the_characters_of_glyphs() {
    let embedded = |file: &mut lopdf::Document| {
        let descriptor = descriptor(file, "FontFile2", true_type());
        composite(dictionary! { "Type" => "Font", "Subtype" => "CIDFontType2", "FontDescriptor" => descriptor })
    };
    assert_eq!(text_of_codes("00030004001c", embedded), "ABZ");
    let renumbered = |file: &mut lopdf::Document| {
        let map = file.add_object(Stream::new(Dictionary::new(), units(&[0, 4, 3])));
        let descriptor = descriptor(file, "FontFile2", true_type());
        composite(dictionary! {
            "Type" => "Font", "Subtype" => "CIDFontType2", "FontDescriptor" => descriptor,
            "CIDToGIDMap" => Object::Reference(map),
        })
    };
    assert_eq!(text_of_codes("00010002", renumbered), "BA");
}

#[test]
fn names_made_of_codes_are_characters() {
    let font = |names: [&'static str; 4]| {
        move |_: &mut lopdf::Document| {
            let names = names.into_iter().map(Object::from);
            let differences: Vec<Object> = std::iter::once(Object::Integer(1)).chain(names).collect();
            dictionary! {
                "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Some",
                "Encoding" => dictionary! { "Differences" => differences },
            }
        }
    };
    assert_eq!(text_of_codes("01020304", font(["G4B", "G61", "G72", "G65"])), "Kare");
    assert_eq!(text_of_codes("01020304", font(["c075", "c097", "c114", "c101"])), "Kare");
    assert_eq!(text_of_codes("01020304", font(["a75", "a97", "a114", "a101"])), "Kare");
    let unknown = with_font("BT /F1 12 Tf 100 700 Td <01020304> Tj ET", font(["SP01", "g0024", "g0037", "g0048"]));
    assert_eq!(read(&unknown).unwrap_err().code(), "undecodable_text");
}

/// A map from codes of one byte to glyphs, as Ghostscript writes it.
fn map_of_bytes(more: &str) -> Stream {
    let map = format!(
        "begincmap {more} 1 begincodespacerange <00> <FF> endcodespacerange 1 begincidrange <00> <FF> 0 endcidrange endcmap"
    );
    Stream::new(Dictionary::new(), map.into_bytes())
}

#[test]
fn a_map_in_the_file_gives_codes_their_widths() {
    // Letters of half the default width: with a wrong width, the second string would stand within the first.
    let content = "BT /F1 20 Tf 100 700 Td <414243> Tj 36 0 Td <444546> Tj ET";
    let file = with_font(content, |file| {
        let encoding = file.add_object(map_of_bytes(""));
        let characters = b"1 beginbfrange <41> <5A> <0041> endbfrange".to_vec();
        let characters = file.add_object(Stream::new(Dictionary::new(), characters));
        let widths = vec![Object::Integer(0x41), Object::Array(vec![500.into(); 26])];
        let descendant = dictionary! { "Type" => "Font", "Subtype" => "CIDFontType2", "DW" => 1000, "W" => widths };
        let mut font = composite(descendant);
        font.set("Encoding", encoding);
        font.set("ToUnicode", characters);
        font
    });
    assert_eq!(text(&read(&file).unwrap()), ["ABC DEF"]);
}

#[test]
fn vertical_lines_are_read_from_top_to_bottom_and_from_right_to_left() {
    let lines = ["\u{65e5}\u{672c}\u{6771}\u{4eac}", "\u{5927}\u{962a}\u{4eac}\u{90fd}"];
    let codes = |text: &str| -> String { text.encode_utf16().map(|unit| format!("{unit:04x}")).collect() };
    // The second line is drawn first, and each letter of the first on its own.
    let content = format!(
        "BT /F1 20 Tf 1 0 0 1 472 700 Tm <{}> Tj 1 0 0 1 500 700 Tm [<{}> 0 <{}>] TJ ET",
        codes(lines[1]),
        &codes(lines[0])[..8],
        &codes(lines[0])[8..]
    );
    for name in ["UniJIS-UCS2-V", "UniJIS-UTF16-V"] {
        let file = with_font(&content, |_| {
            let mut font = composite(dictionary! { "Type" => "Font", "Subtype" => "CIDFontType0" });
            font.set("Encoding", name);
            font
        });
        assert_eq!(text(&read(&file).unwrap()), [lines.concat()], "{name}");
    }
}

#[test]
fn names_of_glyphs_may_be_the_numbers_of_their_characters() {
    let read = text_of_codes("466565203330", |_| {
        let codes = [32_i64, 48, 51, 70, 101];
        let names = codes.iter().flat_map(|code| [Object::from(*code), Object::Name(code.to_string().into_bytes())]);
        dictionary! {
            "Type" => "Font", "Subtype" => "Type3", "FontMatrix" => vec![0.001.into(), 0.into(), 0.into(), 0.001.into(), 0.into(), 0.into()],
            "FirstChar" => 32, "Widths" => vec![Object::Integer(500); 80],
            "Encoding" => dictionary! { "Differences" => names.collect::<Vec<_>>() },
        }
    });
    assert_eq!(read, "Fee 30");
}
