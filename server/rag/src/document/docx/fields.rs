//! The fields of a DOCX: their results are text, their instructions are not.

use roxmltree::Node;

use super::{attribute, child, value};

/// The fields that are open in a paragraph, outermost first.
#[derive(Default)]
pub(super) struct Fields(Vec<Field>);

struct Field {
    is_instruction: bool,
    /// What a field of a form shows, unless its result says so.
    form_value: Option<String>,
}

impl Fields {
    /// Whether the text belongs to the instruction of a field, which can have the results of other fields.
    pub(super) fn is_instruction(&self) -> bool {
        self.0.iter().any(|field| field.is_instruction)
    }

    /// Notes that fields have a result.
    pub(super) fn has_result(&mut self) {
        self.0.iter_mut().for_each(|field| field.form_value = None);
    }

    /// Reads a mark of a field: its beginning, the one before its result, or its end. Returns what it shows.
    pub(super) fn mark(&mut self, mark: Node<'_, '_>) -> Option<String> {
        match attribute(mark, "fldCharType")? {
            "begin" => {
                self.0.push(Field { is_instruction: true, form_value: child(mark, "ffData").and_then(form_value) });
                None
            }
            "separate" => {
                self.0.last_mut()?.is_instruction = false;
                None
            }
            "end" => self.0.pop()?.form_value.filter(|_| !self.is_instruction()),
            _ => None,
        }
    }
}

/// The chosen entry of a list, or the box that is ticked or not.
fn form_value(data: Node<'_, '_>) -> Option<String> {
    if let Some(list) = child(data, "ddList") {
        let choice = child(list, "result").or_else(|| child(list, "default")).and_then(value);
        let choice = choice.and_then(|number| number.parse().ok()).unwrap_or(0);
        let mut entries = list.children().filter(|node| super::is(*node, "listEntry"));
        return entries.nth(choice).and_then(value).map(str::to_owned);
    }
    let ticked = child(data, "checkBox")?;
    let state = child(ticked, "checked").or_else(|| child(ticked, "default"));
    let is_ticked = state.is_some_and(|state| !matches!(value(state), Some("0" | "false" | "off")));
    Some(if is_ticked { "☒" } else { "☐" }.to_owned())
}
