//! Permits that are counted by holder, for the limits of this process.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use parking_lot::Mutex;

/// How many permits each holder has at the moment.
#[derive(Debug)]
pub(super) struct Permits<K>(Arc<Mutex<HashMap<K, usize>>>);

/// A permit; dropping it returns it.
#[derive(Debug)]
pub(super) struct Permit<K: Eq + Hash> {
    permits: Permits<K>,
    holder: K,
}

impl<K> Default for Permits<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K> Clone for Permits<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Eq + Hash + Clone> Permits<K> {
    /// Takes a permit if `check` allows it, which gets the numbers of permits by holder.
    ///
    /// # Errors
    /// The errors of `check`.
    pub(super) fn take<E>(
        &self,
        holder: K,
        check: impl FnOnce(&HashMap<K, usize>) -> Result<(), E>,
    ) -> Result<Permit<K>, E> {
        let mut counts = self.0.lock();
        check(&counts)?;
        *counts.entry(holder.clone()).or_default() += 1;
        Ok(Permit { permits: self.clone(), holder })
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}

impl<K: Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut counts = self.permits.0.lock();
        if let Some(own) = counts.get_mut(&self.holder) {
            *own -= 1;
        }
        counts.retain(|_, own| *own > 0);
    }
}
