//! How the platform is reached: HTTP, the identity provider, the database, and pages of other origins.

use std::{net::IpAddr, path::PathBuf};

use contract::{ChatbotId, clients::OPERATOR_CONSOLES};
use url::Url;

use crate::config::{
    Cidr, ConfigError, Secret, Setting, Values,
    kind::{
        Kind, bytes, chatbot, folder, milliseconds, networks, number, one_of, optional, origins, parsed, port, seconds,
        secret, switch, url,
    },
    setting::sections,
};

const CONNECTION: &str = "a connection address such as postgres://user:password@host:5432/database";

sections! {
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
        /// Whether `demo` begins with two months of conversations, ratings and open questions, with documents of the demo
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
}
