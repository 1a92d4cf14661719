//! HTML and EPUB.

use super::{rows, zip};
use crate::fidelity::model::{Cell, Look, Part, Sample, Table, runs};

fn text(text: &str) -> String {
    let run = |(look, text): (Look, String)| match look {
        Look::Plain => text,
        Look::Raised => format!("<sup>{text}</sup>"),
        Look::Struck => format!("<s>{text}</s>"),
        Look::Hidden => format!("<span style=\"display:none\">{text}</span>"),
        Look::Note => format!(" ({text})"),
    };
    runs(text).into_iter().map(run).collect()
}

fn table(table: &Table) -> String {
    let cell = |cell: &Cell, is_header: bool| {
        let tag = if is_header { "th" } else { "td" };
        let span = |name: &str, count: usize| if count > 1 { format!(" {name}=\"{count}\"") } else { String::new() };
        format!(
            "<{tag}{}{}>{}</{tag}>",
            span("colspan", cell.columns),
            span("rowspan", cell.rows),
            cell.text.replace('\n', "<br>")
        )
    };
    let rows = rows(table, cell, "tr");
    let whole = format!("<table>{rows}</table>");
    if table.is_nested { format!("<table><tr><td>{whole}</td></tr></table>") } else { whole }
}

fn body(sample: &Sample) -> String {
    let part = |part: &Part| match part {
        Part::Heading(heading) => format!("<h2>{heading}</h2>"),
        Part::Text(paragraph) => format!("<p>{}</p>", text(paragraph)),
        Part::Items(items) => {
            format!("<ul>{}</ul>", items.iter().map(|item| format!("<li>{item}</li>")).collect::<String>())
        }
        Part::Table(one) => table(one),
        Part::Beside(one, other) => {
            format!("<table><tr><td>{}</td><td>{}</td></tr></table>", table(one), table(other))
        }
    };
    sample.parts.iter().map(part).collect()
}

/// A page with what surrounds the text of most pages.
pub(crate) fn html(sample: &Sample) -> Option<Vec<u8>> {
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title></head><body>\
         <nav><a href=\"/\">navhome</a> <a href=\"/a\">navabout</a></nav><div class=\"content\">{}</div>\
         <footer><a href=\"/i\">footimprint</a></footer></body></html>",
        sample.name,
        body(sample)
    );
    Some(page.into_bytes())
}

pub(crate) fn epub(sample: &Sample) -> Option<Vec<u8>> {
    let container = "<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\
        <rootfile full-path=\"b.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
    let package = format!(
        "<package version=\"3.0\" xmlns=\"http://www.idpf.org/2007/opf\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><metadata><dc:title>{}</dc:title></metadata><manifest>\
         <item id=\"one\" href=\"one.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"one\"/></spine></package>",
        sample.name
    );
    let chapter = format!(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>x</title></head><body>{}</body></html>",
        body(sample)
    );
    let files = [
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("b.opf", &package),
        ("one.xhtml", &chapter),
    ];
    Some(zip(&files.map(|(path, content)| (path.to_owned(), content.to_owned()))))
}
