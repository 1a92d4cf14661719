//! The table of settings: the only place where a setting's name, default and meaning are written down.

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// `section.name`, as in the TOML file.
    pub key: &'static str,
    /// What a value looks like, in words that complete "allowed is ...".
    pub kind: &'static str,
    /// The default as it would be written; empty means not set (or derived, as the meaning says).
    pub default: &'static str,
    /// Whether the value is masked when it is shown.
    pub secret: bool,
    /// What it is for, in one or two sentences.
    pub meaning: &'static str,
}

impl Setting {
    /// The environment variable: `http.base_url` is `SVC_HTTP_BASE_URL`.
    #[must_use]
    pub fn env(&self) -> String {
        format!("SVC_{}", self.key.replace('.', "_").to_uppercase())
    }

    /// A value as it may be shown: masked when it is a secret, or may hold a password as part of an address.
    #[must_use]
    pub fn shown<'a>(&self, text: &'a str) -> &'a str {
        if self.secret || text.contains('@') { "***" } else { text }
    }
}

const fn open(key: &'static str, kind: &'static str, default: &'static str, meaning: &'static str) -> Setting {
    Setting { key, kind, default, secret: false, meaning }
}

const fn masked(key: &'static str, kind: &'static str, meaning: &'static str) -> Setting {
    Setting { key, kind, default: "", secret: true, meaning }
}

const ADDRESS: &str = "an IP address such as 127.0.0.1, 0.0.0.0 or ::";
const BYTES: &str = "a number of bytes from 1024 to 104857600";
const CONNECTION: &str = "a connection address such as postgres://user:password@host:5432/database";
const CONNECTIONS: &str = "a number from 1 to 500";
const CONNECTIONS_HELD: &str = "a number from 1 to 100000";
const CIDRS: &str = "a list of networks such as 10.0.0.0/8 or ::1/128, separated by commas";
const COUNT: &str = "a number from 1 to 50";
const FILE: &str = "a file; a relative path starts at the working directory";
const FOLDER: &str = "a folder; relative ones start at the working directory";
const FRACTION: &str = "a number from 0 to 1";
const MILLISECONDS: &str = "a number of milliseconds from 100 to 600000";
const MODEL_SECONDS: &str = "a number of seconds from 1 to 600";
const ORIGINS: &str = "a list of origins such as https://www.example.com, separated by commas";
const PORT: &str = "a port number from 1 to 65535";
const BURST: &str = "a number from 1 to 1000000";
const PARALLEL: &str = "a number from 1 to 10000, or empty";
const RATE: &str = "a number from 0 to 100000";
const SECONDS: &str = "a number of seconds from 0 to 600";
const TIMEOUT: &str = "a number of seconds from 1 to 600";
const POLL_SECONDS: &str = "a number of seconds from 1 to 3600";
const SWITCH: &str = "true or false";
const TOKENS: &str = "a number from 1 to 100000";
const URL: &str = "an http or https address such as https://chat.example.com";

