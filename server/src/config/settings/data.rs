//! What is stored of tenants: how long, from where, how much of it, and what may leave.

use std::{net::IpAddr, path::PathBuf};

use url::Url;

use crate::config::{
    ConfigError, Secret, Setting, Values,
    kind::{
        Kind, bucket, bytes, days, file, folder, milliseconds, number, optional, parsed, seconds, secret, switch, text,
        url,
    },
    setting::sections,
};

sections! {
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
        /// Uploaded files, documents, custom answers and websites of a tenant that was deleted for longer are erased. 0 keeps them
        /// for ever.
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
        /// Bytes of a file at most, whether it is uploaded, in an archive, or read by `server ingest`. A larger upload is
        /// answered with 413; in an archive and by `server ingest` a larger file is left out and named. Reading a larger file
        /// may need more of reader.memory_bytes and reader.timeout_seconds.
        max_file_bytes: usize = "50000000", bytes(1024..=2_147_483_648);
        /// Bytes of an uploaded zip or tar archive at most; a larger one is answered with 413.
        max_archive_bytes: usize = "500000000", bytes(1024..=2_147_483_648);
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
        /// Address of the DNS resolver that is asked for the TXT records that prove websites. When empty: the first one of
        /// /etc/resolv.conf.
        dns_resolver: Option<IpAddr> = "", optional(parsed("an IP address such as 192.0.2.53"));
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
}
