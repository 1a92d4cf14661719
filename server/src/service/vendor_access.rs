//! Copies vendor logins from the identity provider's events.
