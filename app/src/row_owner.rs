//! The reactive owner of the rows of a list that grows while it is edited. Without it, a row created in a click handler
//! would be disposed with the handler.

use leptos::prelude::*;

/// The owner under which the rows of a list are created.
#[derive(Debug, Clone, Copy)]
pub struct RowOwner(StoredValue<Owner>);

impl RowOwner {
    /// The owner that is current when the list is created.
    pub fn current() -> Self {
        Self(StoredValue::new(Owner::current().expect("a list is made under an owner")))
    }

    /// Runs `make` so that its result lives as long as the list.
    pub fn make<T>(self, make: impl FnOnce() -> T) -> T {
        self.0.get_value().with(make)
    }
}
