//! The speed of a batch of uploads, and its remaining time.

/// No estimate before this time, because the first files are not representative.
const WARM_UP_MS: f64 = 3_000.0;

/// The progress of a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files of the batch.
    pub files: usize,
    /// Files of the batch that have ended.
    pub done: usize,
    /// Bytes of the batch.
    pub bytes: u64,
    /// Bytes that were sent, or need not be sent.
    pub sent: u64,
}

impl Totals {
    /// The difference since an earlier state.
    pub const fn since(self, before: Self) -> Self {
        Self {
            files: self.files.saturating_sub(before.files),
            done: self.done.saturating_sub(before.done),
            bytes: self.bytes.saturating_sub(before.bytes),
            sent: self.sent.saturating_sub(before.sent),
        }
    }
}

/// The speed of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Files that end in a minute.
    pub files_per_minute: u64,
    /// The estimated time until all have ended.
    pub seconds_left: u64,
}

/// The speed after this many milliseconds; `None` before there is an estimate.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded for people to read"
)]
pub fn pace(of: Totals, elapsed_ms: f64) -> Option<Pace> {
    if elapsed_ms < WARM_UP_MS || of.done == 0 || of.done >= of.files {
        return None;
    }
    // Bytes dominate for large files, requests for small ones: use the slower estimate.
    let share_of_bytes = if of.bytes == 0 { 1.0 } else { of.sent as f64 / of.bytes as f64 };
    let share_of_files = of.done as f64 / of.files as f64;
    let share = share_of_bytes.min(share_of_files);
    if share <= 0.0 {
        return None;
    }
    let files_per_minute = (of.done as f64 * 60_000.0 / elapsed_ms).round() as u64;
    let seconds_left = (elapsed_ms * (1.0 - share) / share / 1_000.0).ceil() as u64;
    Some(Pace { files_per_minute, seconds_left })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slower_of_files_and_bytes_says_how_long_it_takes() {
        let of = Totals { files: 10, done: 5, bytes: 1_000, sent: 250 };
        assert_eq!(pace(of, 10_000.0), Some(Pace { files_per_minute: 30, seconds_left: 30 }));
        let of = Totals { sent: 900, ..of };
        assert_eq!(pace(of, 10_000.0), Some(Pace { files_per_minute: 30, seconds_left: 10 }));
    }

    #[test]
    fn nothing_is_said_too_early_or_at_the_end() {
        let of = Totals { files: 2, done: 1, bytes: 10, sent: 5 };
        assert_eq!(pace(of, 100.0), None);
        assert_eq!(pace(Totals { done: 0, ..of }, 10_000.0), None);
        assert_eq!(pace(Totals { done: 2, ..of }, 10_000.0), None);
    }
}
