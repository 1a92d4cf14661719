//! The output filter's audit: its events and their export.

pub mod events;
pub mod export;
