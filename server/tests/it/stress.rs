//! Aborted requests and a restarting database.
