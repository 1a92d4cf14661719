//! Events of this thread's tasks, told to a subscriber of the test's own.

use tracing::{
    Dispatch, Subscriber,
    subscriber::{DefaultGuard, NoSubscriber, set_default},
};

/// A subscription; it ends when it is dropped.
pub struct Subscription {
    _default: DefaultGuard,
    // While there is only one subscriber, tracing asks the one of whichever thread comes to an event first. A thread of
    // another test has none, and the event would be off for good.
    _second: Dispatch,
}

/// Tells the events of this thread to a subscriber.
pub fn subscribe(subscriber: impl Subscriber + Send + Sync + 'static) -> Subscription {
    Subscription { _default: set_default(subscriber), _second: Dispatch::new(NoSubscriber::new()) }
}
