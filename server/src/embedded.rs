//! What the demo world and the tests run inside or beside this process: PostgreSQL as a supervised child, the demo
//! world's data and its site. Nothing here is used by `serve` with a database of its own.

pub mod postgres;
