//! The owner of the rows of a list that grows while it is edited: what is made while a button is pressed would otherwise end
//! with the button.

use leptos::prelude::*;

/// The owner that the rows of a list are made under.
#[derive(Debug, Clone, Copy)]
pub struct RowOwner(StoredValue<Owner>);

impl RowOwner {
    /// The owner that is current while the list is made.
    pub fn current() -> Self {
        Self(StoredValue::new(Owner::current().expect("a list is made under an owner")))
    }

    /// What `make` gives, as long-lived as the list.
    pub fn make<T>(self, make: impl FnOnce() -> T) -> T {
        self.0.get_value().with(make)
    }
}
