//! Moves audit rows past their retention into the archive.
