//! What both consoles share: sign-in, session, API access, the design system and the server functions.
//!
//! Feature `csr` is the browser's half, feature `ssr` the server's half of the server functions; they
//! never meet in one build, and nothing here renders on the server.

pub mod backend;
mod bearer;
pub mod server_fns;

