//! Background jobs of tenants: stored in the database, leased by workers of any process.

pub mod file_system;
pub mod running;
