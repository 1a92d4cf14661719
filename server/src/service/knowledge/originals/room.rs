//! Room for a file that is arriving: a part of its tenant's quota, which is reserved while the file grows, and space on
//! the disk.

use contract::{ErrorCode, OriginalId, TenantId};
use store::{Exemption, uploads as rows};

use crate::{
    caller::Caller,
    error::ApiResult,
    service::{tenant_write, usage},
    state::App,
};

/// Minimum and maximum bytes that are reserved at a time for a file of unknown length.
const STEP: (u64, u64) = (64 * 1024, 16 * 1024 * 1024);
/// Bytes between two looks at the free space of the disk.
const LOOK_EVERY: u64 = 1024 * 1024;

/// What is known of a file before it arrives.
#[derive(Debug, Clone, Copy)]
pub(in crate::service::knowledge) struct Expected {
    /// Maximum bytes of the file.
    pub max_bytes: u64,
    /// Bytes of the version that the file replaces.
    pub replaced_bytes: u64,
    /// Its length, if the client says it.
    pub length: Option<u64>,
}

/// The room of a file that is arriving.
pub(super) struct Room<'a> {
    app: &'a App,
    caller: &'a Caller,
    tenant: TenantId,
    id: OriginalId,
    expected: Expected,
    /// How long the file may become before more is reserved. Without a quota, that is not limited.
    reserved: u64,
    /// The length at which the disk is looked at again.
    look_at: u64,
}

impl<'a> Room<'a> {
    pub(super) fn new(
        app: &'a App,
        caller: &'a Caller,
        (tenant, id): (TenantId, OriginalId),
        expected: Expected,
    ) -> Self {
        Self { app, caller, tenant, id, expected, reserved: 0, look_at: 0 }
    }

    /// Makes room before the file grows to this length.
    ///
    /// # Errors
    /// `quota_bytes`, `storage_full`, `tenant_not_active`.
    pub(super) async fn make(&mut self, length: u64) -> ApiResult<()> {
        if length > self.look_at {
            if self.app.settings.uploads.has_space().await == Some(false) {
                return Err(ErrorCode::StorageFull.into());
            }
            self.look_at = length + LOOK_EVERY;
        }
        if length > self.reserved {
            let step = self.reserved.clamp(STEP.0, STEP.1);
            let with_reserve = self.expected.length.filter(|expected| *expected >= length).unwrap_or(length + step);
            self.reserve(length, with_reserve).await?;
        }
        Ok(())
    }

    /// Gives back what the file did not need.
    pub(super) async fn settle(&mut self, length: u64) -> ApiResult<()> {
        if self.reserved != u64::MAX && self.reserved > length {
            self.reserve(length, length).await?;
        }
        Ok(())
    }

    async fn reserve(&mut self, needed: u64, with_reserve: u64) -> ApiResult<()> {
        // Only what exceeds the former version adds to the tenant's bytes.
        let added =
            |length: u64| i64::try_from(length.saturating_sub(self.expected.replaced_bytes)).unwrap_or(i64::MAX);
        let mut tx = tenant_write::begin(self.app, self.caller).await?;
        let place = (self.tenant, self.id);
        let reserved = usage::reserve_bytes(self.app, &mut tx, place, (added(needed), added(with_reserve))).await??;
        tx.commit_exempt(Exemption::Upload).await?;
        self.reserved =
            reserved.map_or(u64::MAX, |bytes| bytes.unsigned_abs().saturating_add(self.expected.replaced_bytes));
        Ok(())
    }
}

/// Files that nothing refers to yet. Dropping them, as the end of a cancelled request does, discards them in the
/// background.
#[derive(Debug)]
pub(in crate::service::knowledge) struct Pending {
    app: App,
    tenant: TenantId,
    ids: Vec<OriginalId>,
}

impl Pending {
    pub(in crate::service::knowledge) fn new(app: &App, tenant: TenantId) -> Self {
        Self { app: app.clone(), tenant, ids: Vec::new() }
    }

    /// Announces a file in the database before its first byte is written.
    pub(super) async fn announce(&mut self, caller: &Caller, id: OriginalId) -> ApiResult<()> {
        let storage = self.app.storage().id().await.map_err(super::not_writable)?;
        let mut tx = tenant_write::begin(&self.app, caller).await?;
        rows::insert_original(&mut tx, self.tenant, id, storage).await?;
        self.ids.push(id);
        Ok(tx.commit_exempt(Exemption::Upload).await?)
    }

    /// Ends the care for files that an upload refers to now.
    pub(in crate::service::knowledge) fn keep(&mut self, is_referenced: impl Fn(OriginalId) -> bool) {
        self.ids.retain(|id| !is_referenced(*id));
    }

    /// Removes the files. Those that fail are erased later.
    pub(in crate::service::knowledge) async fn discard(&mut self) {
        while let Some(id) = self.ids.last() {
            super::discard(&self.app, self.tenant, *id).await;
            self.ids.pop();
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if self.ids.is_empty() {
            return;
        }
        let mut remaining = Self { app: self.app.clone(), tenant: self.tenant, ids: std::mem::take(&mut self.ids) };
        self.app.tasks.spawn(async move { remaining.discard().await });
    }
}
