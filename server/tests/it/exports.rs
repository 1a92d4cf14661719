//! The CSV streams.
