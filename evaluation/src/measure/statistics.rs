//! Statistics of an evaluation: how well scores separate two groups, and confidence intervals.

/// Random samples for each confidence interval.
const SAMPLES: usize = 1000;

/// The area under the curve of a refusal by score: the probability that an answerable question has a higher score than
/// an unanswerable one; equal scores count half. 0.5 is chance; `None` when one of the groups is empty.
pub(super) fn auc(answerable: &[f32], unanswerable: &[f32]) -> Option<f64> {
    let pairs = answerable.len() * unanswerable.len();
    let won = |high: f32, low: f32| match high.total_cmp(&low) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let sum: f64 = answerable.iter().flat_map(|high| unanswerable.iter().map(move |low| won(*high, *low))).sum();
    #[allow(clippy::cast_precision_loss, reason = "pairs of some hundred questions")]
    (pairs > 0).then(|| sum / pairs as f64)
}

/// The middle 95 % of a figure over samples of the items, drawn with replacement (percentile bootstrap). The draws are
/// deterministic. `None` when the figure has no value for most samples.
pub(super) fn interval<T: Copy>(items: &[T], figure: impl Fn(&[T]) -> Option<f64>) -> Option<(f64, f64)> {
    let mut random = SplitMix64(0x5eed);
    let mut values: Vec<f64> = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        let sample: Vec<T> = (0..items.len()).filter_map(|_| items.get(random.below(items.len())).copied()).collect();
        values.extend(figure(&sample));
    }
    values.sort_by(f64::total_cmp);
    let at = |part: usize| values.get((values.len() * part / 1000).min(values.len().saturating_sub(1))).copied();
    if values.len() * 2 > SAMPLES { Some((at(25)?, at(975)?)) } else { None }
}

/// A small generator with a fixed sequence, which no dependency's version changes.
pub(super) struct SplitMix64(pub(super) u64);

impl SplitMix64 {
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A number below `bound`; 0 when `bound` is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        #[allow(clippy::cast_possible_truncation, reason = "the product's high half is below the bound")]
        let number = ((u128::from(mixed) * bound as u128) >> 64) as usize;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auc_is_one_when_scores_part_the_groups_and_a_half_by_chance() {
        assert_eq!(auc(&[0.9, 0.8], &[0.1, 0.2]), Some(1.0));
        assert_eq!(auc(&[0.1], &[0.9]), Some(0.0));
        assert_eq!(auc(&[0.5, 0.5], &[0.5]), Some(0.5));
        assert_eq!(auc(&[0.9, 0.3], &[0.5]), Some(0.5));
        assert_eq!(auc(&[0.9], &[]), None);
    }

    #[test]
    fn an_interval_holds_the_figure_and_narrows_with_more_items() {
        #[allow(clippy::cast_precision_loss, reason = "few items")]
        let mean = |sample: &[u32]| Some(sample.iter().map(|x| f64::from(*x)).sum::<f64>() / sample.len() as f64);
        let width = |count: usize| {
            let items: Vec<u32> = (0..count).map(|number| u32::from(number % 2 == 0)).collect();
            let (low, high) = interval(&items, mean).unwrap();
            assert!(low < 0.5 && 0.5 < high, "{low} {high}");
            high - low
        };
        assert!(width(400) < width(40) / 2.0);
        assert_eq!(interval(&[1_u32, 0, 1], mean), interval(&[1_u32, 0, 1], mean), "the same draws");
    }

    #[test]
    fn nothing_has_no_interval() {
        assert_eq!(interval(&[] as &[u32], |sample: &[u32]| sample.first().map(|x| f64::from(*x))), None);
    }
}
