//! Tests of the provider's router from the view of clients and browsers, with the real realm files and a controlled
//! clock.
#![allow(clippy::unwrap_used)] // A test that cannot go on should say where.

mod flows {
    pub(crate) mod admin;
    pub(crate) mod code;
    pub(crate) mod discovery;
    pub(crate) mod grants;
    pub(crate) mod loading;
    pub(crate) mod login;
    pub(crate) mod logout;
    pub(crate) mod realm_files;
    pub(crate) mod refresh;
    pub(crate) mod world;
}
