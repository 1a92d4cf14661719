//! Background jobs of tenants.

use crate::text_enum::text_enum;

text_enum! {
    /// What a job does.
    pub enum JobKind {
        /// Reads an uploaded file, embeds its passages and replaces the former ones.
        ReadUpload = "read_upload",
        /// Gives a chatbot's passages the vectors of another embedding model.
        Reindex = "reindex",
        /// Gives a chatbot's passages second vectors, by which questions in other languages find them, or removes these.
        SecondVectors = "second_vectors",
        /// Looks at a website's pages, and reads those that are new or changed.
        Crawl = "crawl",
        /// Removes what a chatbot knew and was asked, and then the chatbot.
        EraseChatbot = "erase_chatbot",
        /// Reads files and folders of a machine, which an operator named on its command line.
        Ingest = "ingest",
    }
}

text_enum! {
    /// The state of a job.
    pub enum JobState {
        /// It waits for a worker, or for its next attempt.
        Queued = "queued",
        /// A worker holds its lease, or held it and died.
        Running = "running",
        Done = "done",
        /// It failed, and is not tried again.
        Failed = "failed",
        /// It is no longer needed.
        Canceled = "canceled",
    }
}
