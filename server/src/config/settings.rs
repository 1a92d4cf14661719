//! Every setting, declared once: name, type, default, allowed values and meaning.

use std::{net::IpAddr, path::PathBuf, sync::LazyLock};

use contract::{ChatbotId, clients::OPERATOR_CONSOLES};
use rag::{generate::verify::Unsupported, rerank::Protocol};
use url::Url;

use super::{
    Cidr, ConfigError, LogFormat, Secret, Setting, Values, WhenUnavailable,
    endpoints::{concurrency, price, window},
    kind::{
        Kind, bucket, bytes, chatbot, currency, days, file, folder, log_filter, milliseconds, networks, number, one_of,
        optional, origins, parsed, port, seconds, secret, switch, text, url,
    },
    setting::settings,
};

const CONNECTION: &str = "a connection address such as postgres://user:password@host:5432/database";

settings! {
    /// The platform's own listener.
    http: HttpConfig {
        /// Address that the platform listens on.
        host: IpAddr = "127.0.0.1", parsed("an IP address such as 127.0.0.1, 0.0.0.0 or ::");
        /// Port that the platform listens on.
        port: u16 = "8080", port();
        /// Address under which browsers reach the platform. Derived from host and port when empty.
        base_url: Url = "", url();
        /// Largest accepted request body; a larger one is answered with 413.
        body_limit_bytes: usize = "1048576", bytes(1024..=104_857_600);
        /// How long requests are still accepted after a stop signal, while /health/ready is 503; longer than a proxy
        /// needs to notice. `demo` does not wait.
        drain_seconds: u64 = "5", seconds(0..=600);
        /// How long running requests may take after that.
        shutdown_seconds: u64 = "10", seconds(0..=600);
        /// Most connections held at the same time. 50 further ones are accepted for one request each: health checks
        /// are answered, everything else is 503. The process needs as many open files and some more.
        max_connections: usize = "1000", number(1..=100_000);
        /// Most connections of one client address (IPv6: of one /64); further ones are answered with 503. Not for the
        /// addresses of http.trusted_proxies.
        max_connections_per_address: usize = "200", number(1..=100_000);
        /// Slowest client, averaged over 30 seconds, whose request body is waited for, and slowest reader of an
        /// answer that is not a stream. 0 is no bound.
        min_bytes_per_second: u64 = "1000", number(0..=1_000_000);
        /// Longest time in which the head of a request arrives.
        header_timeout_seconds: u64 = "10", seconds(1..=600), formerly "http.head_seconds";
        /// Longest wait for the rest of a request's body.
        body_timeout_seconds: u64 = "30", seconds(1..=600), formerly "http.body_seconds";
        /// Longest time that a connection stays open between two requests; longer than a proxy in front keeps its
        /// own.
        idle_timeout_seconds: u64 = "75", seconds(1..=600), formerly "http.idle_seconds";
        /// Longest time in which a reader takes nothing of an answer.
        write_timeout_seconds: u64 = "30", seconds(1..=600), formerly "http.write_idle_seconds";
        /// Proxies whose X-Forwarded-For header is believed.
        trusted_proxies: Vec<Cidr> = "", networks();
    }

    /// What readiness says.
    health: HealthConfig {
        /// Whether /health/ready is 503 as soon as any dependency is away. Otherwise it is 503 only when calls cannot
        /// be served, and says `degraded` when Redis, the identity provider or Qdrant is away.
        strict: bool = "false", switch();
    }

    /// The identity provider.
    auth: AuthConfig {
        /// Port of the embedded identity provider, on 127.0.0.1.
        port: u16 = "8081", port();
        /// Address of the identity provider; issuers are {url}/realms/{realm}. Derived from auth.port when empty.
        url: Url = "", url();
        /// Run the embedded identity provider of the demo world. `demo` does unless this is false, `serve` refuses it.
        embedded: bool = "false", switch();
        /// Folder of the realm files (*-realm.json) of the embedded identity provider.
        realm_dir: PathBuf = "deploy/realms", folder();
        /// Secret of the client svc-platform-audit, with which logins of vendors are read into the vendor access log;
        /// without it nothing is read. `demo` takes the demo world's.
        audit_client_secret: Option<Secret> = "", secret("a text", |_| true);
        /// How often login events are read, when auth.audit_client_secret is set.
        audit_poll_seconds: u64 = "60", seconds(1..=3600);
        /// Secret of the client svc-people, with which people of tenants are managed; without it they are managed at the
        /// identity provider only. `demo` takes the demo world's.
        people_client_secret: Option<Secret> = "", secret("a text", |_| true);
        /// Longest time of one call to the identity provider about people.
        people_timeout_seconds: u64 = "5", seconds(1..=60);
        /// Whether the identity provider is asked at each call of a tenant's user whether their session has ended, at most every
        /// five seconds for a session. Needs auth.people_client_secret. While the provider is away, users of tenants get 503;
        /// widgets are not concerned.
        check_sessions: bool = "false", switch();
        /// Client that the operator console signs in with; another one than operator-ui makes this an emergency
        /// instance, whose sessions end two hours after the sign-in.
        console_client: String = "operator-ui",
            one_of(OPERATOR_CONSOLES.map(|client| (client, client.to_owned())));
        /// Secret of that client; needed unless it is operator-ui. It stays on the server. `demo` takes the demo
        /// world's.
        console_client_secret: Option<Secret> = "", secret("a text", |_| true);
    }

    /// PostgreSQL.
    database: DatabaseConfig {
        /// Connection of the restricted login role. Without it, `demo` starts the embedded PostgreSQL; `serve` needs
        /// it.
        url: Option<Secret> = "", secret(CONNECTION, store::bootstrap::is_address);
        /// Connection of the role that owns the tables, for `migrate`, and for `demo` together with database.url.
        admin_url: Option<Secret> = "", secret(CONNECTION, store::bootstrap::is_address);
        /// Folder with the programs of the embedded PostgreSQL: the fetched ones in paths.parts_dir when empty.
        bin_dir: PathBuf = "", folder();
        /// Folder of the embedded PostgreSQL's data: `postgres` in paths.var_dir when empty.
        data_dir: PathBuf = "", folder();
        /// Port of the embedded PostgreSQL, on 127.0.0.1.
        port: u16 = "8085", port();
        /// Most database connections held at the same time.
        pool_size: u32 = "16", number(1..=500);
        /// Most CSV exports at the same time; each holds a database connection of its own until its reader has
        /// everything.
        export_pool_size: u32 = "8", number(1..=100);
        /// Most of these connections that the users of one tenant hold together; as many has each tenant's widget,
        /// and have all operators, and all vendors.
        connections_per_tenant: u32 = "4", number(1..=500);
        /// Most of these connections that consoles and the REST interface hold; the others are for widgets, sign-in
        /// and health. When empty: five eighths of database.pool_size.
        connections_for_consoles: Option<u32> = "", optional(number(1..=500));
        /// Longest wait of a call beyond its tenant's share of the connections; then it is a 429.
        queue_timeout_seconds: u64 = "5", seconds(1..=600), formerly "database.tenant_queue_seconds";
        /// Calls of one tenant's users that may wait like that. Further ones are a 429 at once.
        max_queued_per_tenant: u32 = "200", number(10..=10_000), formerly "database.waiting_per_tenant";
        /// Longest running time of one SQL statement.
        statement_timeout_ms: u64 = "10000", milliseconds(100..=600_000);
        /// Whether statements stay prepared on a connection. Behind a pooler that hands out connections by the
        /// transaction and knows no prepared statements (PgBouncer before 1.21, or without max_prepared_statements),
        /// set it to false.
        prepared_statements: bool = "true", switch();
    }

    /// The demo site.
    site: SiteConfig {
        /// Port of the demo site, on 127.0.0.1.
        port: u16 = "8082", port();
        /// Whether `demo` begins with two weeks of conversations, ratings and open questions, with documents of the demo
        /// site's shop and with a German chatbot.
        showcase: bool = "true", switch();
    }

    /// Other origins that may read answers.
    cors: CorsConfig {
        /// Other origins whose pages may read answers of the public endpoints.
        allowed_origins: Vec<String> = "", origins();
        /// Whether the widget endpoints also admit the tenant's own allowed_origins. `demo` turns it on.
        tenant_origins: bool = "false", switch();
    }

    /// The widget's endpoints.
    widget: WidgetConfig {
        /// The chatbot that pages of the older demo deployment talk to, whose snippets name none (`POST /api/query`).
        legacy_chatbot: Option<ChatbotId> = "", optional(chatbot());
    }

    /// Who may read the metrics.
    metrics: MetricsConfig {
        /// Networks of clients that may read /metrics.
        allowlist: Vec<Cidr> = "127.0.0.0/8,::1/128", networks();
    }

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
        /// Endpoint that orders passages anew, up to and without /rerank, such as http://127.0.0.1:8090/v1. Without
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

    /// Conversation retention.
    conversations: ConversationsConfig {
        /// Conversations that were silent for longer are removed, daily and at start; their feedback stays without
        /// them. 0 keeps conversations for ever.
        retention_days: i32 = "365", days(0..=36_500);
    }

    /// The knowledge hub.
    knowledge: KnowledgeConfig {
        /// Searches in users' history that are older are removed, daily and at start. 0 keeps the history for ever.
        history_days: i32 = "90", days(0..=36_500);
    }

    /// Tenants.
    tenants: TenantsConfig {
        /// Uploaded files, documents and passages of a tenant that was deleted for longer are erased. 0 keeps them for ever.
        erase_after_days: i32 = "30", days(0..=36_500);
    }

    /// Vector collections.
    collections: CollectionsConfig {
        /// Collections of chatbots that were deactivated for longer are dropped; their passages are kept, and go back
        /// to a collection when the chatbot is provisioned again. 0 keeps collections for ever.
        idle_days: i32 = "30", days(0..=36_500);
    }

    /// Files that tenants upload.
    uploads: UploadsConfig {
        /// Folder of the uploaded files: `uploads` in paths.var_dir when empty. Every process of the platform needs the
        /// same one. Not used with uploads.url.
        folder: PathBuf = "", folder();
        /// Bucket of an S3-compatible service for the uploaded files, instead of a folder: `s3://bucket/prefix`.
        url: Option<Url> = "", optional(bucket());
        /// Address of that service; empty for AWS.
        endpoint: Option<Url> = "", optional(url());
        /// Region of the bucket.
        region: String = "us-east-1", text("the name of a region such as eu-central-1");
        /// Access key. When empty, the variables and roles that AWS defines are used (AWS_ACCESS_KEY_ID, web identity,
        /// instance metadata).
        access_key_id: String = "", text("an access key");
        /// Secret of the access key.
        secret_access_key: Option<Secret> = "", secret("the secret of uploads.access_key_id", |_| true);
        /// Bytes of an uploaded file at most; a larger one is answered with 413.
        max_file_bytes: usize = "50000000", bytes(1024..=2_147_483_648);
    }

    /// Processes that read untrusted documents.
    reader: ReaderConfig {
        /// Memory that reading one document may take.
        memory_bytes: usize = "1073741824", bytes(67_108_864..=68_719_476_736);
        /// Longest time for one document; of an archive, for each file in it.
        timeout_seconds: u64 = "60", seconds(1..=3600);
    }

    /// Recognition of text in scanned pages and pictures, by the programs `tesseract` and `pdftoppm` where they are installed.
    ocr: OcrConfig {
        /// Whether it is used when the programs are there.
        enabled: bool = "true", switch();
        /// Pages of a document at most; the others are left out, and named.
        max_pages: usize = "100", number(1..=10_000);
        /// Longest time for one page.
        page_timeout_seconds: u64 = "60", seconds(1..=3600);
    }

    /// Websites that tenants let chatbots read.
    crawl: CrawlConfig {
        /// Page with an address for site owners who complain about the crawler; it is named in each request. http.base_url
        /// when empty.
        contact: Option<Url> = "", optional(url());
        /// Whether addresses of this machine are fetched, on any port, for tests. `demo` turns it on.
        allow_loopback: bool = "false", switch();
        /// Pause between two requests to a site; a longer Crawl-delay of the site's robots.txt counts, up to 10 s.
        delay_ms: u64 = "500", milliseconds(0..=60_000);
        /// Longest time of one request, with its redirects.
        timeout_seconds: u64 = "20", seconds(1..=300);
        /// Bytes of a page at most, before and after decompression.
        max_page_bytes: usize = "10000000", bytes(1024..=104_857_600);
        /// Bytes of a website that are fetched at once at most; the rest comes with the next sync.
        max_bytes: usize = "1000000000", bytes(1024..=107_374_182_400);
        /// Minutes for which a website is read at most; the rest comes with the next sync.
        max_minutes: u64 = "360", number(1..=10_080);
        /// How long a page is missing before a second look removes it.
        confirm_gone_minutes: i32 = "60", number(0..=10_080);
        /// Pages that are looked at before a tenant says that a website is to be read.
        preview_pages: u64 = "100", number(1..=10_000);
    }

    /// Background jobs.
    jobs: JobsConfig {
        /// Jobs at the same time in each process, such as reading uploaded files. With 0 a server leaves them to other
        /// processes, for example `server worker`.
        workers: usize = "2", number(0..=64);
        /// Longest time without a sign of life of a process that works on a job; then another one takes it.
        lease_seconds: u64 = "60", seconds(2..=3600);
    }

    /// How much a tenant may have.
    limits: LimitsConfig {
        /// Chatbots with a collection that a tenant may have; one more is a 422. A chatbot that was deactivated
        /// counts until its collection is dropped.
        chatbots_per_tenant: i64 = "200", number(1..=100_000);
        /// Documents that a tenant may have: uploaded, sent by API or read on the command line. Each file of an archive is
        /// one. 0 is no limit. An operator can give a tenant other numbers than these.
        documents_per_tenant: i64 = "100000", number(0..=1_000_000_000);
        /// Bytes of uploaded files that a tenant may have. 0 is no limit.
        bytes_per_tenant: i64 = "50000000000", number(0..=1_000_000_000_000_000);
        /// Passages that a tenant may have. 0 is no limit.
        passages_per_tenant: i64 = "2000000", number(0..=1_000_000_000);
        /// Pages of websites that a tenant may have. 0 is no limit.
        pages_per_tenant: i64 = "100000", number(0..=1_000_000_000);
        /// Questions of visitors that a tenant's chatbots answer in a calendar month, in UTC. 0 is no limit.
        questions_per_month: i64 = "0", number(0..=1_000_000_000_000);
        /// Tokens that language models take for a tenant in a calendar month, in UTC; then its answers are quoted. 0 is no limit.
        tokens_per_month: i64 = "0", number(0..=1_000_000_000_000_000);
    }

    /// CSV exports.
    exports: ExportsConfig {
        /// Longest time of one CSV export; then it is broken off, and its audit row says that it failed.
        timeout_seconds: u64 = "1800", seconds(1..=86_400), formerly "exports.max_seconds";
    }

    /// The rules that answers pass.
    output_filter: OutputFilterConfig {
        /// Rules that every answer passes, in the form of deploy/output-filter.toml, which is built in and used when
        /// empty.
        rules_file: Option<PathBuf> = "", optional(file());
    }

    /// Rate limits: requests in one second on average, and in a burst.
    rate_limit: RateLimitConfig {
        /// Calls of the widget's endpoints per second from one client address (IPv6: one /64). 0 is no limit.
        public_per_second: u32 = "30", number(0..=100_000);
        /// The same at once, as when many visitors share an address.
        public_burst: u32 = "600", number(1..=1_000_000);
        /// Questions per second to one chatbot from one client address (IPv6: one /64). 0 is no limit.
        visitor_per_second: u32 = "3", number(0..=100_000);
        /// The same at once, as when a class asks behind one address.
        visitor_burst: u32 = "60", number(1..=1_000_000);
        /// Questions per second to one chatbot, from all clients. 0 is no limit.
        chatbot_per_second: u32 = "20", number(0..=100_000);
        /// The same at once.
        chatbot_burst: u32 = "200", number(1..=1_000_000);
        /// Ratings per second of one chatbot's answers, from all clients. 0 is no limit.
        feedback_per_second: u32 = "5", number(0..=100_000);
        /// The same at once.
        feedback_burst: u32 = "100", number(1..=1_000_000);
        /// Calls per second with tokens of one user. 0 is no limit.
        principal_per_second: u32 = "50", number(0..=100_000);
        /// The same at once.
        principal_burst: u32 = "500", number(1..=1_000_000);
        /// Tokens per second with a wrong signature from one client address; then its calls with a token that was not
        /// accepted lately wait. 0 is no limit.
        failed_per_second: u32 = "5", number(0..=100_000);
        /// The same at once.
        failed_burst: u32 = "100", number(1..=1_000_000);
    }

    /// Rate limits that several processes share.
    redis: RedisConfig {
        /// Redis (or Valkey) that several processes count requests in. Without one each process counts for itself.
        url: Option<Secret> = "",
            secret("an address such as redis://user:password@host:6379/0, or rediss:// with TLS", is_redis);
    }

    /// The log.
    logging: LoggingConfig {
        /// How log lines look.
        format: LogFormat = "text", one_of([("text", LogFormat::Text), ("json", LogFormat::Json)]);
        /// Which log lines are written.
        level: String = "info", log_filter();
    }

    /// Folders.
    paths: PathsConfig {
        /// Folder of everything that changes while running.
        var_dir: PathBuf = "var", folder();
        /// Folder of the fetched parts, as `make setup` writes it; several instances share it.
        parts_dir: PathBuf = "var/parts", folder();
        /// Folder of what browsers load, as `make build` writes it.
        dist_dir: PathBuf = "dist", folder();
    }

    /// Load tests.
    loadtest: LoadtestConfig {
        /// Value of the header that bypasses rate limits in load tests. Off when empty.
        secret: Option<Secret> = "", secret("a text of at least 32 characters", |text| text.chars().count() >= 32);
    }
}

fn is_redis(text: &str) -> bool {
    redis::Client::open(text).is_ok()
}
