//! Files that are designed to break their readers.

use std::io::Write as _;

use flate2::{Compression, Crc, write::DeflateEncoder};

/// A zip container of deflated files.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    let number = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    for (name, content) in files {
        let mut crc = Crc::new();
        crc.update(content);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        let offset = number(bytes.len());
        let mut common = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        common.extend(crc.sum().to_le_bytes());
        common.extend([number(packed.len()), number(content.len())].concat());
        common.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset);
        directory.extend(name.as_bytes());
    }
    let (offset, size) = (number(bytes.len()), number(directory.len()));
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count, count].concat());
    bytes.extend([size, offset].concat());
    bytes.extend([0, 0]);
    bytes
}

fn docx(main: &str) -> Vec<u8> {
    zip(&[("word/document.xml", main.as_bytes())])
}

/// A DOCX of a few kilobytes whose main text has this many megabytes of spaces.
pub fn docx_bomb(megabytes: usize) -> Vec<u8> {
    docx(&format!("<document><body>{}</body></document>", " ".repeat(megabytes * 1024 * 1024)))
}

/// A DOCX with this many megabytes of paragraphs, which take several times their size in memory.
pub fn docx_of_words(megabytes: usize) -> Vec<u8> {
    let paragraph = "<p><r><t>word</t></r></p>";
    docx(&format!("<document><body>{}</body></document>", paragraph.repeat(megabytes * 1024 * 1024 / paragraph.len())))
}

/// Entities of entities of entities.
pub fn billion_laughs() -> Vec<u8> {
    let mut entities = "<!ENTITY a0 \"ha\">".to_owned();
    for level in 1..10 {
        let inner = format!("&a{};", level - 1).repeat(10);
        entities.push_str(&format!("<!ENTITY a{level} \"{inner}\">"));
    }
    docx(&format!("<!DOCTYPE document [{entities}]><document><body><p><r><t>&a9;</t></r></p></body></document>"))
}

/// Elements in each other without end.
pub fn deep_docx() -> Vec<u8> {
    docx(&format!("<document><body>{}{}</body></document>", "<sdt>".repeat(200_000), "</sdt>".repeat(200_000)))
}

/// A PDF of these objects, whose first is its catalogue. `trailer` is added to its trailer, and `start` is a false
/// position of its table.
fn pdf(objects: &[String], trailer: &str, start: Option<usize>) -> Vec<u8> {
    let (mut file, mut table) = (b"%PDF-1.4\n".to_vec(), String::new());
    for (number, object) in (1..).zip(objects) {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let (size, start) = (objects.len() + 1, start.unwrap_or(file.len()));
    write!(file, "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n")
        .unwrap();
    write!(file, "startxref\n{start}\n%%EOF\n").unwrap();
    file
}

const CATALOGUE: &str = "<< /Type /Catalog /Pages 2 0 R >>";

/// Pages that are their own children.
pub fn pdf_with_cyclic_pages() -> Vec<u8> {
    let pages = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>".to_owned();
    pdf(&[CATALOGUE.to_owned(), pages], "", None)
}

/// A page with a line and a form whose fields are their own grandchildren, and widgets of the page.
pub fn pdf_with_cyclic_form() -> Vec<u8> {
    let content = "BT /F1 16 Tf 72 740 Td (The form has no end.) Tj ET";
    let field = |name: &str, parent: usize, kids: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /Rect [72 600 200 620] /P 4 0 R /FT /Tx /T ({name}) /V (value of {name})
             /Parent {parent} 0 R /Kids [{kids}] >>"
        )
    };
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R] /DR << /Font << /F1 3 0 R >> >> >> >>"
            .to_owned(),
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >>
         /Annots [6 0 R 7 0 R 8 0 R] >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        field("a", 7, "7 0 R 8 0 R"),
        field("b", 6, "6 0 R 7 0 R"),
        field("c", 8, "8 0 R 6 0 R"),
    ];
    pdf(&objects, "", None)
}

/// A cross-reference table at a position far behind the end.
pub fn pdf_with_broken_xref() -> Vec<u8> {
    let pages = "<< /Type /Pages /Kids [] /Count 0 >>".to_owned();
    pdf(&[CATALOGUE.to_owned(), pages], "", Some(4_000_000_000))
}

/// A cross-reference table that refers to itself as the previous one.
pub fn pdf_with_looping_xref() -> Vec<u8> {
    let objects = [CATALOGUE.to_owned(), "<< /Type /Pages /Kids [] /Count 0 >>".to_owned()];
    let start = pdf(&objects, "", None).windows(4).position(|window| window == b"xref").unwrap();
    pdf(&objects, &format!("/Prev {start}"), None)
}

/// This many pages with one line each.
pub fn pdf_with_pages(count: usize) -> Vec<u8> {
    let kids: String = (0..count).map(|page| format!("{} 0 R ", page + 5)).collect();
    let mut objects = vec![
        CATALOGUE.to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        "<< /Length 42 >>\nstream\nBT /F1 12 Tf 72 760 Td (One of many.) Tj ET\nendstream".to_owned(),
    ];
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>";
    objects.resize(count + 4, page.to_owned());
    pdf(&objects, "", None)
}

/// A page with these lines of Helvetica.
pub fn pdf_with_lines(lines: &[&str]) -> Vec<u8> {
    let text_operators: String = lines.iter().map(|line| format!("({line}) Tj T* ")).collect();
    let content = format!("BT /F1 16 Tf 72 740 Td 24 TL {text_operators}ET");
    pdf(
        &[
            CATALOGUE.to_owned(),
            "<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
                .to_owned(),
            format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        ],
        "",
        None,
    )
}

/// A picture in shades of gray.
#[derive(Clone)]
pub struct Image {
    pub width: usize,
    pub height: usize,
    pub gray: Vec<u8>,
}

impl Image {
    /// Reads a portable graymap.
    pub fn from_pgm(content: &[u8]) -> Self {
        let mut parts = content.splitn(4, |byte| *byte == b'\n');
        let (_magic, size) = (parts.next().unwrap(), std::str::from_utf8(parts.next().unwrap()).unwrap());
        let (width, height) = size.split_once(' ').unwrap();
        let gray = parts.nth(1).unwrap().to_vec();
        Self { width: width.parse().unwrap(), height: height.parse().unwrap(), gray }
    }
}

/// A scanned document: each page is a picture.
pub fn pdf_of_images(images: &[Image]) -> Vec<u8> {
    let kids: String = (0..images.len()).map(|page| format!("{} 0 R ", page * 2 + 4)).collect();
    let content = "q 595 0 0 842 0 0 cm /I Do Q";
    let mut objects = vec![
        CATALOGUE.to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", images.len()),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
    ];
    for image in images {
        let picture = objects.len() + 2;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R
             /Resources << /XObject << /I {picture} 0 R >> >> >>"
        ));
        let hex: String = image.gray.iter().map(|byte| format!("{byte:02x}")).collect();
        objects.push(format!(
            "<< /Type /XObject /Subtype /Image /Width {} /Height {} /ColorSpace /DeviceGray /BitsPerComponent 8
             /Filter /ASCIIHexDecode /Length {} >>\nstream\n{hex}>\nendstream",
            image.width,
            image.height,
            hex.len() + 1
        ));
    }
    pdf(&objects, "", None)
}
