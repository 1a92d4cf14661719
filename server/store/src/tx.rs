//! Transactions. A read transaction cannot write; a write transaction commits only with the token
//! that an audit row or a named exemption gives, so a forgotten audit row does not compile.

use std::ops::{Deref, DerefMut};

use crate::{
    audit::{self, AuditEntry},
    connection::PgConnection,
    error::Result,
    open::OpenTx,
    scope::Scope,
};

/// Proof that a transaction's audit duty was met. Made by [`WriteTx::audit`] and
/// [`WriteTx::exempt`] only; [`WriteTx::commit_as_operator`] needs none.
#[derive(Debug)]
#[must_use = "a write transaction commits with this token"]
pub struct Audited(());

/// Why a write needs no audit row (specification, Events).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exemption {
    /// User preferences are exempt.
    Preferences,
    /// A visitor's conversation is no mutation by an authenticated actor.
    Conversation,
    /// The server completes a chatbot whose creation was audited.
    Provisioning,
    /// The server indexes a question and answer whose creation was audited.
    Indexing,
    /// The command line looks at its sources, or queues a job that does: each change that follows is audited.
    Ingestion,
    /// A worker carries out what was audited when it was asked for.
    Job,
    /// The bytes of an upload are on their way; the upload is audited when they have arrived.
    Upload,
    /// Vendor logins have a log of their own.
    VendorAccess,
    /// Rows of the audit log move to its archive as they are.
    Archive,
    /// Conversations end when they were silent for long.
    Retention,
    /// A user's own searches are no mutation that others need to see.
    SearchHistory,
    /// A summary is made of what is stored.
    Summary,
    /// Which websites asked for a chatbot is a record of its own.
    EmbedRecord,
    /// A change of a person is begun before the identity provider is called, and audited when it is settled.
    BegunChange,
    /// The server notes when people were last active.
    Activity,
    /// The server counts what tenants have.
    Usage,
}

/// A read-only transaction. Dropping it ends it; nobody waits for that.
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

    /// Writes the transaction's audit row.
    ///
    /// # Errors
    /// When the row is refused; the mutation must then be rolled back with it.
    pub async fn audit(&mut self, entry: &AuditEntry) -> Result<Audited> {
        audit::insert(&mut self.0, entry).await?;
        Ok(Audited(()))
    }

    /// Declares that this write is exempt from the audit log.
    pub fn exempt(&self, exemption: Exemption) -> Audited {
        tracing::trace!(?exemption, "audit.exempt");
        Audited(())
    }

    /// Commits the mutation together with its audit row.
    ///
    /// # Errors
    /// When the commit fails; nothing is written then.
    pub async fn commit(self, _audited: Audited) -> Result<()> {
        self.0.commit().await
    }

    /// Writes the audit row in the name of an operator at the machine, and commits. What was written before was in the scope of a
    /// tenant, whose documents no operator reaches; the log takes an operator's row from an operator's role alone.
    ///
    /// # Errors
    /// When the row is refused or the commit fails; nothing is written then.
    pub async fn commit_as_operator(mut self, entry: &AuditEntry) -> Result<()> {
        self.0.run(Scope::operator().with_user("", &entry.actor.user).statements()).await?;
        audit::insert(&mut self.0, entry).await?;
        self.0.commit().await
    }

    /// Ends the transaction without a change.
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
