//! Retention of the audit log.
