//! The audit log as operators and vendors read it.
