//! Use cases: open a transaction, apply the rules, write, audit, commit. One file per aggregate.

pub mod answers;
pub mod branding;
pub mod chatbots;
pub mod overview;
pub mod preferences;
pub mod provisioning;
pub mod templates;
pub mod tenants;
