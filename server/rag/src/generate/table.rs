//! A table in words: answers are shown in narrow windows, by programs that know lists but no tables.

/// The rows of a table as a list, each with the heads of its columns: `- **Basic**: price: 10; seats: 3`. A table without rows
/// stays as it is.
pub(super) fn as_list(table: &str) -> String {
    let mut rows = table.lines().map(cells);
    let head = rows.next().unwrap_or_default();
    // The line below the head only draws the rule.
    let items: Vec<String> = rows.skip(1).filter_map(|row| item(&head, &row)).collect();
    if items.is_empty() { table.to_owned() } else { items.join("\n") }
}

/// The text with each of its tables as a list. Bars in code stay.
pub fn with_lists(text: &str) -> String {
    let (mut out, mut table, mut in_code) = (Vec::new(), Vec::new(), false);
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        if line.starts_with('|') && !in_code {
            table.push(line);
            continue;
        }
        end_table(&mut table, &mut out);
        out.push(line.to_owned());
    }
    end_table(&mut table, &mut out);
    out.join("\n")
}

/// Adds the lines that begin with a bar as a list, if the second one draws the rule of a table.
fn end_table(table: &mut Vec<&str>, out: &mut Vec<String>) {
    let draws_rule =
        |line: &&str| line.contains('-') && line.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '));
    if table.get(1).is_some_and(draws_rule) {
        out.push(as_list(&table.join("\n")));
    } else {
        out.extend(table.iter().map(|line| (*line).to_owned()));
    }
    table.clear();
}

/// The cells of a line, without the bars around them.
pub(super) fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let (mut cells, mut cell, mut is_escaped) = (Vec::new(), String::new(), false);
    for character in line.chars() {
        match character {
            '|' if !is_escaped => cells.push(std::mem::take(&mut cell)),
            '|' => {
                cell.pop();
                cell.push('|');
            }
            _ => cell.push(character),
        }
        is_escaped = character == '\\';
    }
    cells.push(cell);
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// A row as an item of a list; none when it is empty.
pub(super) fn item(head: &[String], row: &[String]) -> Option<String> {
    let named = |(column, cell): (usize, &String)| {
        let head = head.get(column).filter(|head| !head.is_empty());
        (!cell.is_empty()).then(|| head.map_or_else(|| cell.clone(), |head| format!("{head}: {cell}")))
    };
    let mut parts: Vec<String> = row.iter().enumerate().skip(1).filter_map(named).collect();
    let first = row.first().filter(|cell| !cell.is_empty()).map(|cell| strong(cell));
    match (first, parts.is_empty()) {
        (None, true) => None,
        (Some(first), true) => Some(format!("- {first}")),
        (Some(first), false) => Some(format!("- {first}: {}", parts.join("; "))),
        (None, false) => Some(format!("- {}", std::mem::take(&mut parts).join("; "))),
    }
}

/// The cell in strong print, unless it has marks of its own.
fn strong(cell: &str) -> String {
    if cell.contains(['*', '_', '`', '[']) { cell.to_owned() } else { format!("**{cell}**") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_items_with_the_heads_of_their_columns() {
        let table = "| Plan | Price | Seats |\n|---|---|---|\n| Basic | 10 | 3 |\n| `Pro` | 20 |  |\n|  | 30 | 9 |";
        assert_eq!(as_list(table), "- **Basic**: Price: 10; Seats: 3\n- `Pro`: Price: 20\n- Price: 30; Seats: 9");
    }

    #[test]
    fn bars_inside_of_cells_stay() {
        assert_eq!(as_list("| Key | Use |\n|---|---|\n| a\\|b | this \\| that |"), "- **a|b**: Use: this | that");
    }

    #[test]
    fn each_table_of_a_text_becomes_a_list() {
        let text = "Prices:\n\n| Plan | Price |\n|---|---|\n| Basic | 10 |\n\nWith tax.\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n| lone |";
        let list =
            "Prices:\n\n- **Basic**: Price: 10\n\nWith tax.\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n| lone |";
        assert_eq!(with_lists(text), list);
        assert_eq!(with_lists(""), "");
    }

    #[test]
    fn a_table_without_rows_stays() {
        let table = "| Plan | Price |\n|---|---|";
        assert_eq!(as_list(table), table);
        assert_eq!(as_list(""), "");
    }
}
