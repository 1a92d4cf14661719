//! Sends tracing events of this thread's tasks to a subscriber of the test.

use tracing::{
    Dispatch, Subscriber,
    subscriber::{DefaultGuard, NoSubscriber, set_default},
};

/// A subscription; it ends when it is dropped.
pub struct Subscription {
    _default: DefaultGuard,
    // With only one subscriber, tracing asks that of whichever thread reaches an event first. A thread of another test
    // has none, and the event would be disabled permanently.
    _second: Dispatch,
}

/// Sends the events of this thread to a subscriber.
pub fn subscribe(subscriber: impl Subscriber + Send + Sync + 'static) -> Subscription {
    Subscription { _default: set_default(subscriber), _second: Dispatch::new(NoSubscriber::new()) }
}
