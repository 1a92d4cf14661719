//! Tells a caller who asks too much (429) so after a pause. Whoever comes again as soon as he is refused then costs a few requests a
//! second instead of a processor, which the others keep.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::StatusCode;
use tokio::sync::Semaphore;

/// How long a refusal is held back. Less than any `Retry-After`, so that nobody who keeps to it loses time.
const PAUSE: Duration = Duration::from_millis(250);
/// Refusals that are held back at the same time; further ones are told at once, so that they hold nothing.
const HELD: usize = 1000;

/// The refusals of a router that are held back.
#[derive(Debug, Clone)]
pub struct Refusals(Arc<Semaphore>);

impl Default for Refusals {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(HELD)))
    }
}

/// Holds refusals back. Other answers pass.
pub async fn layer(State(refusals): State<Refusals>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        refusals.hold(PAUSE).await;
    }
    response
}

impl Refusals {
    async fn hold(&self, pause: Duration) {
        if let Ok(_held) = self.0.try_acquire() {
            tokio::time::sleep(pause).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures::poll;

    use super::*;

    #[tokio::test]
    async fn refusals_beyond_the_bound_are_told_at_once() {
        let refusals = Refusals(Arc::new(Semaphore::new(2)));
        let long = Duration::from_secs(3600);
        {
            let (mut one, mut two) = (pin!(refusals.hold(long)), pin!(refusals.hold(long)));
            assert!(poll!(&mut one).is_pending() && poll!(&mut two).is_pending());
            assert!(poll!(pin!(refusals.hold(long))).is_ready());
        }
        assert!(poll!(pin!(refusals.hold(long))).is_pending(), "whoever has left makes room");
    }
}
