//! The quotas of the classes of callers.

use std::time::Duration;

use crate::config::RateLimitConfig;

/// A token bucket: `burst` requests at once, then `per_second`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    per_second: u32,
    burst: u32,
}

impl Quota {
    /// A bucket of `burst` tokens (at least 1), refilled with `per_second` tokens; `None`, which is unlimited, for 0.
    #[must_use]
    pub fn new(per_second: u32, burst: u32) -> Option<Self> {
        (per_second > 0).then_some(Self { per_second, burst: burst.max(1) })
    }

    /// The quota of a whole site of IPv6 clients: eight times that of one client.
    pub(super) const fn of_site(self) -> Self {
        Self { per_second: self.per_second.saturating_mul(8), burst: self.burst.saturating_mul(8) }
    }

    /// The time in which one token flows in.
    pub(super) fn interval(self) -> Duration {
        Duration::from_secs(1) / self.per_second
    }

    /// Requests at once.
    pub(super) const fn burst(self) -> u32 {
        self.burst
    }

    /// Requests that can be sent at once when the bucket is full again after `ahead`.
    pub(super) fn remaining(self, ahead: Duration) -> u32 {
        let used = ahead.as_nanos().div_ceil(self.interval().as_nanos().max(1));
        self.burst.saturating_sub(u32::try_from(used).unwrap_or(u32::MAX))
    }

    /// How far a caller may be ahead of the steady rate.
    pub(super) fn tolerance(self) -> Duration {
        self.interval() * (self.burst - 1)
    }
}

/// The quota of each class; `None` is unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// Calls of public endpoints, per client address.
    pub public: Option<Quota>,
    /// Questions of visitors, per client address and chatbot.
    pub visitor: Option<Quota>,
    /// Questions of visitors, per chatbot.
    pub chatbot: Option<Quota>,
    /// Feedback of visitors, per chatbot.
    pub feedback: Option<Quota>,
    /// Calls with a good token, per principal.
    pub principal: Option<Quota>,
    /// Tokens with a wrong signature, per client address.
    pub failed: Option<Quota>,
}

impl RateLimits {
    /// The limits of the configuration.
    #[must_use]
    pub fn of(config: &RateLimitConfig) -> Self {
        // A rate above the burst means that at least one second's calls may come together.
        let quota = |per_second: u32, burst: u32| Quota::new(per_second, burst.max(per_second));
        Self {
            public: quota(config.public_per_second, config.public_burst),
            visitor: quota(config.visitor_per_second, config.visitor_burst),
            chatbot: quota(config.chatbot_per_second, config.chatbot_burst),
            feedback: quota(config.feedback_per_second, config.feedback_burst),
            principal: quota(config.principal_per_second, config.principal_burst),
            failed: quota(config.failed_per_second, config.failed_burst),
        }
    }
}
