//! How the platform is reached: HTTP, the identity provider, the database, and pages of other origins.

use std::{net::IpAddr, path::PathBuf};

use contract::{ChatbotId, clients::OPERATOR_CONSOLES};
use url::Url;

use crate::config::{
    Cidr, ConfigError, Secret, Setting, Values,
    kind::{
        Kind, bytes, chatbot, folder, milliseconds, networks, number, one_of, optional, origins, parsed, port,
        root_url, seconds, secret, switch, url,
    },
    setting::sections,
};

const CONNECTION: &str = "a connection address such as postgres://user:password@host:5432/database";

sections! {
    /// The platform's own listener.
    http: HttpConfig {
        /// Address to listen on.
        host: IpAddr = "127.0.0.1", parsed("an IP address such as 127.0.0.1, 0.0.0.0 or ::");
        /// Port to listen on.
        port: u16 = "8080", port();
        /// Address at which browsers reach the platform. Derived from host and port when empty.
        base_url: Url = "", root_url();
        /// Largest accepted request body; a larger one is answered with 413.
        body_limit_bytes: usize = "1048576", bytes(1024..=104_857_600),
            constant "every JSON body of the API is smaller";
        /// How long requests are still accepted after a stop signal, while /health/ready is 503. Must be longer than a
        /// proxy takes to notice. `demo` does not wait.
        drain_seconds: u64 = "5", seconds(0..=600);
        /// How long running requests may take after http.drain_seconds.
        shutdown_seconds: u64 = "10", seconds(0..=600);
        /// Open connections. 50 further ones get one answer each: health checks as usual, everything else 503. The
        /// process needs about 100 more open files than this.
        max_connections: usize = "1000", number(1..=100_000);
        /// Maximum number of connections of one client address (IPv6: of one /64). Further ones are answered with 503. Does not
        /// apply to the addresses of http.trusted_proxies.
        max_connections_per_address: usize = "200", number(1..=100_000),
            constant "an office behind one address needs some dozens";
        /// Minimum transfer rate of a request body, and of a client that reads an answer that is not a stream, averaged over 30
        /// seconds. 0 means no limit.
        min_bytes_per_second: u64 = "1000", number(0..=1_000_000),
            constant "the slowest mobile connections are faster";
        /// Longest time until the head of a request has arrived.
        header_timeout_seconds: u64 = "10", seconds(1..=600), formerly "http.head_seconds",
            constant "a head is one packet";
        /// Longest wait for the rest of a request's body.
        body_timeout_seconds: u64 = "30", seconds(1..=600), formerly "http.body_seconds",
            constant "a body that rests longer does not come";
        /// Longest time that a connection stays open between two requests. Must be longer than a proxy in front keeps idle
        /// connections.
        idle_timeout_seconds: u64 = "75", seconds(1..=600), formerly "http.idle_seconds",
            constant "proxies keep connections for 60 seconds";
        /// Longest time in which a client reads nothing of an answer.
        write_timeout_seconds: u64 = "30", seconds(1..=600), formerly "http.write_idle_seconds",
            constant "a client that rests longer does not read";
        /// Proxies whose X-Forwarded-For header is trusted.
        trusted_proxies: Vec<Cidr> = "", networks();
    }

    /// Health checks.
    health: HealthConfig {
        /// Whether /health/ready is 503 as soon as any dependency is unavailable, instead of only when calls cannot be
        /// served.
        strict: bool = "false", switch();
    }

    /// The identity provider.
    auth: AuthConfig {
        /// Port of the embedded identity provider, on 127.0.0.1.
        port: u16 = "8081", port();
        /// Address of the identity provider; issuers are {url}/realms/{realm}. Derived from auth.port when empty.
        url: Url = "", url();
        /// Whether the embedded identity provider of the demo world runs. `demo` does unless this is false, and `serve`
        /// refuses it.
        embedded: bool = "false", switch();
        /// Folder of the realm files (*-realm.json) of the embedded identity provider.
        realm_dir: PathBuf = "deploy/realms", folder();
        /// Secret of the client svc-platform-audit. Without it, the vendor access log stays empty, and operators cannot
        /// change people. `demo` uses the demo world's.
        audit_client_secret: Option<Secret> = "", secret("a text", |_| true);
        /// How often login events are read, when auth.audit_client_secret is set.
        audit_poll_seconds: u64 = "20", seconds(1..=3600),
            constant "three small calls a minute";
        /// Secret of the client svc-people. Without it, people of tenants can be managed only at the identity provider.
        /// `demo` uses the demo world's.
        people_client_secret: Option<Secret> = "", secret("a text", |_| true);
        /// Longest time of one call to the identity provider about people.
        people_timeout_seconds: u64 = "5", seconds(1..=60),
            constant "a person waits for it";
        /// Whether the identity provider is asked, at most every five seconds for a session, if the session of a
        /// tenant's user still exists. Needs auth.people_client_secret. While the provider is unavailable, these users
        /// get 503.
        check_sessions: bool = "false", switch();
        /// Client that the operator console signs in with. Any other than operator-ui makes this an emergency instance,
        /// whose sessions end two hours after the sign-in.
        console_client: String = "operator-ui",
            one_of(OPERATOR_CONSOLES.map(|client| (client, client.to_owned())));
        /// Secret of auth.console_client, unless that is operator-ui. `demo` uses the demo world's.
        console_client_secret: Option<Secret> = "", secret("a text", |_| true);
    }

    /// PostgreSQL.
    database: DatabaseConfig {
        /// Connection of the restricted login role. `serve` needs it; without it, `demo` starts the embedded
        /// PostgreSQL.
        url: Option<Secret> = "", secret(CONNECTION, store::bootstrap::is_address);
        /// Connection of the role that owns the tables, for `migrate`, `backup`, `restore`, and for `demo` together
        /// with database.url.
        admin_url: Option<Secret> = "", secret(CONNECTION, store::bootstrap::is_address);
        /// Folder with the programs of the embedded PostgreSQL; in paths.parts_dir when empty.
        bin_dir: PathBuf = "", folder();
        /// Folder of the embedded PostgreSQL's data; `postgres` in paths.var_dir when empty.
        data_dir: PathBuf = "", folder(),
            constant "paths.var_dir says where data is";
        /// Port of the embedded PostgreSQL, on 127.0.0.1.
        port: u16 = "8085", port();
        /// Database connections at the same time.
        pool_size: u32 = "16", number(1..=500);
        /// Maximum number of CSV exports at the same time. Each holds a separate database connection until the client has
        /// received everything.
        export_pool_size: u32 = "8", number(1..=100),
            constant "all tenants together may run half of them";
        /// Maximum number of these connections for all users of one tenant together. The same number applies to all widgets of a
        /// tenant, to all operators, and to all vendors.
        connections_per_tenant: u32 = "4", number(1..=500),
            constant "a quarter of the usual pool";
        /// Maximum number of these connections for the consoles and the REST API. The others are for widgets, sign-in and health
        /// checks. When empty: five eighths of database.pool_size.
        connections_for_consoles: Option<u32> = "", optional(number(1..=500)),
            constant "it follows from the pool";
        /// Longest wait of a call beyond its tenant's share of the connections. After that, it is a 429.
        queue_timeout_seconds: u64 = "5", seconds(1..=600), formerly "database.tenant_queue_seconds",
            constant "a person waits for it";
        /// Number of calls of one tenant's users that may wait for a connection. Further ones are a 429 at once.
        max_queued_per_tenant: u32 = "200", number(10..=10_000), formerly "database.waiting_per_tenant",
            constant "five seconds of a busy tenant";
        /// Longest running time of one SQL statement.
        statement_timeout_ms: u64 = "10000", milliseconds(100..=600_000);
        /// Whether statements stay prepared on a connection. False behind a pooler in transaction mode without support
        /// for them (PgBouncer before 1.21, or without max_prepared_statements).
        prepared_statements: bool = "true", switch();
    }

    /// The demo site.
    site: SiteConfig {
        /// Port of the demo site, on 127.0.0.1.
        port: u16 = "8082", port();
        /// Whether `demo` starts with two months of conversations, documents of the demo site's shop and a German
        /// chatbot.
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
        /// Chatbot for pages of an older deployment, whose snippets name no chatbot (`POST /api/query`).
        legacy_chatbot: Option<ChatbotId> = "", optional(chatbot());
    }

    /// Who may read the metrics.
    metrics: MetricsConfig {
        /// Networks of clients that may read /metrics.
        allowlist: Vec<Cidr> = "127.0.0.0/8,::1/128", networks();
    }
}
