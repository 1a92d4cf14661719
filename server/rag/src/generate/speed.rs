//! Measures how fast an endpoint reads prompts: from what it says, from the times of its first words, and from those that
//! did not come.

use std::time::Duration;

use parking_lot::Mutex;

use super::events::Usage;

/// Minimum tokens read for a meaningful measurement.
const MIN_TOKENS: u32 = 100;
/// Weight of a new measurement against the earlier ones.
const WEIGHT: f32 = 0.3;

/// The speed of one endpoint.
#[derive(Debug, Default)]
pub(super) struct Speed(Mutex<Option<Learned>>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Learned {
    /// Tokens of a prompt read per second.
    per_second: f32,
    /// The endpoint's tokens per estimated token.
    ratio: f32,
}

impl Speed {
    /// Records an answer whose prompt was read in `time`; `estimated` is the estimated length of that prompt in tokens.
    pub(super) fn observe(&self, usage: Usage, estimated: u32, time: Duration) {
        let read = usage.prompt.saturating_sub(usage.cached);
        let seconds = time.as_secs_f32();
        if read < MIN_TOKENS || estimated == 0 || seconds <= 0.0 {
            return;
        }
        #[allow(clippy::cast_precision_loss, reason = "a prompt has some thousand tokens")]
        let now = Learned { per_second: read as f32 / seconds, ratio: usage.prompt as f32 / estimated as f32 };
        let mut learned = self.0.lock();
        let mix = |old: f32, new: f32| old + WEIGHT * (new - old);
        *learned = Some(learned.map_or(now, |old| Learned {
            per_second: mix(old.per_second, now.per_second),
            ratio: mix(old.ratio, now.ratio),
        }));
    }

    /// Records that no word came within `waited`, so that the endpoint reads at most `estimated` tokens in that time. An
    /// endpoint without an answer in time would otherwise get prompts of the same length again and again.
    pub(super) fn observe_silence(&self, estimated: u32, waited: Duration) {
        #[allow(clippy::cast_precision_loss, reason = "a prompt has some thousand tokens")]
        let most = estimated as f32 / waited.as_secs_f32().max(f32::MIN_POSITIVE);
        let mut learned = self.0.lock();
        let old = learned.unwrap_or(Learned { per_second: f32::MAX, ratio: 1.0 });
        *learned = Some(Learned { per_second: old.per_second.min(most * old.ratio), ..old });
    }

    /// Estimated tokens that are read within a time; `None` before the first measurement.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of tokens, not negative")]
    pub(super) fn tokens_within(&self, time: Duration) -> Option<usize> {
        let learned = (*self.0.lock())?;
        Some((learned.per_second * time.as_secs_f32() / learned.ratio.max(0.1)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_learned_from_tokens_outside_of_the_cache() {
        let speed = Speed::default();
        let ten = Duration::from_secs(10);
        let usage = |prompt, cached| Usage { prompt, cached, answer: 20 };
        assert_eq!(speed.tokens_within(ten), None);
        speed.observe(usage(300, 250), 300, ten);
        assert_eq!(speed.tokens_within(ten), None, "50 tokens say nothing");
        speed.observe(usage(750, 250), 500, ten);
        assert_eq!(speed.tokens_within(ten), Some(333), "50 a second, one and a half for each that is estimated");
        for _ in 0..30 {
            speed.observe(usage(1250, 250), 1250, ten);
        }
        assert!(speed.tokens_within(ten).is_some_and(|tokens| (990..=1000).contains(&tokens)));
    }

    #[test]
    fn an_endpoint_without_a_word_in_time_gets_shorter_prompts() {
        let (speed, ten) = (Speed::default(), Duration::from_secs(10));
        speed.observe_silence(900, Duration::from_secs(20));
        assert_eq!(speed.tokens_within(ten), Some(450));
        speed.observe_silence(900, ten);
        assert_eq!(speed.tokens_within(ten), Some(450), "it is no faster than it was");
        speed.observe(Usage { prompt: 1000, cached: 0, answer: 20 }, 1000, Duration::from_secs(1));
        assert!(speed.tokens_within(ten).is_some_and(|tokens| tokens > 3000), "an answer shows that it is faster");
    }
}
