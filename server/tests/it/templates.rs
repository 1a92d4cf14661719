//! Templates: their life and their clones.
