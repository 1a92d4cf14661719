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
        /// Days after the last message until a conversation is deleted. Its feedback stays. 0 keeps conversations
        /// forever.
        retention_days: i32 = "365", days(0..=36_500);
    }

    /// The knowledge hub.
    knowledge: KnowledgeConfig {
        /// Days until a search is deleted from its user's history. 0 keeps it forever.
        history_days: i32 = "90", days(0..=36_500);
    }

    /// Tenants.
    tenants: TenantsConfig {
        /// Days after the deletion of a tenant until its files, documents, custom answers and websites are erased. 0
        /// keeps them forever.
        erase_after_days: i32 = "30", days(0..=36_500);
    }

    /// Vector collections.
    collections: CollectionsConfig {
        /// Days after the deactivation of a chatbot until its collection is dropped. The passages are kept, and return to a
        /// collection when the chatbot is provisioned again. 0 keeps collections forever.
        idle_days: i32 = "30", days(0..=36_500),
            constant "as long as a deleted tenant keeps its files";
    }

    /// Files that tenants upload.
    uploads: UploadsConfig {
        /// Folder of the uploaded files, the same for every process; `uploads` in paths.var_dir when empty. Not used
        /// with uploads.url.
        folder: PathBuf = "", folder();
        /// Bucket of an S3-compatible service, instead of a folder.
        url: Option<Url> = "", optional(bucket());
        /// Address of that service; empty for AWS.
        endpoint: Option<Url> = "", optional(url());
        /// Region of the bucket.
        region: String = "us-east-1", text("the name of a region such as eu-central-1");
        /// Access key. When empty, AWS's variables and roles are used (AWS_ACCESS_KEY_ID, web identity, instance
        /// metadata).
        access_key_id: String = "", text("an access key");
        /// Its secret.
        secret_access_key: Option<Secret> = "", secret("the secret of uploads.access_key_id", |_| true);
        /// Maximum size of a file. A larger upload is a 413; in an archive and for `server ingest`, a larger file is
        /// left out and named. Larger files may need more reader.memory_bytes and reader.timeout_seconds.
        max_file_bytes: usize = "50000000", bytes(1024..=2_147_483_648);
        /// Maximum size of an uploaded zip or tar archive. A larger one is a 413.
        max_archive_bytes: usize = "500000000", bytes(1024..=2_147_483_648);
        /// Free space that uploads leave on the disk of uploads.folder. Below it, uploads are 503 and /health/ready is
        /// `degraded`. 0: no limit.
        min_free_bytes: usize = "1000000000", bytes(0..=1_099_511_627_776);
        /// Maximum time that workers spend on reading one uploaded file, in minutes, over all of its turns. An archive may
        /// take ten times as long. A file that takes longer is failed with timed_out.
        max_minutes: u64 = "15", number(1..=1440),
            constant "100 scanned pages take five";
    }

    /// Processes that read untrusted documents.
    reader: ReaderConfig {
        /// Memory that reading one document may take.
        memory_bytes: usize = "1073741824", bytes(67_108_864..=68_719_476_736);
        /// Longest time for reading one document, or one file of an archive.
        timeout_seconds: u64 = "60", seconds(1..=3600);
    }

    /// Recognition of text in scanned pages and pictures, by the programs `tesseract` and `pdftoppm` where they are installed.
    ocr: OcrConfig {
        /// Whether text recognition is used when the programs are installed.
        enabled: bool = "true", switch(),
            constant "without the programs, there is none";
        /// Maximum number of pages of a document. Further pages are left out and named.
        max_pages: usize = "100", number(1..=10_000),
            constant "a page takes one to three seconds of a core";
        /// Longest time for one page.
        page_timeout_seconds: u64 = "60", seconds(1..=3600),
            constant "a page takes one to three";
    }

    /// Websites that tenants let chatbots read.
    crawl: CrawlConfig {
        /// Page that tells site owners how to reach you about the crawler, named in each of its requests; http.base_url
        /// when empty.
        contact: Option<Url> = "", optional(url());
        /// Whether the crawler may fetch addresses of this machine, on any port. For tests only. `demo` turns it on.
        allow_loopback: bool = "false", switch();
        /// Address of the DNS resolver that is asked for the TXT records that prove control of websites. When empty, the first
        /// one in /etc/resolv.conf.
        dns_resolver: Option<IpAddr> = "", optional(parsed("an IP address such as 192.0.2.53")),
            constant "resolv.conf names the resolver";
        /// Pause between two requests to a site; a longer Crawl-delay of its robots.txt counts, up to 10 s.
        delay_ms: u64 = "500", milliseconds(0..=60_000);
        /// Longest time of one request, with its redirects.
        timeout_seconds: u64 = "20", seconds(1..=300),
            constant "slower pages are not for visitors";
        /// Maximum size of a page, before and after decompression.
        max_page_bytes: usize = "10000000", bytes(1024..=104_857_600),
            constant "larger pages are no text";
        /// Maximum number of bytes fetched from a website in one job. The rest follows with the next sync.
        max_bytes: usize = "1000000000", bytes(1024..=107_374_182_400),
            constant "10,000 pages have 100 kB each";
        /// Maximum time for reading a website in one job, in minutes. The rest follows with the next sync.
        max_minutes: u64 = "360", number(1..=10_080),
            constant "10,000 pages at one in two seconds";
        /// Minutes until a missing page is checked again. If it is still missing, it is removed.
        confirm_gone_minutes: i32 = "60", number(0..=10_080),
            constant "an update of a site takes less";
        /// Number of pages that a preview of a website fetches.
        preview_pages: u64 = "100", number(1..=10_000),
            constant "a person looks at the first ones";
    }

    /// Background jobs.
    jobs: JobsConfig {
        /// Jobs at the same time in each process. With 0, a server leaves them to other processes, such as `server
        /// worker`.
        workers: usize = "2", number(0..=64);
        /// Time after which another process takes over a job whose process has not extended its lease.
        lease_seconds: u64 = "60", seconds(2..=3600),
            constant "the job of a killed process waits no longer";
    }

    /// Default quotas of tenants.
    limits: LimitsConfig {
        /// A tenant's chatbots with a collection. A deactivated chatbot counts until its collection is dropped.
        chatbots_per_tenant: i64 = "200", number(1..=100_000);
        /// A tenant's documents: uploaded, sent by API or ingested on the command line. Each file of an archive counts.
        /// 0: no limit.
        documents_per_tenant: i64 = "100000", number(0..=1_000_000_000);
        /// Size of a tenant's uploaded files. 0: no limit.
        bytes_per_tenant: i64 = "50000000000", number(0..=1_000_000_000_000_000);
        /// A tenant's passages. 0: no limit.
        passages_per_tenant: i64 = "2000000", number(0..=1_000_000_000);
        /// Pages of a tenant's websites. 0: no limit.
        pages_per_tenant: i64 = "100000", number(0..=1_000_000_000);
        /// Maximum number of people that a tenant's administrators may invite in any hour. Operators are exempt.
        invitations_per_hour: i64 = "20", number(1..=10_000),
            constant "an invitation is a mail that the platform answers for";
        /// Visitors' questions that a tenant's chatbots answer in a calendar month (UTC). 0: no limit.
        questions_per_month: i64 = "0", number(0..=1_000_000_000_000);
        /// Language-model tokens of a tenant in a calendar month (UTC). Beyond it, answers are quoted. 0: no limit.
        tokens_per_month: i64 = "0", number(0..=1_000_000_000_000_000);
    }

    /// CSV exports.
    exports: ExportsConfig {
        /// Longest time of one CSV export. After that, it is aborted, and its audit row says that it failed.
        timeout_seconds: u64 = "1800", seconds(1..=86_400), formerly "exports.max_seconds",
            constant "nobody waits longer for a file";
    }

    /// The output filter.
    output_filter: OutputFilterConfig {
        /// File with the rules of the output filter; the built-in deploy/output-filter.toml when empty.
        rules_file: Option<PathBuf> = "", optional(file());
    }
}
