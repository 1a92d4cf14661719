//! The clock as a parameter, so that tests move it instead of sleeping.

use std::sync::Arc;

use chrono::{DateTime, Utc};

/// Returns the current time. Everything that expires uses it.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// The clock of the machine.
#[must_use]
pub fn system() -> Clock {
    Arc::new(Utc::now)
}
