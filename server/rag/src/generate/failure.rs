//! Why a language model gave no answer.

/// Why there is no answer. No variant contains text of prompt or answer.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The HTTP client could not be created.
    #[error("the client for the model endpoint: {0}")]
    Client(#[source] reqwest::Error),
    /// All connection attempts failed.
    #[error("the model endpoint cannot be reached: {0}")]
    Connect(#[source] reqwest::Error),
    /// The endpoint returned an error status, for example 429 or 500.
    #[error("the model endpoint answered with status {0}")]
    Status(u16),
    /// The endpoint reported an error within the answer.
    #[error("the model endpoint reported a failure")]
    Failed,
    /// The answer was not an event stream of a chat endpoint.
    #[error("the model endpoint sent an invalid chat completion")]
    Malformed,
    /// The connection ended before the answer did.
    #[error("the answer was cut off")]
    Cut,
    /// The endpoint has no free slot.
    #[error("the model endpoint has no place for another answer")]
    Busy,
    /// The endpoint is paused after several failures in a row.
    #[error("the model endpoint is paused after repeated failures")]
    Paused,
    /// The whole answer, its first word or its next part timed out.
    #[error("the model endpoint took too long")]
    Timeout,
}
