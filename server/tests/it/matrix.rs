//! The generated isolation matrix.
