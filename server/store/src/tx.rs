//! Transactions. A read transaction cannot write. A write transaction commits only with an audit row or a named exemption,
//! so a forgotten audit row does not compile.

use std::ops::{Deref, DerefMut};

use crate::{
    audit::{self, AuditEntry},
    connection::PgConnection,
    error::Result,
    open::OpenTx,
    scope::Scope,
};

/// Why a write needs no audit row (specification, Events).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exemption {
    /// User preferences are exempt.
    Preferences,
    /// A visitor's conversation is not a mutation by an authenticated actor.
    Conversation,
    /// The server completes a chatbot whose creation was audited.
    Provisioning,
    /// The server indexes a question and answer whose creation was audited.
    Indexing,
    /// The command line checks its sources, or queues a job that does. Each resulting change is audited.
    Ingestion,
    /// A worker carries out what was audited when it was requested.
    Job,
    /// The bytes of an upload are still arriving; the upload is audited after that.
    Upload,
    /// Vendor logins have their own log.
    VendorAccess,
    /// Rows of the audit log move unchanged to its archive.
    Archive,
    /// Conversations expire after the retention period.
    Retention,
    /// A user's own searches are not a mutation that others need to see.
    SearchHistory,
    /// A summary is derived from stored documents.
    Summary,
    /// Requests of websites for a chatbot are their own record.
    EmbedRecord,
    /// A change of a person is recorded before the identity provider is called, and audited when its outcome is known.
    BegunChange,
    /// The server records when people were last active.
    Activity,
    /// The server records the usage of tenants.
    Usage,
    /// The server keeps the answer of a call that is audited itself.
    Idempotency,
}

/// A read-only transaction. Dropping it ends it in the background.
#[derive(Debug)]
pub struct ReadTx(OpenTx);

impl ReadTx {
    pub(crate) fn new(tx: OpenTx) -> Self {
        Self(tx)
    }
}

impl Deref for ReadTx {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for ReadTx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}

/// A read-write transaction. Dropping it rolls it back.
#[derive(Debug)]
pub struct WriteTx(OpenTx);

impl WriteTx {
    pub(crate) fn new(tx: OpenTx) -> Self {
        Self(tx)
    }

    /// Writes the audit row of the mutation, and commits both.
    ///
    /// # Errors
    /// When the row is rejected or the commit fails; nothing is written then.
    pub async fn commit_audited(mut self, entry: &AuditEntry) -> Result<()> {
        audit::insert(&mut self.0, entry).await?;
        self.0.commit().await
    }

    /// Commits a write that is exempt from the audit log.
    ///
    /// # Errors
    /// When the commit fails; nothing is written then.
    pub async fn commit_exempt(self, exemption: Exemption) -> Result<()> {
        tracing::trace!(?exemption, "audit.exempt");
        self.0.commit().await
    }

    /// Writes the audit row in the name of an operator on the command line, and commits. The mutation used the scope of
    /// a tenant, because operators cannot access a tenant's documents, while the log accepts an operator's row only
    /// from an operator's role.
    ///
    /// # Errors
    /// When the row is rejected or the commit fails; nothing is written then.
    pub async fn commit_as_operator(mut self, entry: &AuditEntry) -> Result<()> {
        self.0.run(Scope::operator().with_user("", &entry.actor.user).statements()).await?;
        audit::insert(&mut self.0, entry).await?;
        self.0.commit().await
    }

    /// Rolls back.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn discard(self) -> Result<()> {
        self.0.rollback().await
    }
}

impl Deref for WriteTx {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for WriteTx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}
