//! A small process that stops the server when ours is killed. It waits for the end of its standard input, which only we
//! hold open: it ends however our process ends.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Child;

use super::Error;
use super::account::Owner;
use crate::child;

/// $1 is the server's process id, $2 its data folder. The pid file is compared so that a process which got the same
/// id later is never touched.
const SCRIPT: &str = r#"
cat >/dev/null
ours() { read -r pid 2>/dev/null <"$2/postmaster.pid" && [ "$pid" = "$1" ] && kill -0 "$1" 2>/dev/null; }
ours "$@" && kill -INT "$1"
tries=0
while ours "$@" && [ "$tries" -lt 15 ]; do sleep 1; tries=$((tries + 1)); done
ours "$@" && kill -QUIT "$1"
"#;

/// The guard of one server.
#[derive(Debug)]
pub(crate) struct Guard(Child);

impl Guard {
    /// Starts guarding; the guard runs as the same account as the server.
    pub(crate) fn watch(pid: u32, cluster: &Path, owner: Option<&Owner>) -> Result<Self, Error> {
        let mut shell = child::async_command("/bin/sh");
        shell.args(["-c", SCRIPT, "postgres-guard"]).arg(pid.to_string()).arg(cluster).current_dir("/");
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.process_group(0);
        if let Some(owner) = owner {
            shell.uid(owner.uid).gid(owner.gid);
        }
        shell.spawn().map(Self).map_err(|source| Error::Start { program: "/bin/sh".into(), source })
    }

    /// Ends the guard after the server has stopped: it finds nothing to do when its input is closed.
    pub(crate) async fn dismiss(mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait().await;
    }
}
