//! Commands of the server's program, with an environment of their own.

use std::{
    path::Path,
    process::{Command, Output},
};

/// Runs a command with these variables; settings of this process are not passed on.
pub async fn run(arguments: &[&str], variables: &[(&str, String)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SVC_")) {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.env("SVC_LOGGING_LEVEL", "off").envs(variables.iter().map(|(name, value)| (name, value)));
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// What a command wrote when it succeeded.
pub fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one sentence of a command that failed.
pub fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    text.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("{text}")).to_owned()
}
