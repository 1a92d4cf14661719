//! What can go wrong in a vector store. Nothing here holds an address, a key or a text.

/// A failed call of a vector store.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// The store cannot be reached, or the connection broke.
    #[error("the vector store cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    #[error("the vector store took too long")]
    Timeout,
    /// There is no such collection, because it was not made yet or the store lost it.
    #[error("the vector store does not have the collection")]
    NoCollection,
    /// The store refused, for example with 401 or 500.
    #[error("the vector store answered with status {0}")]
    Status(u16),
    /// The store answered with something else than what was asked for.
    #[error("the vector store sent {0}")]
    Malformed(&'static str),
    /// The server is older than what the platform needs.
    #[error("Qdrant {0} is too old: version 1.11 or newer is needed")]
    Version(String),
    /// The client could not be made.
    #[error("the client of the vector store: {0}")]
    Client(#[source] reqwest::Error),
    /// The key cannot be sent in a header.
    #[error("the key of the vector store has characters that no header can carry")]
    Key,
}
