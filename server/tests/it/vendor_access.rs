//! Vendor logins.
