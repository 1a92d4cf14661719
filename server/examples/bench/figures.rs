//! Computes and prints medians, percentiles and spreads.

use std::{sync::OnceLock, time::Duration};

/// Times of one kind of call, in microseconds.
#[derive(Debug, Default, Clone)]
pub(crate) struct Times(Vec<u32>);

impl Times {
    pub(crate) fn push(&mut self, time: Duration) {
        self.0.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The time in milliseconds that `percent` of the calls did not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted.get(last * percent / 100).map_or(f64::NAN, |micros| f64::from(*micros) / 1000.0)
    }

    /// The mean in milliseconds.
    pub(crate) fn mean(&self) -> f64 {
        let sum: f64 = self.0.iter().map(|micros| f64::from(*micros)).sum();
        #[allow(clippy::cast_precision_loss, reason = "a count of calls")]
        let count = self.0.len() as f64;
        sum / count / 1000.0
    }
}

/// Values of the same figure from several rounds.
#[derive(Debug, Clone)]
pub(crate) struct Rounds(Vec<f64>);

impl Rounds {
    pub(crate) fn median(&self) -> f64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// `median (least to most)` with `digits` decimals.
    pub(crate) fn show(&self, digits: usize) -> String {
        let (least, most) = (self.0.first().unwrap_or(&f64::NAN), self.0.last().unwrap_or(&f64::NAN));
        format!("{:.digits$} ({least:.digits$} to {most:.digits$})", self.median())
    }

    /// The rounds' values of `one` divided by those of `other`; both ran in the same rounds.
    pub(crate) fn ratio(one: &[f64], other: &[f64]) -> Self {
        one.iter().zip(other).map(|(one, other)| one / other).collect()
    }
}

impl FromIterator<f64> for Rounds {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }
}

/// Whether every benchmark is tiny, and shows only that it still works.
static SHORT: OnceLock<()> = OnceLock::new();
/// The defaults of the short mode.
const SHORT_SETTINGS: [(&str, u64); 6] = [
    ("BENCH_ROUNDS", 1),
    ("BENCH_MILLIS", 200),
    ("BENCH_CALLS", 2),
    ("BENCH_MESSAGES", 2000),
    ("BENCH_PASSAGES", 100),
    ("EXPORT_ROUNDS", 1),
];

/// Begins the short mode.
pub(crate) fn shorten() {
    SHORT.get_or_init(|| ());
}

pub(crate) fn is_short() -> bool {
    SHORT.get().is_some()
}

/// A size that is smaller in the short mode.
pub(crate) fn sized<T>(full: T, short: T) -> T {
    if is_short() { short } else { full }
}

/// A number from the environment, or the default.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    let short = SHORT_SETTINGS.iter().find(|(known, _)| is_short() && *known == name).map(|(_, value)| *value);
    std::env::var(name).ok().and_then(|text| text.parse().ok()).or(short).unwrap_or(default)
}

pub(crate) fn per_second(count: u64, time: Duration) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "counts of a benchmark")]
    let count = count as f64;
    count / time.as_secs_f64()
}
