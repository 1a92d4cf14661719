//! `server sessions erase`: erases a visitor's conversation.

use contract::SessionId;

use crate::config::Config;
use crate::service::conversations::erasure;

use super::{CliError, migrate, platform};

/// What to do with conversations.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Erase one conversation: its messages, the comments of its feedback, its texts in the output-filter audit.
    Erase(Erase),
}

#[derive(Debug, clap::Args)]
struct Erase {
    /// The chatbot's id, or its slug together with --tenant when several tenants use that slug.
    #[arg(long, value_name = "ID_OR_SLUG")]
    chatbot: String,
    /// The tenant's slug.
    #[arg(long, value_name = "SLUG")]
    tenant: Option<String>,
    /// The session's id, as in the visitor's cookie, in feedback and in the audit logs.
    #[arg(value_name = "SESSION_ID")]
    session: SessionId,
}

/// Erases and prints what was erased.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let Command::Erase(Erase { chatbot, tenant, session }) = &arguments.command;
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`sessions erase`"))?;
    let db = platform::connect(config, url.expose()).await?;
    let erased = erasure::erase(&db, chatbot, tenant.as_deref(), *session).await;
    db.close().await;
    let erased = erased.map_err(|error| CliError::Other(error.to_string()))?;
    println!(
        "Session {session} is erased. Messages removed: {}; feedback without its session and comment: {}; rows of the \
         output-filter audit without their texts: {}.",
        erased.messages, erased.feedback, erased.filter_rows
    );
    Ok(())
}
