//! What the widget's calls need before their tenant is known, and the record of where they come from.

pub mod lookup;
pub mod origins;
