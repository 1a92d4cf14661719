//! The export of the output-filter audit.
