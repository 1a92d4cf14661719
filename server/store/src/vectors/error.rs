//! Errors of a vector store. They contain no address, key or text.

/// A failed call of a vector store.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// The store is unreachable, or the connection broke.
    #[error("the vector store cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    #[error("the vector store took too long")]
    Timeout,
    /// The collection does not exist, because it was not created yet or the store lost it.
    #[error("the vector store does not have the collection")]
    NoCollection,
    /// The store returned an error status, for example 401 or 500.
    #[error("the vector store answered with status {0}")]
    Status(u16),
    /// The response has an unexpected form.
    #[error("the vector store sent {0}")]
    Malformed(&'static str),
    /// The server is older than what the platform needs.
    #[error("Qdrant {0} is too old: version 1.11 or newer is needed")]
    Version(String),
    /// The HTTP client could not be created.
    #[error("the client of the vector store: {0}")]
    Client(#[source] reqwest::Error),
    /// The key is not a valid header value.
    #[error("the key of the vector store has characters that no header can carry")]
    Key,
}
