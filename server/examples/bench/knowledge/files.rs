//! Deterministic files for uploads, each with different words.

use crate::Result;

const THINGS: [&str; 10] =
    ["valve", "pump", "filter", "cooler", "gauge", "hose", "boiler", "switch", "bearing", "seal"];
const DONE: [&str; 8] = ["cleaned", "replaced", "measured", "oiled", "tested", "painted", "adjusted", "inspected"];
const WHEN: [&str; 8] = [
    "every second Tuesday",
    "before the winter",
    "after ninety hours",
    "twice a year",
    "when the lamp is red",
    "in the first week of May",
    "after each delivery",
    "once a shift",
];
const WHO: [&str; 6] =
    ["the night crew", "an electrician", "the manufacturer", "two apprentices", "the foreman", "the harbour office"];

/// Numbers that look random (splitmix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `least` on and below `end`.
    pub(super) fn within(&mut self, least: u64, end: u64) -> u64 {
        least + self.number() % (end - least).max(1)
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let place = self.within(0, from.len() as u64);
        from[usize::try_from(place).unwrap_or_default()]
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            bytes.extend_from_slice(&self.number().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}

/// A sentence about a station that no other file is about.
fn sentence(random: &mut Random, number: u64) -> String {
    let (thing, done, when, who) = (random.pick(&THINGS), random.pick(&DONE), random.pick(&WHEN), random.pick(&WHO));
    format!("At station {number} the {thing} is {done} {when} by {who}.")
}

/// A question that such sentences may answer, another one for each number.
pub(super) fn question(number: u64) -> String {
    let mut random = Random::new(number);
    let (thing, done) = (random.pick(&THINGS), random.pick(&DONE));
    format!("Who has the {thing} of station {number} {done}?")
}

/// A guide in Markdown with two sections.
pub(super) fn markdown(number: u64) -> Vec<u8> {
    let mut random = Random::new(number);
    let mut section = |title: &str| {
        let sentences: Vec<String> = (0..5).map(|_| sentence(&mut random, number)).collect();
        format!("## {title} of station {number}\n\n{}\n\n", sentences.join(" "))
    };
    format!("# Guide {number}\n\n{}{}", section("Maintenance"), section("Repairs")).into_bytes()
}

/// A tar archive of so many guides, from this number on.
pub(super) fn archive(first: u64, files: u64) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for number in first..first + files {
        let text = markdown(number);
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, format!("{number}.md"), text.as_slice())?;
    }
    Ok(archive.into_inner()?)
}

/// A PDF of about so many bytes: a page with a few sentences, and a stream of noise that no page shows.
pub(super) fn pdf(number: u64, size: usize) -> Vec<u8> {
    const AROUND: usize = 1500;
    let mut random = Random::new(number);
    let lines: String = (0..6).map(|_| format!("({}) Tj T* ", sentence(&mut random, number))).collect();
    let text = format!("BT /F1 12 Tf 72 760 Td 14 TL {lines}ET");
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>".to_vec(),
        stream(text.as_bytes()),
        stream(&random.bytes(size.saturating_sub(AROUND))),
    ];
    written(&objects)
}

/// A PDF of so many pages, each of which shows the same JPEG of `width` and `height` pixels.
pub(super) fn scanned_pdf(jpeg: &[u8], (width, height): (u32, u32), pages: usize) -> Vec<u8> {
    const FIRST_PAGE: usize = 5;
    let kids: String = (0..pages).map(|page| format!("{} 0 R ", FIRST_PAGE + page)).collect();
    let picture = format!(
        "<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray /BitsPerComponent 8 \
         /Filter /DCTDecode /Length {} >>\nstream\n",
        jpeg.len()
    );
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {pages} >>").into_bytes(),
        stream(b"q 595 0 0 842 0 0 cm /I Do Q"),
        [picture.as_bytes(), jpeg, b"\nendstream"].concat(),
    ];
    let page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << /XObject << /I 4 0 R >> >> >>";
    objects.extend((0..pages).map(|_| page.to_vec()));
    written(&objects)
}

/// A PDF file of these objects; the first one is the catalogue.
fn written(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = String::new();
    for (object, index) in objects.iter().zip(1..) {
        places.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend_from_slice(format!("{index} 0 obj\n").as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let (start, size) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file.extend_from_slice(end.as_bytes());
    file
}

fn stream(bytes: &[u8]) -> Vec<u8> {
    let head = format!("<< /Length {} >>\nstream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}
