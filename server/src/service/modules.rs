//! The module registry and the modules of a tenant.
