//! The order in which requests start, and the end of queued requests.

use futures::{
    FutureExt,
    future::{BoxFuture, select_all},
};
use uuid::Uuid;

use super::*;

const LONG: Duration = Duration::from_secs(60);

fn queue(max_concurrent: usize, max_concurrent_per_chatbot: usize, max_queued: usize) -> AnswerQueue {
    AnswerQueue::new(QueueLimits { max_concurrent, max_concurrent_per_chatbot, max_queued, queue_timeout: LONG })
}

/// Running and waiting requests.
fn load(queue: &AnswerQueue) -> (usize, usize) {
    let Load { running, waiting, .. } = queue.load();
    (running, waiting)
}

/// A request that waits, with its name.
struct Waiting<'a>(&'static str, BoxFuture<'a, Result<AnswerPermit, QueueError>>);

fn ask<'a>(queue: &'a AnswerQueue, name: &'static str, tenant: u128, chatbot: u128) -> Waiting<'a> {
    let mut permit = queue.acquire(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(chatbot))).boxed();
    assert!((&mut permit).now_or_never().is_none(), "{name} waits");
    Waiting(name, permit)
}

async fn start(queue: &AnswerQueue, tenant: u128, chatbot: u128) -> AnswerPermit {
    queue.acquire(TenantId(Uuid::from_u128(tenant)), ChatbotId(Uuid::from_u128(chatbot))).await.unwrap()
}

/// Ends the running answer again and again; the order in which the waiting requests start.
async fn order(mut running: AnswerPermit, mut requests: Vec<Waiting<'_>>) -> String {
    let mut order = String::new();
    while !requests.is_empty() {
        drop(running);
        let permits = requests.iter_mut().map(|request| &mut request.1);
        let (granted, at, _) = tokio::time::timeout(LONG, select_all(permits)).await.expect("a request is next");
        running = granted.unwrap();
        order.push_str(requests.remove(at).0);
        assert_eq!(load(&running.queue), (1, requests.len()));
    }
    order
}

#[tokio::test]
async fn tenants_are_served_round_robin_despite_a_burst() {
    let queue = queue(1, 1, 100);
    let running = start(&queue, 1, 1).await;
    let mut requests: Vec<_> = (0..4).map(|_| ask(&queue, "a", 1, 1)).collect();
    requests.extend([ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2), ask(&queue, "c", 3, 3)]);
    assert_eq!(order(running, requests).await, "abcbaaa", "the rest of the burst comes last");
    assert_eq!(load(&queue), (0, 0));
}

#[tokio::test]
async fn chatbots_of_a_tenant_share_its_slots_round_robin() {
    let queue = queue(1, 1, 100);
    let running = start(&queue, 1, 1).await;
    let mut requests = vec![ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1), ask(&queue, "x", 1, 10)];
    requests.extend([ask(&queue, "y", 1, 11), ask(&queue, "b", 2, 2), ask(&queue, "b", 2, 2)]);
    assert_eq!(order(running, requests).await, "abbxya");
}

#[tokio::test]
async fn a_chatbot_at_its_limit_leaves_its_slots_to_others() {
    let queue = queue(4, 2, 100);
    let first = start(&queue, 1, 1).await;
    let _second = start(&queue, 1, 1).await;
    let mut third = ask(&queue, "a", 1, 1);
    let _other = start(&queue, 2, 2).await;
    assert_eq!(load(&queue), (3, 1));
    drop(first);
    assert!((&mut third.1).now_or_never().is_some());
}

#[tokio::test]
async fn a_second_request_of_a_tenant_is_a_burst() {
    let queue = queue(4, 2, 100);
    let first = start(&queue, 1, 1).await;
    let second = start(&queue, 1, 1).await;
    let mut third = ask(&queue, "a", 1, 1);
    let other = start(&queue, 2, 2).await;
    let is_burst = |permit: &AnswerPermit| permit.request.is_burst;
    assert_eq!([&first, &second, &other].map(is_burst), [false, true, false]);
    drop(first);
    let third = (&mut third.1).now_or_never().unwrap().unwrap();
    assert!(third.request.is_burst, "the second one is still there");
    drop((second, third));
    assert!(!start(&queue, 1, 1).await.request.is_burst);
}

