//! The delay between two requests to one host, whatever their purpose.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;
use url::Url;

/// The last request to each host, and its delay.
pub(super) struct RequestDelays {
    delay: Duration,
    hosts: HashMap<String, Host>,
}

#[derive(Default)]
struct Host {
    /// The delay requested by the host; the longer delay applies.
    delay: Duration,
    last_request: Option<Instant>,
}

impl RequestDelays {
    pub(super) fn new(delay: Duration) -> Self {
        Self { delay, hosts: HashMap::new() }
    }

    pub(super) fn set_delay(&mut self, url: &Url, delay: Duration) {
        self.host(url).delay = delay;
    }

    pub(super) fn record_request(&mut self, url: &Url) {
        self.host(url).last_request = Some(Instant::now());
    }

    /// Waits until the next request to the host is allowed. The first request does not wait.
    pub(super) async fn pause(&self, url: &Url) {
        if let Some(time) = self.next_request(url) {
            tokio::time::sleep_until(time).await;
        }
    }

    /// When the next request to a host is allowed; `None` before the first one.
    fn next_request(&self, url: &Url) -> Option<Instant> {
        let host = self.hosts.get(&name(url))?;
        Some(host.last_request? + self.delay.max(host.delay))
    }

    fn host(&mut self, url: &Url) -> &mut Host {
        self.hosts.entry(name(url)).or_default()
    }
}

/// Both schemes and all ports of a host are one server.
fn name(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn each_host_is_left_alone_for_its_own_delay() {
        let mut delays = RequestDelays::new(Duration::from_millis(500));
        let pause = |delays: &RequestDelays, address: &str| {
            let last_request = delays.hosts.get(&name(&url(address))).and_then(|host| host.last_request);
            Some(delays.next_request(&url(address))? - last_request?)
        };
        assert_eq!(pause(&delays, "http://one.example/"), None, "nobody has asked it yet");
        delays.record_request(&url("http://one.example/robots.txt"));
        assert_eq!(pause(&delays, "http://two.example/"), None);
        assert_eq!(pause(&delays, "https://one.example/"), Some(Duration::from_millis(500)));
        delays.set_delay(&url("https://one.example/"), Duration::from_secs(4));
        assert_eq!(pause(&delays, "http://one.example:8080/"), Some(Duration::from_secs(4)));
        // A host cannot ask for less than the setting.
        delays.set_delay(&url("https://one.example/"), Duration::ZERO);
        assert_eq!(pause(&delays, "https://one.example/"), Some(Duration::from_millis(500)));
    }
}
