//! Numbers of tables with their rows and columns: what a table says of one column, a model says easily of the next one.

use std::collections::HashSet;

use super::stems::Stems;
use crate::generate::{
    language::Language,
    numbers::forms,
    table::cells,
    units::{Kind, Unit},
};

/// The numbers of the tables of a passage, and where else it has numbers.
#[derive(Debug, Default)]
pub(super) struct Tables {
    cells: Vec<Cell>,
    /// Numbers outside of cells with a label: of sentences, headers and the first column.
    others: HashSet<String>,
}

#[derive(Debug)]
struct Cell {
    /// The place of its table, its row and its column.
    table: usize,
    row: usize,
    column: usize,
    /// The words of the first cell of its row, and of the header of its column.
    label: Vec<String>,
    header: Vec<String>,
    numbers: Vec<String>,
}

impl Tables {
    pub(super) fn of(units: &[Unit<'_>], language: &Language) -> Self {
        let mut tables = Self::default();
        let (mut head, mut table) = ("", 0);
        for (row, unit) in units.iter().enumerate() {
            if unit.kind != Kind::Row {
                tables.others.extend(forms(unit.text));
                continue;
            }
            if unit.head != head {
                (head, table) = (unit.head, table + 1);
            }
            tables.add(unit, (table, row), language);
        }
        tables
    }

    fn add(&mut self, unit: &Unit<'_>, (table, row): (usize, usize), language: &Language) {
        let heads = cells(unit.head.lines().next().unwrap_or_default());
        let values = cells(unit.text);
        let label = values.first().cloned().unwrap_or_default();
        self.others.extend(forms(&label));
        for (column, value) in values.iter().enumerate().skip(1) {
            let head = heads.get(column).map(String::as_str).unwrap_or_default();
            self.others.extend(forms(head));
            let cell = Cell {
                table,
                row,
                column,
                label: language.stems(&label),
                header: language.stems(head),
                numbers: forms(value).collect(),
            };
            // A dash says that there is no number.
            let counts = !cell.numbers.is_empty() || !value.contains(char::is_alphanumeric);
            self.cells.extend(Some(cell).filter(|_| counts));
        }
    }

    /// Whether a sentence has a number that the passage has in cells alone, and names another row or column of the table better
    /// than those of the number.
    pub(super) fn misplace(&self, sentence: &str, language: &Language) -> bool {
        if self.cells.is_empty() {
            return false;
        }
        let sentence_stems = Stems::of(sentence, language);
        let share = |label: &[String]| {
            label.iter().filter(|stem| sentence_stems.has(stem)).count() as f32 / label.len().max(1) as f32
        };
        let is_in_place = |cell: &Cell| {
            let others = || self.cells.iter().filter(|other| other.table == cell.table);
            let mut columns = others().filter(|other| other.row == cell.row && other.column != cell.column);
            let mut rows = others().filter(|other| other.column == cell.column && other.row != cell.row);
            columns.all(|other| share(&other.header) <= share(&cell.header))
                && rows.all(|other| share(&other.label) <= share(&cell.label))
        };
        forms(sentence).filter(|form| !self.others.contains(form)).any(|form| {
            let mut holding = self.cells.iter().filter(|cell| cell.numbers.contains(&form)).peekable();
            holding.peek().is_some() && !holding.any(is_in_place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::units::units;

    const FEES: &str = "| Leistung | B | A1 | Mofa |\n|---|---|---|---|\n| Grundbetrag | 290 € | 290 € | 120 € |\n| Vorstellung zur \
                        theoretischen Prüfung | 60 € | 60 € | – |\n| Vorstellung zur praktischen Prüfung | 195 € | 210 € | – |\n\nEine \
                        Fahrstunde kostet 54 €.";
    const VET: &str = "| Service | Dog | Cat | Rabbit |\n|---|---|---|---|\n| Consultation | £46 | £46 | £38 |\n| Yearly booster | £58 | £54 \
                       | £49 |\n| Neutering, male | £245 | £92 | £88 |\n| Neutering, female | £330 | £118 | £120 |";

    fn misplaces(sentence: &str, passage: &str, code: &str) -> bool {
        let language = Language::of(code);
        Tables::of(&units(passage), language).misplace(sentence, language)
    }

    #[test]
    fn a_number_of_another_row_or_column_is_out_of_place() {
        for (sentence, passage, code) in [
            ("Die Vorstellung zur praktischen Prüfung bei A1 kostet 195 €.", FEES, "de"),
            ("Die Vorstellung zur theoretischen Prüfung bei A1 kostet 210 €.", FEES, "de"),
            ("Der Grundbetrag beim Mofa ist 290 €.", FEES, "de"),
            ("Die Vorstellung zur theoretischen Prüfung beim Mofa kostet 60 €.", FEES, "de"),
            ("A booster for a cat costs £58.", VET, "en"),
            ("A consultation for a rabbit costs £46.", VET, "en"),
            ("Neutering a male rabbit costs £120.", VET, "en"),
        ] {
            assert!(misplaces(sentence, passage, code), "{sentence}");
        }
    }

    #[test]
    fn a_number_at_its_row_and_column_is_in_place() {
        for (sentence, passage, code) in [
            ("Die Vorstellung zur praktischen Prüfung bei A1 kostet 210 €.", FEES, "de"),
            ("Die praktische Prüfung kostet 195 € bei B und 210 € bei A1.", FEES, "de"),
            ("Der Grundbetrag ist 290 €.", FEES, "de"),
            ("Eine Fahrstunde bei A1 kostet 54 €.", FEES, "de"),
            ("A booster for a cat costs £54.", VET, "en"),
            ("Getting a bitch spayed costs £330.", VET, "en"),
            ("It costs £92.", VET, "en"),
            ("A consultation costs £46 for a dog or a cat.", VET, "en"),
            ("Open at nine.", "Open at nine.", "en"),
        ] {
            assert!(!misplaces(sentence, passage, code), "{sentence}");
        }
    }
}
