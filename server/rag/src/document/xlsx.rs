//! XLSX to sections: tables for each visible sheet, as a spreadsheet program shows them. Formulas have their stored value.

mod cells;
mod format;
mod sheet;

use self::cells::Book;
pub(super) use self::{format::NumberFormat, sheet::texts};
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
    let (shown, hidden): (Vec<_>, Vec<_>) =
        sheets.into_iter().partition(|sheet| is_visible(attribute(*sheet, "state")));
    let shown: Vec<(&str, &str)> = shown
        .into_iter()
        .filter_map(|sheet| {
            Some((attribute(sheet, "name").unwrap_or_default(), relations.path(relation_id(sheet, "id")?)?))
        })
        .collect();
    let texts = relations.of_kind("sharedStrings").unwrap_or("xl/sharedStrings.xml");
    let styles = relations.of_kind("styles").unwrap_or("xl/styles.xml");
    let mut parts = package.parts(shown.iter().map(|(_, path)| *path).chain([texts, styles]))?;
    let mut book = Book::read(&workbook, parts.take(texts), parts.take(styles))?;
    book.omit(Omission::HiddenSheets, hidden.len());
    let mut builder = Builder::default();
    for (name, path) in shown {
        let Some(content) = parts.take(path) else { continue };
        let content = FORMAT.text(Some(content), "sheet")?;
        builder.text(name);
        builder.heading(1, None);
        sheet::read(&mut builder, &FORMAT.parse(&content)?, &mut book);
    }
    Ok(Content { omissions: book.omissions, ..(package.title()?, builder.finish()).into() })
}

/// A day number as year, month and day. Excel's day 60 of 1900 is February 29, which did not exist.
fn day(day: i64, from_1904: bool) -> String {
    let since_1970 = if from_1904 { day - 24_107 } else { day - 25_569 + i64::from(day < 60) };
    // Counts days in eras of 400 years that begin in March.
    let from_march = since_1970 + 719_468;
    let (era, of_era) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_excel_does() {
        assert_eq!(
            (day(1, false), day(61, false), day(45_000, false)),
            ("1900-01-01".into(), "1900-03-01".into(), "2023-03-15".into())
        );
        assert_eq!((day(0, true), format::number("0.30000000000000004")), ("1904-01-01".into(), "0.3".into()));
        assert_eq!((format::number("12"), format::number("1e300")), ("12".to_owned(), "1e300".to_owned()));
    }
}
