//! How much a class of callers may ask.

use std::time::Duration;

use crate::config::RateLimitConfig;

/// A token bucket: `burst` requests at once, then `per_second`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    per_second: u32,
    burst: u32,
}

impl Quota {
    /// A bucket of `burst` tokens (at least 1) that `per_second` tokens flow into; `None`, which is no limit, for 0.
    #[must_use]
    pub fn new(per_second: u32, burst: u32) -> Option<Self> {
        (per_second > 0).then_some(Self { per_second, burst: burst.max(1) })
    }

    /// The time in which one token flows in.
    pub(super) fn interval(self) -> Duration {
        Duration::from_secs(1) / self.per_second
    }

    /// How far ahead of the steady flow a caller may be and still get a token.
    pub(super) fn tolerance(self) -> Duration {
        self.interval() * (self.burst - 1)
    }
}

/// The quota of each class; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// Calls of public endpoints, per client address.
    pub public: Option<Quota>,
    /// Questions of visitors, per chatbot.
    pub chatbot: Option<Quota>,
    /// Calls with a good token, per principal.
    pub principal: Option<Quota>,
    /// Calls without one where one is needed, per client address.
    pub failed: Option<Quota>,
}

impl RateLimits {
    /// The limits of the configuration.
    #[must_use]
    pub fn of(config: &RateLimitConfig) -> Self {
        Self {
            public: Quota::new(config.public_per_second, config.public_burst),
            chatbot: Quota::new(config.chatbot_per_second, config.chatbot_burst),
            principal: Quota::new(config.principal_per_second, config.principal_burst),
            failed: Quota::new(config.failed_per_second, config.failed_burst),
        }
    }
}
