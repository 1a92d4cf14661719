//! Logins of vendors.
