//! How answers are made: search, models, and how many at the same time.

use std::path::PathBuf;

use rag::{generate::verify::Unsupported, rerank::Protocol};
use url::Url;

use crate::config::{
    ConfigError, Secret, Setting, Values, WhenUnavailable,
    endpoints::{concurrency, price, window},
    kind::{Kind, currency, folder, milliseconds, number, one_of, optional, seconds, secret, switch, text, url},
    setting::sections,
};

sections! {
    /// Retrieval.
    rag: RagConfig {
        /// Folder of the embedding model for English chatbots; the fetched one in paths.parts_dir when empty.
        model_dir: PathBuf = "", folder();
        /// The same for chatbots in other languages.
        multilingual_model_dir: PathBuf = "", folder();
        /// Minimum cosine similarity of a passage that can be an answer, with the embedding model of an endpoint. The
        /// built-in models have their own thresholds.
        relevance_threshold: f32 = "0.45", number(0.0..=1.0);
        /// Number of best passages that one answer may use.
        top_k: usize = "6", number(1..=50),
            constant "an answer quotes far fewer";
    }

    /// The language model.
    generator: GeneratorConfig {
        /// Chat endpoint of OpenAI's protocol, without /chat/completions, such as http://127.0.0.1:8090/v1. When empty,
        /// answers quote the documents.
        url: Option<Url> = "", optional(url());
        /// Bearer token for it.
        api_key: Option<Secret> = "", secret("a text", |_| true), formerly "generator.key";
        /// The model's name there.
        model: String = "", text("a text, not empty when generator.url is set");
        /// Longest time for a complete answer.
        timeout_seconds: u64 = "60", seconds(1..=600);
        /// Maximum number of tokens of an answer.
        max_tokens: u32 = "600", number(1..=100_000);
        /// Maximum number of tokens of a prompt for the conversation so far.
        history_tokens: usize = "1000", number(1..=100_000),
            constant "the last turns, which a question can refer to";
        /// Maximum number of tokens of a prompt for the passages. A prompt has one to four passages.
        passage_tokens: usize = "1200", number(100..=100_000),
            constant "four passages with their neighbours";
        /// Target time until the first word. The prompt contains only as many passages as the chat endpoint can read in this
        /// time, judged by its earlier answers and timeouts. With 0, it contains as many as generator.passage_tokens allows.
        first_word_seconds: u64 = "12", number(0..=600),
            constant "visitors leave after that";
        /// Longest wait for a place at the chat endpoint and for the first word.
        first_token_seconds: u64 = "20", seconds(1..=600),
            constant "visitors leave after that";
        /// Answers that the endpoint makes at the same time. Further ones wait.
        max_concurrent: usize = "16", concurrency();
        /// Context size of the model in tokens, for prompt and answer together. Conversation and passages are shortened
        /// to fit.
        window_tokens: Option<usize> = "", window();
        /// Price of prompts, for the usage of tenants.
        prompt_price: f64 = "0", price();
        /// Price of what the endpoint read from its cache.
        cached_price: f64 = "0", price();
        /// Price of answers.
        answer_price: f64 = "0", price();
        /// The currency of prices.
        currency: String = "EUR", currency();
        /// What happens to sentences that no passage supports: strict leaves them out, mark adds [?]. Both leave out
        /// sentences with numbers, links, addresses and commands that are in no passage. off verifies only citations.
        unsupported_sentences: Unsupported = "strict", one_of([
            ("strict", Unsupported::Strict), ("mark", Unsupported::Mark), ("off", Unsupported::Off),
        ]);
        /// What a visitor gets while the model is not available: sentences of the documents, or a 503.
        when_unavailable: WhenUnavailable = "quoted", one_of([
            ("quoted", WhenUnavailable::Quoted), ("error", WhenUnavailable::Error),
        ]);
    }

    /// An embedding endpoint, instead of the models in the process.
    embeddings: EmbeddingsConfig {
        /// Embedding endpoint of OpenAI's protocol, without /embeddings. When empty, the models of rag.* run in the
        /// process.
        url: Option<Url> = "", optional(url());
        /// Bearer token for it.
        api_key: Option<Secret> = "", secret("a text", |_| true), formerly "embeddings.key";
        /// The model's name there. The server refuses to start when another model filled the collections of active
        /// chatbots.
        model: String = "", text("a text, not empty when embeddings.url is set");
        /// Longest time for one request to the embedding endpoint.
        timeout_seconds: u64 = "30", seconds(1..=600),
            constant "a batch of 32 passages on a slow machine";
        /// Prefix for questions, such as query: for models of the E5 family. A space is added after it.
        query_prefix: String = "", text("a text, or empty");
        /// Prefix for passages, such as passage:.
        document_prefix: String = "", text("a text, or empty");
        /// Whether chatbots in other languages that were created with the English model move to the multilingual one, in the
        /// background.
        migrate: bool = "true", switch(),
            constant "the English model does not know other languages";
    }

    /// Optional reranker.
    reranker: RerankerConfig {
        /// Rerank endpoint, without /rerank, such as http://127.0.0.1:8090/v1. Without it and reranker.model_dir,
        /// nothing is reranked.
        url: Option<Url> = "", optional(url());
        /// Bearer token for it.
        api_key: Option<Secret> = "", secret("a text", |_| true), formerly "reranker.key";
        /// The model's name there.
        model: String = "", text("a text, not empty when reranker.url is set and reranker.protocol is jina");
        /// jina (Jina, Cohere, vLLM, llama.cpp) or tei (text-embeddings-inference).
        protocol: Protocol = "jina", one_of([("jina", Protocol::Jina), ("tei", Protocol::Tei)]);
        /// Folder of a cross-encoder that runs in process: config.json, tokenizer.json and model.safetensors of the
        /// BERT or XLM-RoBERTa family with one output.
        model_dir: Option<PathBuf> = "", optional(folder()).described_as("a folder, not together with reranker.url");
        /// Number of passages of each search that the reranker orders. The best rag.top_k of them are used.
        candidates: usize = "20", number(2..=100),
            constant "what a cross-encoder reads while a visitor waits";
        /// Longest wait for the reranker. After that, the combined order of both searches stays.
        timeout_ms: u64 = "2000", milliseconds(50..=60_000),
            constant "a visitor waits for it";
    }

    /// Optional vector store outside of the database.
    qdrant: QdrantConfig {
        /// REST interface of Qdrant (1.11 or later), such as http://127.0.0.1:6333, that searches the vectors of
        /// passages. When empty, pgvector does.
        url: Option<Url> = "", optional(url());
        /// API key for it.
        api_key: Option<Secret> = "", secret("a text", |_| true);
        /// Longest time for one search in Qdrant. Writes may take ten times as long.
        timeout_seconds: u64 = "5", seconds(1..=600),
            constant "a visitor waits for it";
    }

    /// Limits of concurrent answers.
    answers: AnswersConfig {
        /// Questions answered at the same time, not counting those that wait for their language model. When empty: one
        /// for each core and at least 2, or 16 with a language model.
        max_concurrent: Option<usize> = "", optional(number(1..=10_000)), formerly "answers.at_once";
        /// The same for one chatbot, so that a flood of questions leaves room for the others. Half of all when empty.
        max_concurrent_per_chatbot: Option<usize> = "",
            optional(number(1..=10_000)), formerly "answers.at_once_per_chatbot",
            constant "it follows from the places of all";
        /// Number of questions that may wait for one chatbot. Tenants and their chatbots take turns. Further questions are a 429.
        max_queued_per_chatbot: usize = "50", number(0..=10_000), formerly "answers.waiting_per_chatbot",
            constant "what is answered within the longest wait";
        /// Longest wait of a question in the queue; then it is a 503.
        queue_timeout_seconds: u64 = "10", seconds(1..=600), formerly "answers.wait_seconds";
    }
}
