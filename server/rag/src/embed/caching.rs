//! Caches the vectors of recent texts, because a chatbot's visitors ask about the same few passages.

use std::{num::NonZeroUsize, sync::Arc};

use futures::{FutureExt, future::BoxFuture};
use lru::LruCache;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::{EmbedError, Embedder, Likeness, Purpose};

/// Approximate overhead of an entry in bytes, in addition to its vector.
const ENTRY: usize = 128;

/// The key of a text; the text itself is not stored.
type TextDigest = [u8; 32];

/// An embedder with a bounded cache.
pub struct CachingEmbedder {
    embedder: Arc<dyn Embedder>,
    cache: Mutex<LruCache<TextDigest, Arc<[f32]>>>,
}

impl CachingEmbedder {
    /// Caches about `bytes` bytes of vectors and evicts the least recently used ones.
    pub fn new(embedder: Arc<dyn Embedder>, bytes: usize) -> Self {
        let entries = bytes / (embedder.dimensions() * size_of::<f32>() + ENTRY);
        let cache = LruCache::new(NonZeroUsize::new(entries).unwrap_or(NonZeroUsize::MIN));
        Self { embedder, cache: Mutex::new(cache) }
    }

    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let digests: Vec<TextDigest> = texts.iter().map(|text| digest(text, purpose)).collect();
        let mut vectors: Vec<Option<Arc<[f32]>>> = {
            let mut cache = self.cache.lock();
            digests.iter().map(|digest| cache.get(digest).cloned()).collect()
        };
        let places: Vec<usize> = (0..texts.len()).filter(|place| vectors[*place].is_none()).collect();
        let mut texts: Vec<Option<String>> = texts.into_iter().map(Some).collect();
        let unknown = places.iter().filter_map(|place| texts[*place].take()).collect();
        for (place, vector) in places.into_iter().zip(self.embedder.embed(unknown, purpose).await?) {
            let vector: Arc<[f32]> = vector.into();
            self.cache.lock().put(digests[place], Arc::clone(&vector));
            vectors[place] = Some(vector);
        }
        let vectors = vectors.into_iter().map(|vector| vector.map(|vector| vector.to_vec()));
        vectors.collect::<Option<_>>().ok_or(EmbedError::Malformed("fewer vectors than texts"))
    }
}

impl Embedder for CachingEmbedder {
    fn model(&self) -> &str {
        self.embedder.model()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    fn embed(&self, texts: Vec<String>, purpose: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        self.embed(texts, purpose).boxed()
    }

    fn likeness(&self, question: String, passages: Vec<String>) -> Likeness<'_> {
        self.embedder.likeness(question, passages)
    }

    fn closeness(&self, question: String, texts: Vec<String>) -> Likeness<'_> {
        self.embedder.closeness(question, texts)
    }

    fn has_word(&self, word: &str) -> bool {
        self.embedder.has_word(word)
    }
}

fn digest(text: &str, purpose: Purpose) -> TextDigest {
    Sha256::new().chain_update([u8::from(purpose == Purpose::Query)]).chain_update(text).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Embeds a text as its length, and records the texts.
    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);

    impl Embedder for Seen {
        fn model(&self) -> &str {
            "lengths"
        }

        fn dimensions(&self) -> usize {
            1
        }

        fn embed(&self, texts: Vec<String>, _: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
            #[allow(clippy::cast_precision_loss, reason = "short texts")]
            let vectors = texts.iter().map(|text| vec![text.len() as f32]).collect();
            self.0.lock().extend(texts);
            async { Ok(vectors) }.boxed()
        }
    }

    async fn ask(embedder: &CachingEmbedder, texts: &[&str]) -> Vec<f32> {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        embedder.embed(texts, Purpose::Document).await.unwrap().into_iter().flatten().collect()
    }

    #[tokio::test]
    async fn cached_texts_are_not_embedded_again() {
        let recorder = Arc::new(Seen::default());
        let embedder = CachingEmbedder::new(Arc::clone(&recorder) as Arc<dyn Embedder>, 1 << 20);
        assert_eq!(ask(&embedder, &["a", "bb"]).await, [1.0, 2.0]);
        assert_eq!(ask(&embedder, &["ccc", "bb", "dddd", "a"]).await, [3.0, 2.0, 4.0, 1.0]);
        assert_eq!(ask(&embedder, &[]).await, [0.0; 0]);
        assert_eq!(*recorder.0.lock(), ["a", "bb", "ccc", "dddd"]);
    }

    #[tokio::test]
    async fn a_question_and_a_document_of_the_same_words_are_two_texts() {
        let recorder = Arc::new(Seen::default());
        let embedder = CachingEmbedder::new(Arc::clone(&recorder) as Arc<dyn Embedder>, 1 << 20);
        for purpose in [Purpose::Query, Purpose::Document, Purpose::Query] {
            embedder.embed(vec!["a".to_owned()], purpose).await.unwrap();
        }
        assert_eq!(*recorder.0.lock(), ["a", "a"]);
    }

    #[tokio::test]
    async fn the_least_recently_used_text_makes_room() {
        let recorder = Arc::new(Seen::default());
        let embedder = CachingEmbedder::new(Arc::clone(&recorder) as Arc<dyn Embedder>, 2 * (ENTRY + 4));
        ask(&embedder, &["a", "bb"]).await;
        ask(&embedder, &["a"]).await;
        ask(&embedder, &["ccc"]).await;
        assert_eq!(ask(&embedder, &["a", "bb", "ccc"]).await, [1.0, 2.0, 3.0]);
        assert_eq!(*recorder.0.lock(), ["a", "bb", "ccc", "bb"]);
        assert_eq!(embedder.cache.lock().len(), 2);
    }

    #[tokio::test]
    async fn failures_are_not_cached() {
        struct Broken;
        impl Embedder for Broken {
            fn model(&self) -> &str {
                "none"
            }

            fn dimensions(&self) -> usize {
                1
            }

            fn embed(&self, texts: Vec<String>, _: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
                let answer = if texts.len() > 1 { Ok(vec![vec![1.0]]) } else { Err(EmbedError::Timeout) };
                async { answer }.boxed()
            }
        }
        let embedder = CachingEmbedder::new(Arc::new(Broken), 1 << 20);
        assert!(matches!(embedder.embed(vec!["a".into()], Purpose::Document).await, Err(EmbedError::Timeout)));
        assert_eq!(embedder.cache.lock().len(), 0);
        let few = embedder.embed(vec!["a".into(), "b".into()], Purpose::Document).await;
        assert!(matches!(few, Err(EmbedError::Malformed(_))), "one vector for two texts");
    }
}
