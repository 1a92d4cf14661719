//! The sentence encoder in this process, from a folder with BERT weights (such as all-MiniLM-L6-v2) or with the compact
//! file of multilingual-e5-small.
//!
//! Texts are embedded in small batches, each on one thread. A short call (a question, the sentences of an answer) is spread
//! over the threads that are idle, and never waits behind long calls (an ingestion), of which only one batch runs at a time.

use std::{fs::File, io::Read, path::Path, sync::Arc};

use encoder::{CompactFile, Encoder, Input, Pooling, Shape, Tokenizer};
use futures::{
    future::BoxFuture,
    stream::{self, StreamExt, TryStreamExt},
};
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::{EmbedError, Embedder, Likeness, Prefixes, Purpose};
use crate::letter_case::capitalised;
use crate::local_model::{batches, blocking, broken, load_weights, read, read_config, read_tokenizer, spread};
use crate::model_threads::{ModelThreads, with_low_priority};

/// Maximum tokens of a text; the rest of a longer text is ignored.
const MAX_TOKENS: usize = 512;
/// Maximum batches of a call for an answer; the sentences of an answer need one to four.
const SHORT_CALL: usize = 6;
/// The compact file of multilingual-e5-small, which identifies its folder.
pub(super) const COMPACT_FILE: &str = "e5-small-q4.bin";
/// The prefixes of an E5 model.
const E5_PREFIXES: (&str, &str) = ("query: ", "passage: ");

/// An embedding model loaded from a folder.
pub struct LocalEmbedder {
    name: String,
    engine: Arc<Engine>,
    /// Threads for the batches.
    threads: Arc<ModelThreads>,
    /// Limits the concurrent batches of all long calls.
    long_calls: Semaphore,
    /// Maximum concurrent batches of one call.
    max_concurrent: usize,
}

struct Engine {
    encoder: Encoder,
    tokenizer: Tokenizer,
    prefixes: Prefixes,
}

/// What the model gives for each input.
type Apply<T> = fn(&Encoder, &[&Input]) -> encoder::Result<Vec<T>>;

/// How sentence-transformers combines the vectors of a text's tokens.
#[derive(Default, Deserialize)]
struct PoolingConfig {
    #[serde(default)]
    pooling_mode_cls_token: bool,
}

