//! The audit log as operators and vendors read it, and its archive.
