//! Bulk changes.
