//! Passes documents from their reader to the embedder. Small ones are buffered in a channel; after a large one, reading
//! pauses.

use tokio::sync::mpsc;

/// Bytes of a text after which reading pauses until it was taken.
const LARGE_TEXT: usize = 4 * 1024 * 1024;

/// Sends an item with this many bytes of text, and returns whether the receiver still exists. Waits until a large text
/// was taken, so that few of them are in memory at the same time.
pub(crate) async fn send<T>(sender: &mpsc::Sender<T>, item: T, text_bytes: usize) -> bool {
    if sender.send(item).await.is_err() {
        return false;
    }
    // The channel has its full capacity again when everything in it was taken.
    text_bytes <= LARGE_TEXT || sender.reserve_many(sender.max_capacity()).await.is_ok()
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn nothing_is_read_behind_a_large_text_until_it_is_taken() {
        let (sender, mut receiver) = mpsc::channel(4);
        assert!(send(&sender, "small", LARGE_TEXT).await);
        let mut large = Box::pin(send(&sender, "large", LARGE_TEXT + 1));
        assert!(large.as_mut().now_or_never().is_none());
        assert_eq!(receiver.recv().await, Some("small"));
        assert!(large.as_mut().now_or_never().is_none());
        assert_eq!(receiver.recv().await, Some("large"));
        assert!(large.await);
        drop(receiver);
        assert!(!send(&sender, "nobody listens", 0).await);
    }
}
