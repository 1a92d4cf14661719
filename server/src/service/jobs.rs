//! Background work of tenants: jobs in the database, which workers of any process take for a lease.

pub mod file_system;
pub mod running;
