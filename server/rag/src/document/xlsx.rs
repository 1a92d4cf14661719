//! XLSX to sections: tables for each visible sheet, as a spreadsheet program shows them, and what is drawn on it. Formulas have their stored value.

mod cells;
mod drawings;
mod sheet;

pub(super) use self::sheet::texts;
use self::{cells::Book, drawings::Drawings};
use super::{
    Content, Omission, Unreadable,
    builder::Builder,
    ooxml::{Package, relation_id},
    xml::{Format, attribute, is},
};

const FORMAT: Format = Format("XLSX");

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<Content, Unreadable> {
    let package = Package::open(FORMAT, bytes)?;
    let (workbook, path) = package.main("xl/workbook.xml", "workbook")?;
    let workbook = FORMAT.parse(&workbook)?;
    let relations = package.relations_of(&path)?;
    let sheets: Vec<_> = workbook.descendants().filter(|node| is(*node, "sheet")).collect();
    let is_visible = |state: Option<&str>| state.is_none_or(|state| state == "visible");
    let (visible, hidden): (Vec<_>, Vec<_>) =
        sheets.into_iter().partition(|sheet| is_visible(attribute(*sheet, "state")));
    let visible: Vec<(&str, &str)> = visible
        .into_iter()
        .filter_map(|sheet| {
            Some((attribute(sheet, "name").unwrap_or_default(), relations.path(relation_id(sheet, "id")?)?))
        })
        .collect();
    let texts = relations.of_kind("sharedStrings").unwrap_or("xl/sharedStrings.xml");
    let styles = relations.of_kind("styles").unwrap_or("xl/styles.xml");
    let mut parts = package.parts(visible.iter().map(|(_, path)| *path).chain([texts, styles]))?;
    let mut book = Book::read(&workbook, parts.take(texts), parts.take(styles))?;
    book.omit(Omission::HiddenSheets, hidden.len());
    let paths: Vec<&str> = visible.iter().map(|(_, path)| *path).collect();
    let mut drawings = Drawings::find(&package, &paths)?;
    let mut builder = Builder::default();
    for (number, (name, path)) in visible.into_iter().enumerate() {
        let Some(content) = parts.take(path) else { continue };
        let content = FORMAT.text(Some(content), "sheet")?;
        builder.text(name);
        builder.heading(1, None);
        sheet::read(&mut builder, &FORMAT.parse(&content)?, &mut book)?;
        drawings.read(&mut builder, number, &mut book)?;
    }
    Ok(Content { omissions: book.omissions, ..(package.title()?, builder.finish()).into() })
}
