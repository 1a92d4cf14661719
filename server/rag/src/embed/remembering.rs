//! An embedder that remembers the vectors of the texts it saw last: a chatbot's visitors ask about the same few passages.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures::{FutureExt, future::BoxFuture};
use lru::LruCache;
use sha2::{Digest, Sha256};

use super::{EmbedError, Embedder};

/// Bytes that an entry takes beside its vector, about.
const ENTRY: usize = 128;

/// What a text is known by; the text itself is not kept.
type TextDigest = [u8; 32];

/// Another embedder behind a bounded memory.
pub struct Remembering {
    embedder: Arc<dyn Embedder>,
    known: Mutex<LruCache<TextDigest, Arc<[f32]>>>,
}

impl Remembering {
    /// Remembers about so many bytes of vectors; the texts unused for longest make room.
    pub fn new(embedder: Arc<dyn Embedder>, bytes: usize) -> Self {
        let entries = bytes / (embedder.dimensions() * size_of::<f32>() + ENTRY);
        let known = LruCache::new(NonZeroUsize::new(entries).unwrap_or(NonZeroUsize::MIN));
        Self { embedder, known: Mutex::new(known) }
    }

    fn known(&self) -> MutexGuard<'_, LruCache<TextDigest, Arc<[f32]>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let digests: Vec<TextDigest> = texts.iter().map(|text| Sha256::digest(text).into()).collect();
        let mut vectors: Vec<Option<Arc<[f32]>>> = {
            let mut known = self.known();
            digests.iter().map(|digest| known.get(digest).cloned()).collect()
        };
        let places: Vec<usize> = (0..texts.len()).filter(|place| vectors[*place].is_none()).collect();
        let mut texts: Vec<Option<String>> = texts.into_iter().map(Some).collect();
        let unknown = places.iter().filter_map(|place| texts[*place].take()).collect();
        for (place, vector) in places.into_iter().zip(self.embedder.embed(unknown).await?) {
            let vector: Arc<[f32]> = vector.into();
            self.known().put(digests[place], Arc::clone(&vector));
            vectors[place] = Some(vector);
        }
        let vectors = vectors.into_iter().map(|vector| vector.map(|vector| vector.to_vec()));
        vectors.collect::<Option<_>>().ok_or(EmbedError::Malformed("fewer vectors than texts"))
    }
}

impl Embedder for Remembering {
    fn model(&self) -> &str {
        self.embedder.model()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    fn embed(&self, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        self.embed(texts).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text's vector is its length; the texts are written down.
    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);

    impl Embedder for Seen {
        fn model(&self) -> &str {
            "lengths"
        }

        fn dimensions(&self) -> usize {
            1
        }

        fn embed(&self, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
            #[allow(clippy::cast_precision_loss, reason = "short texts")]
            let vectors = texts.iter().map(|text| vec![text.len() as f32]).collect();
            self.0.lock().unwrap().extend(texts);
            async { Ok(vectors) }.boxed()
        }
    }

    async fn ask(memory: &Remembering, texts: &[&str]) -> Vec<f32> {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        memory.embed(texts).await.unwrap().into_iter().flatten().collect()
    }

    #[tokio::test]
    async fn what_is_known_is_not_embedded_again_and_the_order_stays() {
        let seen = Arc::new(Seen::default());
        let memory = Remembering::new(Arc::clone(&seen) as Arc<dyn Embedder>, 1 << 20);
        assert_eq!(ask(&memory, &["a", "bb"]).await, [1.0, 2.0]);
        assert_eq!(ask(&memory, &["ccc", "bb", "dddd", "a"]).await, [3.0, 2.0, 4.0, 1.0]);
        assert_eq!(ask(&memory, &[]).await, [0.0; 0]);
        assert_eq!(*seen.0.lock().unwrap(), ["a", "bb", "ccc", "dddd"]);
    }

    #[tokio::test]
    async fn memory_is_bounded_and_what_was_used_last_stays() {
        let seen = Arc::new(Seen::default());
        let memory = Remembering::new(Arc::clone(&seen) as Arc<dyn Embedder>, 2 * (ENTRY + 4));
        ask(&memory, &["a", "bb"]).await;
        ask(&memory, &["a"]).await;
        ask(&memory, &["ccc"]).await;
        assert_eq!(ask(&memory, &["a", "bb", "ccc"]).await, [1.0, 2.0, 3.0]);
        assert_eq!(*seen.0.lock().unwrap(), ["a", "bb", "ccc", "bb"]);
        assert_eq!(memory.known().len(), 2);
    }

    #[tokio::test]
    async fn nothing_is_remembered_of_a_failure() {
        struct Broken;
        impl Embedder for Broken {
            fn model(&self) -> &str {
                "none"
            }

            fn dimensions(&self) -> usize {
                1
            }

            fn embed(&self, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
                let answer = if texts.len() > 1 { Ok(vec![vec![1.0]]) } else { Err(EmbedError::Timeout) };
                async { answer }.boxed()
            }
        }
        let memory = Remembering::new(Arc::new(Broken), 1 << 20);
        assert!(matches!(memory.embed(vec!["a".into()]).await, Err(EmbedError::Timeout)));
        assert_eq!(memory.known().len(), 0);
        let few = memory.embed(vec!["a".into(), "b".into()]).await;
        assert!(matches!(few, Err(EmbedError::Malformed(_))), "one vector for two texts");
    }
}
