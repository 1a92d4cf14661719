//! Liveness and readiness.

use serde::{Deserialize, Serialize};

use crate::endpoint::{Audit, endpoints};

/// The process answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Liveness {
    /// Always `ok`.
    pub status: String,
}

/// Whether the process and its dependencies can serve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Readiness {
    /// `ok`; `degraded` when calls are served without one of the dependencies; with status 503 `unavailable` when they
    /// cannot be served, or `draining` when the process is about to stop.
    pub status: String,
    /// Each dependency on its own.
    pub checks: ReadinessChecks,
    /// Optional abilities of this process. They never change `status`.
    pub details: ReadinessDetails,
}

/// What a process can do; `unknown` until it has been found out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadinessDetails {
    /// How documents are read: `closed` when their readers reach neither files nor the network nor other programs and processes,
    /// `open` when the system cannot take all of this from them, and `unavailable` when no reader starts.
    pub document_reader: String,
    /// Recognition of text in scanned pages and pictures: `ready`, `missing` when a program for it is not there,
    /// `unconfined` when the system cannot deny these programs access to other files, the network and other processes (they are then
    /// not started), or `off`.
    pub text_recognition: String,
    /// Programs of text recognition that are not installed.
    pub missing_programs: Vec<String>,
    /// The languages whose texts are recognised, as `tesseract` names them.
    pub recognised_languages: Vec<String>,
}

/// The dependencies; each is `ok` or `unavailable`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadinessChecks {
    /// PostgreSQL, writable and with all tables that the process needs.
    pub database: String,
    /// The cache; `ok` when it is in process.
    pub cache: String,
    /// The keys of both realms.
    pub identity_provider: String,
    /// The store of vectors, when it is another one than the database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector_store: Option<String>,
    /// Free space for uploaded files, when they are in a folder: at least `uploads.min_free_bytes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload_space: Option<String>,
}

endpoints! {
    /// Tells that the process answers.
    GetLiveness: Get "/health/live", Public, Audit::Reads, 200, (()) ? (), () => Liveness;
    /// Tells whether the process and its dependencies can serve.
    GetReadiness: Get "/health/ready", Public, Audit::Reads, 200, (()) ? (), () => Readiness;
}
