//! What the demo world and the tests run inside or beside this process: PostgreSQL and a model server as supervised children,
//! the demo world's secrets, its site and the file that describes it. Nothing here is used by `serve`.

pub mod dev_file;
pub mod llama;
pub mod postgres;
pub mod private_file;
pub mod secrets;
