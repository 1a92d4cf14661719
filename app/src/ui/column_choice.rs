//! Lets users hide columns of a table. The choice is stored in this browser for the signed-in user, because the API's
//! preferences contain the theme only.

use leptos::prelude::*;

use super::{Column, Icon, IconName, Menu, MenuItem};
use crate::{i18n::texts, session::Session, storage};

/// The hidden columns of one table.
#[derive(Debug, Clone, Copy)]
pub struct ColumnChoice {
    key: StoredValue<String>,
    hidden: RwSignal<Vec<String>>,
}

impl ColumnChoice {
    /// The signed-in user's choice for `table`, a name that no other table of the console has.
    pub fn of(table: &'static str) -> Self {
        Self::without(table, "")
    }

    /// Like [`of`](Self::of), but with comma-separated columns of `left_out` hidden until the user chooses.
    pub fn without(table: &'static str, left_out: &str) -> Self {
        Self::stored(format!("svc_columns:{}:{table}", Session::get().username()), left_out)
    }

    fn stored(key: String, left_out: &str) -> Self {
        let text = storage::read(storage::local(), &key).unwrap_or_else(|| left_out.to_owned());
        let hidden = text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Self { key: StoredValue::new(key), hidden: RwSignal::new(hidden) }
    }

    /// Whether a column is visible, tracked.
    pub fn shows(self, column: &str) -> bool {
        self.hidden.with(|hidden| hidden.iter().all(|name| name != column))
    }

    fn toggle(self, column: &'static str) {
        self.hidden.update(|hidden| match hidden.iter().position(|name| name == column) {
            Some(index) => drop(hidden.remove(index)),
            None => hidden.push(column.to_owned()),
        });
        let text = self.hidden.with_untracked(|hidden| hidden.join(","));
        self.key.with_value(|key| storage::put(storage::local(), key, &text));
    }
}

/// The menu that shows and hides columns.
#[component]
pub fn ColumnMenu(
    choice: ColumnChoice,
    /// The table's columns; optional ones are offered.
    columns: Vec<Column>,
) -> impl IntoView {
    let items: Vec<_> = columns
        .into_iter()
        .filter_map(|column| column.optional_key().map(|key| (key, column)))
        .map(|(key, column)| {
            let checked = Signal::derive(move || choice.shows(key));
            view! {
                <MenuItem checked=checked several=true on_select=move |()| choice.toggle(key)>
                    {column.label()}
                </MenuItem>
            }
        })
        .collect();
    let trigger = || view! { <Icon name=IconName::TableColumns /><span>{texts::COLUMNS.t()}</span> };
    view! { <Menu label=texts::COLUMNS end=true trigger=trigger.into()>{items}</Menu> }
}