/// Every setting, in the order in which it is documented.
pub const SETTINGS: &[Setting] = &[
    open("http.host", ADDRESS, "127.0.0.1", "Address that the platform listens on."),
    open("http.port", PORT, "8080", "Port that the platform listens on."),
    open(
        "http.base_url",
        URL,
        "",
        "Address under which browsers reach the platform. Derived from host and port when empty.",
    ),
    open(
        "http.body_limit_bytes",
        BYTES,
        "1048576",
        "Largest accepted request body; a larger one is answered with 413.",
    ),
    open(
        "http.drain_seconds",
        SECONDS,
        "5",
        "How long requests are still accepted after a stop signal, while /health/ready is 503; longer than a proxy needs to \
         notice. `demo` does not wait.",
    ),
    open("http.shutdown_seconds", SECONDS, "10", "How long running requests may take after that."),
    open(
        "http.max_connections",
        CONNECTIONS_HELD,
        "1000",
        "Most connections held at the same time. 50 further ones are accepted for one request each: health checks are answered, \
         everything else is 503. The process needs as many open files and some more.",
    ),
    open(
        "http.max_connections_per_address",
        CONNECTIONS_HELD,
        "200",
        "Most connections of one client address (IPv6: of one /64); further ones are answered with 503. Not for the addresses \
         of http.trusted_proxies.",
    ),
    open(
        "http.min_bytes_per_second",
        "a number from 0 to 1000000",
        "1000",
        "Slowest client, averaged over 30 seconds, whose request body is waited for, and slowest reader of an answer that is \
         not a stream. 0 is no bound.",
    ),
    open("http.head_seconds", TIMEOUT, "10", "Longest time in which the head of a request arrives."),
    open("http.body_seconds", TIMEOUT, "30", "Longest wait for the rest of a request's body."),
    open(
        "http.idle_seconds",
        TIMEOUT,
        "75",
        "Longest time that a connection stays open between two requests; longer than a proxy in front keeps its own.",
    ),
    open("http.write_idle_seconds", TIMEOUT, "30", "Longest time in which a reader takes nothing of an answer."),
    open("http.trusted_proxies", CIDRS, "", "Proxies whose X-Forwarded-For header is believed."),
    open(
        "health.strict",
        SWITCH,
        "false",
        "Whether /health/ready is 503 as soon as any dependency is away. Otherwise it is 503 only when calls cannot be served, \
         and says `degraded` when Redis, the identity provider or Qdrant is away.",
    ),
    open(
        "auth.url",
        URL,
        "",
        "Address of the identity provider; issuers are {url}/realms/<realm>. Derived from auth.port when empty.",
    ),
    open(
        "auth.embedded",
        SWITCH,
        "false",
        "Run the embedded identity provider of the demo world. `demo` always does, `serve` refuses it.",
    ),
    open("auth.port", PORT, "8081", "Port of the embedded identity provider, on 127.0.0.1."),
    open(
        "auth.realm_dir",
        FOLDER,
        "deploy/realms",
        "Folder of the realm files (*-realm.json) of the embedded identity provider.",
    ),
    masked(
        "auth.audit_client_secret",
        "a text",
        "Secret of the client svc-platform-audit, with which logins of vendors are read into the vendor access log; without \
         it nothing is read. `demo` takes the demo world's.",
    ),
    open(
        "auth.audit_poll_seconds",
        POLL_SECONDS,
        "60",
        "How often login events are read, when auth.audit_client_secret is set.",
    ),
    open(
        "auth.console_client",
        "operator-ui, svc-api-vendor-breakglass or svc-api-vendor-tunnel",
        "operator-ui",
        "Client that the operator console signs in with; another one than operator-ui makes this an emergency instance, whose \
         sessions end two hours after the sign-in.",
    ),
    masked(
        "auth.console_client_secret",
        "a text",
        "Secret of that client; needed unless it is operator-ui. It stays on the server. `demo` takes the demo world's.",
    ),
    masked(
        "database.url",
        CONNECTION,
        "Connection of the restricted login role. Without it, `demo` starts the embedded PostgreSQL; `serve` needs it.",
    ),
    masked(
        "database.admin_url",
        CONNECTION,
        "Connection of the role that owns the tables, for `migrate`, and for `demo` together with database.url.",
    ),
    open(
        "database.bin_dir",
        FOLDER,
        "",
        "Folder with the programs of the embedded PostgreSQL: the fetched ones in paths.parts_dir when empty.",
    ),
    open(
        "database.data_dir",
        FOLDER,
        "",
        "Folder of the embedded PostgreSQL's data: `postgres` in paths.var_dir when empty.",
    ),
    open("database.port", PORT, "8085", "Port of the embedded PostgreSQL, on 127.0.0.1."),
    open("database.pool_size", CONNECTIONS, "16", "Most database connections held at the same time."),
    open(
        "database.export_pool_size",
        "a number from 1 to 100",
        "8",
        "Most CSV exports at the same time; each holds a database connection of its own until its reader has everything.",
    ),
    open(
        "database.connections_per_tenant",
        CONNECTIONS,
        "4",
        "Most of these connections that the users of one tenant hold together; as many has each tenant's widget, and have all \
         operators, and all vendors.",
    ),
    open(
        "database.connections_for_consoles",
        "a number from 1 to 500, or empty",
        "",
        "Most of these connections that consoles and the REST interface hold; the others are for widgets, sign-in and health. \
         When empty: five eighths of database.pool_size.",
    ),
    open(
        "database.tenant_queue_seconds",
        TIMEOUT,
        "5",
        "Longest wait of a call beyond its tenant's share of the connections; then it is a 429.",
    ),
    open(
        "database.waiting_per_tenant",
        "a number from 10 to 10000",
        "200",
        "Calls of one tenant's users that may wait like that. Further ones are a 429 at once.",
    ),
    open("database.statement_timeout_ms", MILLISECONDS, "10000", "Longest running time of one SQL statement."),
    open(
        "database.prepared_statements",
        SWITCH,
        "true",
        "Whether statements stay prepared on a connection. Behind a pooler that hands out connections by the transaction and \
         knows no prepared statements (PgBouncer before 1.21, or without max_prepared_statements), set it to false.",
    ),
    open("site.port", PORT, "8082", "Port of the demo site, on 127.0.0.1."),
    open("cors.allowed_origins", ORIGINS, "", "Other origins whose pages may read answers of the public endpoints."),
    open(
        "cors.tenant_origins",
        SWITCH,
        "false",
        "Whether the widget endpoints also admit the tenant's own allowed_origins. `demo` turns it on.",
    ),
    open(
        "widget.legacy_chatbot",
        "the id of a chatbot",
        "",
        "The chatbot that pages of the older demo deployment talk to, whose snippets name none (`POST /api/query`).",
    ),
    open("metrics.allowlist", CIDRS, "127.0.0.0/8,::1/128", "Networks of clients that may read /metrics."),
    open(
        "rag.model_dir",
        FOLDER,
        "",
        "Folder of the embedding model (safetensors and tokenizer): the fetched one in paths.parts_dir when empty.",
    ),
    open("rag.relevance_threshold", FRACTION, "0.45", "Cosine similarity under which a passage is not an answer."),
    open("rag.top_k", COUNT, "6", "Passages taken from the index for one question."),
    open(
        "generator.url",
        URL,
        "",
        "Chat endpoint that speaks OpenAI's protocol, up to and without /chat/completions, such as \
         http://127.0.0.1:8090/v1. When empty, answers are made by extraction.",
    ),
    masked("generator.key", "a text", "Bearer token of the chat endpoint, if it wants one."),
    open(
        "generator.model",
        "a text, not empty when generator.url is set",
        "",
        "The model's name at the chat endpoint.",
    ),
    open("generator.timeout_seconds", MODEL_SECONDS, "60", "Longest time for a whole answer of the model."),
    open("generator.max_tokens", TOKENS, "600", "Tokens that an answer of the model may have."),
    open("generator.history_tokens", TOKENS, "1000", "Tokens of a prompt that the conversation so far may take."),
    open(
        "embeddings.url",
        URL,
        "",
        "Embedding endpoint that speaks OpenAI's protocol, up to and without /embeddings. When empty, the model of rag.model_dir \
         embeds in process.",
    ),
    masked("embeddings.key", "a text", "Bearer token of the embedding endpoint, if it wants one."),
    open(
        "embeddings.model",
        "a text, not empty when embeddings.url is set",
        "",
        "The model's name at the embedding endpoint. Collections that another model filled stop the start.",
    ),
    open("embeddings.timeout_seconds", MODEL_SECONDS, "30", "Longest time for one request to the embedding endpoint."),
    open(
        "reranker.url",
        URL,
        "",
        "Endpoint that orders passages anew, up to and without /rerank, such as http://127.0.0.1:8090/v1. Without it and \
         reranker.model_dir the fused order of both searches stays.",
    ),
    masked("reranker.key", "a text", "Bearer token of the rerank endpoint, if it wants one."),
    open(
        "reranker.model",
        "a text, not empty when reranker.url is set and reranker.protocol is jina",
        "",
        "The model's name at the rerank endpoint.",
    ),
    open(
        "reranker.protocol",
        "jina or tei",
        "jina",
        "What requests look like: as Jina, Cohere, vLLM and llama.cpp read them, or as text-embeddings-inference does.",
    ),
    open(
        "reranker.model_dir",
        "a folder, not together with reranker.url",
        "",
        "Folder of a cross-encoder that orders passages in process: config.json, tokenizer.json and model.safetensors of the \
         BERT or XLM-RoBERTa family with one output.",
    ),
    open(
        "reranker.candidates",
        "a number from 2 to 100",
        "20",
        "Passages of each search that the reranker looks at; rag.top_k of them go on.",
    ),
    open(
        "reranker.timeout_ms",
        "a number of milliseconds from 50 to 60000",
        "2000",
        "Longest wait for the reranker; then the fused order stays.",
    ),
    open(
        "qdrant.url",
        URL,
        "",
        "REST interface of a Qdrant server or cluster (1.10 or later), such as http://127.0.0.1:6333, that searches the vectors of \
         passages. When empty, the database does, with pgvector.",
    ),
    masked("qdrant.api_key", "a text", "API key of Qdrant, if it wants one."),
    open(
        "qdrant.timeout_seconds",
        MODEL_SECONDS,
        "5",
        "Longest time for one search in Qdrant; writing may take ten times as long.",
    ),
    open(
        "answers.at_once",
        PARALLEL,
        "",
        "Questions worked on at the same time, each with its search, embedding and answer. When empty: one for each core and at \
         least 2, or 16 with a language model, which does its work elsewhere.",
    ),
    open(
        "answers.at_once_per_chatbot",
        PARALLEL,
        "",
        "The same of one chatbot, so that a flood of questions leaves the others room. Half of all when empty.",
    ),
    open(
        "answers.waiting_per_chatbot",
        "a number from 0 to 10000",
        "50",
        "Questions that may wait for one chatbot; tenants take turns, and their chatbots. Further ones are a 429.",
    ),
    open("answers.wait_seconds", TIMEOUT, "10", "Longest wait for a turn; then a question is a 503."),
    open(
        "conversations.retention_days",
        "a number of days from 0 to 36500",
        "365",
        "Conversations that were silent for longer are removed, daily and at start; their feedback stays without them. 0 keeps \
         conversations for ever.",
    ),
    open(
        "collections.idle_days",
        "a number of days from 0 to 36500",
        "30",
        "Collections of chatbots that were deactivated for longer are dropped; their passages are kept, and go back to a collection \
         when the chatbot is provisioned again. 0 keeps collections for ever.",
    ),
    open(
        "limits.chatbots_per_tenant",
        "a number from 1 to 100000",
        "200",
        "Chatbots with a collection that a tenant may have; one more is a 422. A chatbot that was deactivated counts until its \
         collection is dropped.",
    ),
    open(
        "exports.max_seconds",
        "a number of seconds from 1 to 86400",
        "1800",
        "Longest time of one CSV export; then it is broken off, and its audit row says that it failed.",
    ),
    open(
        "output_filter.rules_file",
        FILE,
        "",
        "Rules that every answer passes, in the form of deploy/output-filter.toml, which is built in and used when empty.",
    ),
    open(
        "rate_limit.public_per_second",
        RATE,
        "30",
        "Calls of the widget's endpoints per second from one client address (IPv6: one /64). 0 is no limit.",
    ),
    open("rate_limit.public_burst", BURST, "600", "The same at once, as when many visitors share an address."),
    open(
        "rate_limit.visitor_per_second",
        RATE,
        "3",
        "Questions per second to one chatbot from one client address (IPv6: one /64). 0 is no limit.",
    ),
    open("rate_limit.visitor_burst", BURST, "60", "The same at once, as when a class asks behind one address."),
    open(
        "rate_limit.chatbot_per_second",
        RATE,
        "20",
        "Questions per second to one chatbot, from all clients. 0 is no limit.",
    ),
    open("rate_limit.chatbot_burst", BURST, "200", "The same at once."),
    open(
        "rate_limit.feedback_per_second",
        RATE,
        "5",
        "Ratings per second of one chatbot's answers, from all clients. 0 is no limit.",
    ),
    open("rate_limit.feedback_burst", BURST, "100", "The same at once."),
    open("rate_limit.principal_per_second", RATE, "50", "Calls per second with tokens of one user. 0 is no limit."),
    open("rate_limit.principal_burst", BURST, "500", "The same at once."),
    open(
        "rate_limit.failed_per_second",
        RATE,
        "5",
        "Tokens per second with a wrong signature from one client address; then its calls with a token that was not accepted \
         lately wait. 0 is no limit.",
    ),
    open("rate_limit.failed_burst", BURST, "100", "The same at once."),
    masked(
        "redis.url",
        "an address such as redis://user:password@host:6379/0, or rediss:// with TLS",
        "Redis (or Valkey) that several processes count requests in. Without one each process counts for itself.",
    ),
    open("logging.format", "text or json", "text", "How log lines look."),
    open("logging.level", "a filter such as warn, info or info,server=debug", "info", "Which log lines are written."),
    open("paths.var_dir", FOLDER, "var", "Folder of everything that changes while running."),
    open(
        "paths.parts_dir",
        FOLDER,
        "var/parts",
        "Folder of the fetched parts, as `make setup` writes it; several instances share it.",
    ),
    open("paths.dist_dir", FOLDER, "dist", "Folder of what browsers load, as `make build` writes it."),
    masked(
        "loadtest.secret",
        "a text of at least 32 characters",
        "Value of the header that bypasses rate limits in load tests. Off when empty.",
    ),
];
