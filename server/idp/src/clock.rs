//! Time as a value that is handed in, so that tests move the clock instead of sleeping.

use std::sync::Arc;

use chrono::{DateTime, Utc};

/// Gives the current time. Everything that expires asks this and nothing else.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// The clock of the machine.
#[must_use]
pub fn system() -> Clock {
    Arc::new(Utc::now)
}
