//! Caches vectors of documents on disk, so that an evaluation with unchanged passages and model need not embed them
//! again.

use std::{
    collections::HashMap,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use rag::embed::{EmbedError, Embedder, Likeness, Purpose};
use sha2::{Digest, Sha256};

/// Bytes of a text's digest.
const DIGEST: usize = 32;

type TextDigest = [u8; DIGEST];

/// An embedder that reads vectors from a file of its model, and adds those that are missing.
pub struct StoredVectors {
    embedder: Arc<dyn Embedder>,
    path: PathBuf,
    cache: Mutex<HashMap<TextDigest, Vec<f32>>>,
}

impl StoredVectors {
    /// Opens the file of the embedder's model in a folder. A file with a broken end is read up to there.
    ///
    /// # Errors
    /// When the folder cannot be created or the file cannot be read.
    pub fn open(embedder: Arc<dyn Embedder>, folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let name: String =
            embedder.model().chars().map(|mark| if mark.is_alphanumeric() { mark } else { '-' }).collect();
        let path = folder.join(format!("{name}-{}.vectors", embedder.dimensions()));
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let record = DIGEST + embedder.dimensions() * size_of::<f32>();
        let whole = bytes.chunks_exact(record);
        if !whole.remainder().is_empty() {
            fs::write(&path, &bytes[..bytes.len() - whole.remainder().len()])?;
        }
        let vectors = whole.filter_map(|record| {
            let (digest, numbers) = record.split_first_chunk::<DIGEST>()?;
            let numbers = numbers.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
            Some((*digest, numbers.collect()))
        });
        Ok(Self { cache: Mutex::new(vectors.collect()), embedder, path })
    }

    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let digests: Vec<TextDigest> = texts.iter().map(|text| digest(text, purpose)).collect();
        let is_missing = |digest: &TextDigest| !self.cache.lock().contains_key(digest);
        let missing: Vec<(TextDigest, String)> =
            digests.iter().copied().zip(texts).filter(|(digest, _)| is_missing(digest)).collect();
        let (new, texts): (Vec<TextDigest>, Vec<String>) = missing.into_iter().unzip();
        let vectors = self.embedder.embed(texts, purpose).await?;
        let mut bytes = Vec::new();
        for (digest, vector) in new.iter().zip(&vectors) {
            bytes.extend_from_slice(digest);
            vector.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        // A file that cannot be written only costs time.
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        if let Err(error) = file.and_then(|mut file| file.write_all(&bytes)) {
            tracing::warn!(%error, "evaluation.vectors_not_stored");
        }
        let mut cache = self.cache.lock();
        cache.extend(new.into_iter().zip(vectors));
        let vectors = digests.iter().map(|digest| cache.get(digest).cloned());
        vectors.collect::<Option<_>>().ok_or(EmbedError::Malformed("fewer vectors than texts"))
    }
}

fn digest(text: &str, purpose: Purpose) -> TextDigest {
    Sha256::digest(format!("{purpose:?} {text}")).into()
}

impl Embedder for StoredVectors {
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
