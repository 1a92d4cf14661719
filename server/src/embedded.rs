//! Components that the demo world and the tests run in or next to this process: PostgreSQL and a model server as
//! supervised children, the demo world's secrets, its site and the file that describes it. `serve` uses none of them.

pub mod dev_file;
pub mod llama;
pub mod postgres;
pub mod private_file;
pub mod reserved_port;
pub mod secrets;
