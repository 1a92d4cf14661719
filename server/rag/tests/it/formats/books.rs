//! Books whose notes and further parts belong to the text.

use rag::document::Omission;

use super::{read, zip};

#[test]
fn notes_and_parts_outside_of_the_reading_order_are_read() {
    let package = "<package xmlns:dc=\"dc\"><metadata><dc:title>untitled</dc:title></metadata><manifest>
        <item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\"/><item id=\"one\" href=\"one.xhtml\"/>
        <item id=\"links\" href=\"links.xhtml\"/><item id=\"more\" href=\"more.xhtml\"/></manifest>
        <spine><itemref idref=\"nav\"/><itemref idref=\"more\" linear=\"no\"/><itemref idref=\"one\"/><itemref idref=\"links\"/></spine></package>";
    let one = "<html xmlns:epub=\"e\"><body><h1>The tower</h1><p>It has 120 steps.<a epub:type=\"noteref\" href=\"#n\">1</a> Climb it.</p>\
        <aside epub:type=\"footnote\" id=\"n\"><p>1. Counted in May.</p></aside></body></html>";
    let links = "<html><body><h1>Sights</h1><ul><li><a href=\"one.xhtml\">The tower of the old town</a></li><li><a href=\"x.xhtml\">The mill</a></li></ul></body></html>";
    let file = zip(&[
        ("META-INF/container.xml", b"<container><rootfile full-path=\"b.opf\"/></container>"),
        ("b.opf", package.as_bytes()),
        ("nav.xhtml", b"<html><body><ol><li>Contents</li></ol></body></html>"),
        ("one.xhtml", one.as_bytes()),
        ("links.xhtml", links.as_bytes()),
        ("more.xhtml", b"<html><body><h1>Appendix</h1><p>It is 31 metres high.</p></body></html>"),
    ]);
    let document = read("guide.epub", &file).unwrap();
    let sections: Vec<_> =
        document.sections.iter().map(|section| (section.heading_path[0].as_str(), section.text.as_str())).collect();
    assert_eq!(document.title, "The tower");
    assert_eq!(
        sections,
        [
            ("The tower", "It has 120 steps. (Counted in May.) Climb it."),
            ("Sights", "- The tower of the old town\n- The mill"),
            ("Appendix", "It is 31 metres high."),
        ]
    );
}

#[test]
fn a_book_says_what_its_chapters_leave_out() {
    let file = zip(&[
        ("META-INF/container.xml", b"<container><rootfile full-path=\"b.opf\"/></container>"),
        (
            "b.opf",
            b"<package><manifest><item id=\"a\" href=\"a.xhtml\"/><item id=\"b\" href=\"b.xhtml\"/></manifest>
              <spine><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>",
        ),
        ("a.xhtml", b"<html><body><h1>Fees</h1><p>It costs <del>80</del> 70 euros.</p></body></html>"),
        (
            "b.xhtml",
            b"<html><body><h1>Hours</h1><p>We open at <s>8</s> <s>9</s> 10.</p><p hidden=\"\">Draft</p></body></html>",
        ),
    ]);
    let document = read("guide.epub", &file).unwrap();
    assert_eq!(document.sections[0].text, "It costs 70 euros.");
    assert_eq!(
        document.omissions.into_iter().collect::<Vec<_>>(),
        [(Omission::StruckText, 3), (Omission::HiddenText, 1)]
    );
}