impl LocalEmbedder {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` from `folder`, and `1_Pooling/config.json` if it
    /// exists; or `e5-small-q4.bin`. The folder's name becomes the model's name. Blocks for about 0.2 s; do not call it on an async thread of a busy
    /// server.
    ///
    /// # Errors
    /// [`EmbedError::File`] with the file that is missing or does not fit.
    pub fn load(folder: &Path) -> Result<Self, EmbedError> {
        let engine =
            if folder.join(COMPACT_FILE).is_file() { Engine::compact(folder) } else { Engine::published(folder) }?;
        Ok(Self {
            name: name_of(folder),
            engine: Arc::new(engine),
            threads: ModelThreads::shared()?,
            long_calls: Semaphore::new(1),
            max_concurrent: 1,
        })
    }

    /// Lets long calls use every core, for a process that answers no questions.
    #[must_use]
    pub fn without_questions(mut self) -> Self {
        self.max_concurrent = self.threads.count();
        self.long_calls = Semaphore::new(self.max_concurrent);
        self
    }

    async fn embed_all(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let engine = Arc::clone(&self.engine);
        let inputs = blocking(move || Ok(engine.inputs(&texts, purpose))).await?;
        self.each(inputs, Encoder::encode).await
    }

    /// The question is read in a batch with the texts: a batch of few tokens takes longer for each.
    async fn compare(&self, question: String, texts: Vec<String>) -> Result<Vec<f32>, EmbedError> {
        let engine = Arc::clone(&self.engine);
        let inputs = move || {
            let texts = engine.inputs(&texts, Purpose::Document);
            Ok(engine.inputs(&[question], Purpose::Query).into_iter().chain(texts).collect())
        };
        let mut states = self.each(blocking(inputs).await?, Encoder::states).await?;
        let engine = Arc::clone(&self.engine);
        self.threads.run(move || Ok(engine.encoder.closeness(states.remove(0), states))).await
    }

    /// Applies the model to each input, in the order of the inputs.
    async fn each<T: Send + 'static>(&self, inputs: Vec<Input>, apply: Apply<T>) -> Result<Vec<T>, EmbedError> {
        let mut all: Vec<Option<T>> = inputs.iter().map(|_| None).collect();
        let length = |input: &Input| input.tokens.len();
        let mut batches = batches(inputs, length);
        let is_long = batches.len() > SHORT_CALL;
        let max_concurrent = if is_long { self.max_concurrent } else { self.threads.idle() };
        if !is_long {
            batches = spread(batches, max_concurrent, length);
        }
        let mut done =
            stream::iter(batches).map(|batch| self.batch(batch, is_long, apply)).buffer_unordered(max_concurrent);
        while let Some(batch) = done.try_next().await? {
            for (position, of_input) in batch {
                all[position] = Some(of_input);
            }
        }
        drop(done);
        all.into_iter().collect::<Option<_>>().ok_or(EmbedError::Malformed("fewer vectors than texts"))
    }

    /// Applies the model to one batch. Each result has its input's position in the call.
    async fn batch<T: Send + 'static>(
        &self,
        batch: Vec<(usize, Input)>,
        is_long: bool,
        apply: Apply<T>,
    ) -> Result<Vec<(usize, T)>, EmbedError> {
        let _turn = match is_long {
            true => Some(self.long_calls.acquire().await.map_err(|_| EmbedError::Interrupted)?),
            false => None,
        };
        let engine = Arc::clone(&self.engine);
        let run = move || {
            let texts: Vec<&Input> = batch.iter().map(|(_, input)| input).collect();
            let results = apply(&engine.encoder, &texts)?;
            Ok(batch.into_iter().map(|(position, _)| position).zip(results).collect())
        };
        let run = self.threads.run(run);
        if is_long { with_low_priority(run).await } else { run.await }
    }
}

/// The model's name: that of its folder.
pub(super) fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// The vector length of a folder's model, read from the beginning of its files.
pub(super) fn dimensions_of(folder: &Path) -> Result<usize, EmbedError> {
    if !folder.join(COMPACT_FILE).is_file() {
        return Ok(read_config::<Shape>(folder)?.hidden_size);
    }
    let mut begin = Vec::new();
    let file = File::open(folder.join(COMPACT_FILE));
    file.and_then(|file| file.take(CompactFile::HEADER as u64).read_to_end(&mut begin))
        .map_err(|error| broken(folder, COMPACT_FILE, &error.to_string()))?;
    CompactFile::width(&begin).map_err(|error| broken(folder, COMPACT_FILE, &error.to_string()))
}

fn read_pooling(folder: &Path) -> Result<Pooling, EmbedError> {
    let folder = folder.join("1_Pooling");
    let config = if folder.is_dir() { read_config(&folder)? } else { PoolingConfig::default() };
    Ok(if config.pooling_mode_cls_token { Pooling::First } else { Pooling::Mean })
}

impl Embedder for LocalEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.engine.encoder.dimensions()
    }

    fn embed(&self, texts: Vec<String>, purpose: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(self.embed_all(texts, purpose))
    }

    fn likeness(&self, question: String, passages: Vec<String>) -> Likeness<'_> {
        let engine = Arc::clone(&self.engine);
        Box::pin(self.threads.run(move || engine.likeness(&question, &passages).map(Some)))
    }

    fn closeness(&self, question: String, texts: Vec<String>) -> Likeness<'_> {
        Box::pin(async { self.compare(question, texts).await.map(Some) })
    }

    fn has_word(&self, word: &str) -> bool {
        let tokenizer = &self.engine.tokenizer;
        tokenizer.has_word(word) || tokenizer.has_word(&capitalised(word))
    }
}

impl Engine {
    fn published(folder: &Path) -> Result<Self, EmbedError> {
        let (shape, pooling): (Shape, _) = (read_config(folder)?, read_pooling(folder)?);
        let encoder = load_weights(folder, |tensors| Encoder::load(&shape, pooling, tensors))?;
        Ok(Self { encoder, tokenizer: read_tokenizer(folder)?, prefixes: Prefixes::default() })
    }

    fn compact(folder: &Path) -> Result<Self, EmbedError> {
        let file = read(folder, COMPACT_FILE)?;
        let unfit = |error: encoder::Error| broken(folder, COMPACT_FILE, &error.to_string());
        let parts = CompactFile::read(&file).map_err(unfit)?;
        let tokenizer = parts.tokenizer().map_err(unfit)?;
        let encoder = Encoder::load(parts.shape(), Pooling::Mean, &parts).map_err(unfit)?;
        let (query, document) = E5_PREFIXES;
        let prefixes = Prefixes { query: query.to_owned(), document: document.to_owned() };
        Ok(Self { encoder, tokenizer, prefixes })
    }

    fn likeness(&self, question: &str, passages: &[String]) -> Result<Vec<f32>, EmbedError> {
        let words = |text: &str| self.tokenizer.words(text, self.longest() - 2);
        let passages: Vec<Vec<u32>> = passages.iter().map(|text| words(text)).collect();
        let passages: Vec<&[u32]> = passages.iter().map(Vec::as_slice).collect();
        Ok(self.encoder.likeness(&words(question), &passages)?)
    }

    fn inputs(&self, texts: &[String], purpose: Purpose) -> Vec<Input> {
        let input = |text: &String| self.tokenizer.single(&self.prefixes.apply(text, purpose), self.longest());
        texts.iter().map(input).collect()
    }

    /// Maximum tokens of a text, with the begin and end tokens.
    fn longest(&self) -> usize {
        self.encoder.max_tokens().min(MAX_TOKENS)
    }
}

#[cfg(test)]
mod tests {
    use std::{path::PathBuf, time::Duration};

    use super::*;

    fn embedder() -> LocalEmbedder {
        let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../var/parts/all-minilm-l6-v2");
        LocalEmbedder::load(&std::env::var_os("MODEL_DIR").map_or_else(default, PathBuf::from)).unwrap()
    }

    #[tokio::test]
    async fn a_short_call_gives_the_same_on_one_thread_as_on_all() {
        let mut embedder = embedder();
        // Those of the process may be busy with other tests.
        embedder.threads = Arc::new(ModelThreads::new().unwrap());
        let texts: Vec<String> =
            (0..24).map(|n| format!("Locker {n} is open {}.", "early and late ".repeat(n % 5))).collect();
        let results = async |embedder: &LocalEmbedder| {
            let closeness =
                embedder.closeness("When is locker 7 open?".to_owned(), texts.clone()).await.unwrap().unwrap();
            let vectors = embedder.embed(texts.clone(), Purpose::Document).await.unwrap();
            closeness.into_iter().chain(vectors.concat()).collect::<Vec<f32>>()
        };
        let on_all = results(&embedder).await;
        let busy = embedder.threads.occupy_all_but_one().await;
        let on_one = results(&embedder).await;
        drop(busy);
        let difference = on_all.iter().zip(&on_one).map(|(all, one)| (all - one).abs()).fold(0.0, f32::max);
        assert!(on_all.len() == on_one.len() && difference < 1e-4, "{difference}");
    }

    #[tokio::test]
    async fn the_sentences_of_an_answer_never_wait_for_long_calls() {
        let embedder = embedder();
        let _long_call = embedder.long_calls.acquire().await.unwrap();
        let texts = |many: usize| vec!["The shop opens at nine.".to_owned(); many];
        let sentences = embedder.embed(texts(3 * 16), Purpose::Document);
        assert_eq!(tokio::time::timeout(Duration::from_secs(60), sentences).await.unwrap().unwrap().len(), 48);
        let documents = embedder.embed(texts((SHORT_CALL + 1) * 16), Purpose::Document);
        assert!(tokio::time::timeout(Duration::from_millis(300), documents).await.is_err(), "one long call at a time");
    }
}