#[tokio::test]
async fn burst_requests_start_every_250_ms_while_others_are_active() {
    let queue = queue(2, 1, 100);
    for others_stay in [true, false] {
        let first = start(&queue, 1, 1).await;
        let [second, third] = ["a", "a"].map(|name| ask(&queue, name, 1, 1));
        let other = start(&queue, 2, 2).await;
        drop(first);
        let second = second.1.await.unwrap();
        drop(second);
        assert_eq!(load(&queue), (1, 1), "the free slot is not for a burst");
        let other = others_stay.then_some(other);
        assert!(tokio::time::timeout(LONG, third.1).await.unwrap().unwrap().request.is_burst);
        drop(other);
    }
}

#[tokio::test]
async fn a_new_request_queues_behind_a_burst_that_yields() {
    let queue = queue(2, 1, 100);
    let first = start(&queue, 1, 1).await;
    let [second, third] = ["a", "a"].map(|name| ask(&queue, name, 1, 1));
    let _other = start(&queue, 2, 2).await;
    drop(first);
    drop(second.1.await.unwrap());
    let (last, third) = (ask(&queue, "a", 1, 1), third.1.await.unwrap());
    drop(third);
    assert!(last.1.await.is_ok());
}

#[tokio::test]
async fn the_queue_of_one_chatbot_is_bounded_for_itself() {
    let queue = queue(1, 1, 2);
    let _running = start(&queue, 1, 1).await;
    let _waiting = [ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1)];
    let refused = queue.acquire(TenantId(Uuid::from_u128(1)), ChatbotId(Uuid::from_u128(1))).await;
    assert_eq!(refused.err(), Some(QueueError::Full));
    ask(&queue, "x", 1, 10);
    ask(&queue, "b", 2, 2);
}

#[tokio::test]
async fn a_timed_out_request_leaves_the_queue() {
    let limits = QueueLimits {
        max_concurrent: 1,
        max_concurrent_per_chatbot: 1,
        max_queued: 1,
        queue_timeout: Duration::from_millis(20),
    };
    let queue = AnswerQueue::new(limits);
    let running = start(&queue, 1, 1).await;
    for _ in 0..2 {
        let timed_out = queue.acquire(TenantId(Uuid::from_u128(1)), ChatbotId(Uuid::from_u128(1))).await;
        assert_eq!(timed_out.err(), Some(QueueError::Timeout));
    }
    drop(running);
    assert_eq!(load(&queue), (0, 0));
}

#[tokio::test]
async fn each_new_position_in_the_queue_is_reported() {
    let queue = queue(1, 1, 100);
    let running = start(&queue, 1, 1).await;
    let first = ask(&queue, "b", 2, 2);
    let (sender, mut positions) = tokio::sync::mpsc::unbounded_channel();
    let (tenant, chatbot) = (TenantId(Uuid::from_u128(3)), ChatbotId(Uuid::from_u128(3)));
    let waiting = queue.acquire_with_position(tenant, chatbot, |position| sender.send(position).unwrap());
    let serving = async {
        assert_eq!(positions.recv().await, Some(2));
        drop(running);
        let second = first.1.await.unwrap();
        assert_eq!(positions.recv().await, Some(1), "once for each position");
        drop(second);
    };
    let (granted, ()) = tokio::join!(waiting, serving);
    assert!(granted.is_ok());
}

#[tokio::test]
async fn a_request_that_left_passes_its_permit_on() {
    let queue = queue(1, 1, 100);
    let running = start(&queue, 1, 1).await;
    let (abandoned, granted, last) = (ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1), ask(&queue, "a", 1, 1));
    drop(abandoned);
    assert_eq!(load(&queue), (1, 2));
    drop(running);
    assert_eq!(load(&queue), (1, 1), "the second one has its permit and has not seen it");
    drop(granted);
    assert_eq!(load(&queue), (1, 0));
    assert!(last.1.now_or_never().is_some_and(|permit| permit.is_ok()));
    assert_eq!(load(&queue), (0, 0));
}

#[tokio::test]
async fn a_paused_request_frees_its_permit_and_resumes_over_the_limit() {
    let queue = queue(1, 1, 100);
    let first = start(&queue, 1, 1).await;
    let pause = first.pause();
    assert_eq!(load(&queue), (0, 0));
    let second = start(&queue, 1, 1).await;
    drop(pause);
    assert_eq!(load(&queue), (2, 0));
    let third = ask(&queue, "third", 1, 1);
    drop(second);
    assert_eq!(load(&queue), (1, 1), "the first one counts again");
    drop(first);
    drop(third.1.await.unwrap());
    assert_eq!(load(&queue), (0, 0));
}
