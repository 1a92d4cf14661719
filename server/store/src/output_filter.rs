//! What the output filter caught.
