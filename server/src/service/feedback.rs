//! Feedback of visitors.
