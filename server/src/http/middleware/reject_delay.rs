//! Delays 429 responses by 250 ms, so that clients retrying in a loop cost little CPU.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::StatusCode;
use tokio::sync::Semaphore;

/// Less than any `Retry-After`, so that a client that respects it loses no time.
const DELAY: Duration = Duration::from_millis(250);
/// Maximum delayed responses; further ones are sent immediately to bound the memory.
const MAX_DELAYED: usize = 1000;

/// Delays the rejections of a router.
#[derive(Debug, Clone)]
pub struct RejectDelay(Arc<Semaphore>);

impl Default for RejectDelay {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_DELAYED)))
    }
}

/// Delays 429 responses. Others pass.
pub async fn layer(State(rejections): State<RejectDelay>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        rejections.delay(DELAY).await;
    }
    response
}

impl RejectDelay {
    async fn delay(&self, delay: Duration) {
        if let Ok(_permit) = self.0.try_acquire() {
            tokio::time::sleep(delay).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures::poll;

    use super::*;

    #[tokio::test]
    async fn rejections_beyond_the_limit_are_sent_at_once() {
        let rejections = RejectDelay(Arc::new(Semaphore::new(2)));
        let long = Duration::from_secs(3600);
        {
            let (mut one, mut two) = (pin!(rejections.delay(long)), pin!(rejections.delay(long)));
            assert!(poll!(&mut one).is_pending() && poll!(&mut two).is_pending());
            assert!(poll!(pin!(rejections.delay(long))).is_ready());
        }
        assert!(poll!(pin!(rejections.delay(long))).is_pending(), "a client that left makes room");
    }
}
