//! The widget's lookups before the tenant is known, and the record of origins.

pub mod lookup;
pub mod origins;
