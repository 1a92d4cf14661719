//! The process itself: rate limits, log and folders.

use std::path::PathBuf;

use crate::config::{
    ConfigError, LogFormat, Secret, Setting, Values,
    kind::{Kind, folder, log_filter, number, one_of, secret},
    setting::sections,
};

sections! {
    /// Rate limits: requests in one second on average, and in a burst.
    rate_limit: RateLimitConfig {
        /// Calls of the widget's endpoints per second from one client address (IPv6: one /64). 0 is no limit.
        public_per_second: u32 = "30", number(0..=100_000);
        /// Burst: this many at once, as when many visitors share an address.
        public_burst: u32 = "600", number(1..=1_000_000);
        /// Questions per second to one chatbot from one client address (IPv6: one /64). 0 is no limit.
        visitor_per_second: u32 = "3", number(0..=100_000);
        /// Burst: this many at once, as when a class asks behind one address.
        visitor_burst: u32 = "60", number(1..=1_000_000);
        /// Questions per second to one chatbot, from all clients. 0 is no limit.
        chatbot_per_second: u32 = "20", number(0..=100_000);
        /// Burst: this many at once.
        chatbot_burst: u32 = "200", number(1..=1_000_000);
        /// Ratings per second of one chatbot's answers, from all clients. 0 is no limit.
        feedback_per_second: u32 = "5", number(0..=100_000);
        /// Burst: this many at once.
        feedback_burst: u32 = "100", number(1..=1_000_000);
        /// Calls per second with tokens of one user. 0 is no limit.
        principal_per_second: u32 = "50", number(0..=100_000);
        /// Burst: this many at once.
        principal_burst: u32 = "500", number(1..=1_000_000);
        /// Tokens per second with a wrong signature from one client address; then its calls with a token that was not
        /// accepted lately wait. 0 is no limit.
        failed_per_second: u32 = "5", number(0..=100_000);
        /// Burst: this many at once.
        failed_burst: u32 = "100", number(1..=1_000_000);
    }

    /// Rate limits that several processes share.
    redis: RedisConfig {
        /// Redis (or Valkey) that several processes count requests in. Without one each process counts for itself.
        url: Option<Secret> = "",
            secret("an address such as redis://user:password@host:6379/0, or rediss:// with TLS", is_redis);
    }

    /// The log.
    logging: LoggingConfig {
        /// How log lines look.
        format: LogFormat = "text", one_of([("text", LogFormat::Text), ("json", LogFormat::Json)]);
        /// Which log lines are written.
        level: String = "info", log_filter();
    }

    /// Folders.
    paths: PathsConfig {
        /// Folder of everything that changes while running.
        var_dir: PathBuf = "var", folder();
        /// Folder of the fetched parts, as `make setup` writes it; several instances share it.
        parts_dir: PathBuf = "var/parts", folder();
        /// Folder of what browsers load, as `make build` writes it.
        dist_dir: PathBuf = "dist", folder();
    }

    /// Load tests.
    loadtest: LoadtestConfig {
        /// Value of the header that bypasses rate limits in load tests. Off when empty.
        secret: Option<Secret> = "", secret("a text of at least 32 characters", |text| text.chars().count() >= 32);
    }
}

fn is_redis(text: &str) -> bool {
    redis::Client::open(text).is_ok()
}
