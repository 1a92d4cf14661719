//! What a page holds while its language changes. Pages are built anew then, because texts are plain strings; what somebody
//! has typed and not saved lives outside of them, and the new page takes it up. It ends with the page that is left.

use std::{
    any::Any,
    cell::{Cell, RefCell},
};

use leptos::prelude::*;

use crate::i18n;

struct Entry {
    number: u32,
    /// The page's address.
    path: String,
    value: Box<dyn Any>,
    /// A page stands that shows it.
    is_shown: bool,
    /// Owns the value's signals.
    owner: Owner,
}

/// Where a list that grows makes the fields of its new rows, so that they live as long as the list: what is made while a
/// button is pressed would end with the button.
#[derive(Debug, Clone, Copy)]
pub struct Home(StoredValue<Owner>);

impl Home {
    /// The owner that is current while the list is made.
    pub fn here() -> Self {
        Self(StoredValue::new(Owner::current().expect("a list is made under an owner")))
    }

    /// What `make` gives, as long-lived as the list.
    pub fn make<T>(self, make: impl FnOnce() -> T) -> T {
        self.0.get_value().with(make)
    }
}

thread_local! {
    static ENTRIES: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// What `make` gives, or what it gave when this page stood there in the other language: the same signals with what was
/// typed into them. A page has one value of a type. `make` runs under an owner that lives as long as the value.
pub fn kept<T: Clone + 'static>(make: impl FnOnce() -> T) -> T {
    let path = location().pathname().unwrap_or_default();
    forget(|entry| !entry.is_shown && entry.path != path);
    let (number, value) = taken_up().unwrap_or_else(|| store(path, make));
    let language = i18n::current();
    on_cleanup(move || {
        if i18n::current() == language {
            forget(|entry| entry.number == number);
        } else {
            // A page that a link led to was built before its address stood there.
            let path = location().pathname().unwrap_or_default();
            ENTRIES.with_borrow_mut(|entries| {
                if let Some(entry) = entries.iter_mut().find(|entry| entry.number == number) {
                    entry.is_shown = false;
                    entry.path = path;
                }
            });
        }
    });
    value
}

/// The value of the page as it stood before, which nobody shows now.
fn taken_up<T: Clone + 'static>() -> Option<(u32, T)> {
    ENTRIES.with_borrow_mut(|entries| {
        let entry = entries.iter_mut().find(|entry| !entry.is_shown && entry.value.is::<T>())?;
        entry.is_shown = true;
        Some((entry.number, entry.value.downcast_ref::<T>()?.clone()))
    })
}

fn store<T: Clone + 'static>(path: String, make: impl FnOnce() -> T) -> (u32, T) {
    let page = Owner::current();
    let owner = Owner::new_root(None);
    let value = owner.with(make);
    // A new root takes the place of the current owner.
    if let Some(page) = page {
        page.set();
    }
    let number = LAST.get() + 1;
    LAST.set(number);
    let entry = Entry { number, path, value: Box::new(value.clone()), is_shown: true, owner };
    ENTRIES.with_borrow_mut(|entries| entries.push(entry));
    (number, value)
}

fn forget(which: impl Fn(&Entry) -> bool) {
    let gone: Vec<_> = ENTRIES.with_borrow_mut(|entries| entries.extract_if(.., |entry| which(entry)).collect());
    // Outside of the borrow: what ends may run anything. A value may hold its own owner, so dropping is not enough.
    gone.iter().for_each(|entry| entry.owner.cleanup());
}
