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
        /// Folder of the embedding model of English chatbots (safetensors and tokenizer): the fetched one in
        /// paths.parts_dir when empty.
        model_dir: PathBuf = "", folder();
        /// Folder of the embedding model of chatbots in other languages: the fetched one in paths.parts_dir when empty.
        multilingual_model_dir: PathBuf = "", folder();
        /// Cosine similarity under which a passage is not an answer, for an embedding model of an endpoint; the built-in models
        /// have their own.
        relevance_threshold: f32 = "0.45", number(0.0..=1.0);
        /// Best passages that one answer may be made of.
        top_k: usize = "6", number(1..=50);
    }

    /// The language model.
    generator: GeneratorConfig {
        /// Chat endpoint that speaks OpenAI's protocol, up to and without /chat/completions, such as
        /// http://127.0.0.1:8090/v1. When empty, answers are made by extraction.
        url: Option<Url> = "", optional(url());
        /// Bearer token of the chat endpoint, if it wants one.
        api_key: Option<Secret> = "", secret("a text", |_| true), formerly "generator.key";
        /// The model's name at the chat endpoint.
        model: String = "", text("a text, not empty when generator.url is set");
        /// Longest time for a whole answer of the model.
        timeout_seconds: u64 = "60", seconds(1..=600);
        /// Tokens that an answer of the model may have.
        max_tokens: u32 = "600", number(1..=100_000);
        /// Tokens of a prompt that the conversation so far may take.
        history_tokens: usize = "1000", number(1..=100_000);
        /// Tokens of a prompt that the passages may take; four passages at most, and one at least.
        passage_tokens: usize = "1200", number(100..=100_000);
        /// When the first word should come: as many passages are sent as the chat endpoint has read in this time so far. 0 sends as
        /// many as generator.passage_tokens allows.
        first_word_seconds: u64 = "12", number(0..=600);
        /// Longest wait for a place at the chat endpoint and for the first word.
        first_token_seconds: u64 = "20", seconds(1..=600);
        /// Answers that the chat endpoint makes at the same time; further ones wait for a place.
        max_concurrent: usize = "16", concurrency();
        /// Tokens of prompt and answer together that the model has room for; conversation and passages are cut to it. When empty, they
        /// are as long as the settings above allow.
        window_tokens: Option<usize> = "", window();
        /// What a million tokens of prompts cost, for the usage of tenants.
        prompt_price: f64 = "0", price();
        /// What a million tokens cost that the endpoint had in its cache.
        cached_price: f64 = "0", price();
        /// What a million tokens of answers cost.
        answer_price: f64 = "0", price();
        /// The currency of prices.
        currency: String = "EUR", currency();
        /// What becomes of sentences that no passage supports: they are left out, or marked with [?]. Both leave out
        /// numbers, links, addresses and commands that stand in no passage. off verifies nothing but citations.
        unsupported_sentences: Unsupported = "strict", one_of([
            ("strict", Unsupported::Strict), ("mark", Unsupported::Mark), ("off", Unsupported::Off),
        ]);
        /// What a visitor gets while the model cannot be asked: sentences of the documents, or a 503.
        when_unavailable: WhenUnavailable = "quoted", one_of([
            ("quoted", WhenUnavailable::Quoted), ("error", WhenUnavailable::Error),
        ]);
    }

    /// The embedding endpoint, when the model in process does not embed.
    embeddings: EmbeddingsConfig {
        /// Embedding endpoint that speaks OpenAI's protocol, up to and without /embeddings. When empty, the model of
        /// rag.model_dir embeds in process.
        url: Option<Url> = "", optional(url());
        /// Bearer token of the embedding endpoint, if it wants one.
        api_key: Option<Secret> = "", secret("a text", |_| true), formerly "embeddings.key";
        /// The model's name at the embedding endpoint. Collections that another model filled stop the start.
        model: String = "", text("a text, not empty when embeddings.url is set");
        /// Longest time for one request to the embedding endpoint.
        timeout_seconds: u64 = "30", seconds(1..=600);
        /// What questions begin with before they are sent to the embedding endpoint, such as query: for models of the
        /// E5 family; a space follows it.
        query_prefix: String = "", text("a text, or empty");
        /// The same for passages, such as passage:.
        document_prefix: String = "", text("a text, or empty");
        /// Whether chatbots in other languages than English that were made with the English model move to the
        /// multilingual one, in the background.
        migrate: bool = "true", switch();
    }

    /// Optional reranker.
    reranker: RerankerConfig {
        /// Base URL of a rerank endpoint, without /rerank, such as http://127.0.0.1:8090/v1. Without
        /// it and reranker.model_dir the fused order of both searches stays.
        url: Option<Url> = "", optional(url());
        /// Bearer token of the rerank endpoint, if it wants one.
        api_key: Option<Secret> = "", secret("a text", |_| true), formerly "reranker.key";
        /// The model's name at the rerank endpoint.
        model: String = "", text("a text, not empty when reranker.url is set and reranker.protocol is jina");
        /// What requests look like: as Jina, Cohere, vLLM and llama.cpp read them, or as text-embeddings-inference
        /// does.
        protocol: Protocol = "jina", one_of([("jina", Protocol::Jina), ("tei", Protocol::Tei)]);
        /// Folder of a cross-encoder that orders passages in process: config.json, tokenizer.json and
        /// model.safetensors of the BERT or XLM-RoBERTa family with one output.
        model_dir: Option<PathBuf> = "", optional(folder()).described_as("a folder, not together with reranker.url");
        /// Passages of each search that the reranker looks at; rag.top_k of them go on.
        candidates: usize = "20", number(2..=100);
        /// Longest wait for the reranker; then the fused order stays.
        timeout_ms: u64 = "2000", milliseconds(50..=60_000);
    }

    /// Optional vector store outside of the database.
    qdrant: QdrantConfig {
        /// REST interface of a Qdrant server or cluster (1.11 or later), such as http://127.0.0.1:6333, that searches
        /// the vectors of passages. When empty, the database does, with pgvector.
        url: Option<Url> = "", optional(url());
        /// API key of Qdrant, if it wants one.
        api_key: Option<Secret> = "", secret("a text", |_| true);
        /// Longest time for one search in Qdrant; writing may take ten times as long.
        timeout_seconds: u64 = "5", seconds(1..=600);
    }

    /// Limits of concurrent answers.
    answers: AnswersConfig {
        /// Questions worked on at the same time, each with its search, embedding and answer. When empty: one for each
        /// core and at least 2, or 16 with a language model, which does its work elsewhere.
        max_concurrent: Option<usize> = "", optional(number(1..=10_000)), formerly "answers.at_once";
        /// The same of one chatbot, so that a flood of questions leaves the others room. Half of all when empty.
        max_concurrent_per_chatbot: Option<usize> = "",
            optional(number(1..=10_000)), formerly "answers.at_once_per_chatbot";
        /// Questions that may wait for one chatbot; tenants take turns, and their chatbots. Further ones are a 429.
        max_queued_per_chatbot: usize = "50", number(0..=10_000), formerly "answers.waiting_per_chatbot";
        /// Longest wait for a turn; then a question is a 503.
        queue_timeout_seconds: u64 = "10", seconds(1..=600), formerly "answers.wait_seconds";
    }
}
