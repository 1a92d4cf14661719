//! The real process, stopped by a signal during a stream.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::json;

use super::{BOUND, fill, open_at, read, wait_for_details};
use crate::support::{Platform, ReservedPort, moment};

/// `server serve` on the platform's database and issuer; killed when a test fails.
struct Process {
    child: Child,
    address: String,
    _port: ReservedPort,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    async fn serve(platform: &Platform) -> Self {
        let port = ReservedPort::reserve().unwrap();
        let address = format!("127.0.0.1:{}", port.number);
        let live = format!("http://{address}/health/live");
        let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SVC_")) {
            command.env_remove(name);
        }
        command
            .arg("serve")
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .env("SVC_HTTP_PORT", port.number.to_string())
            .env("SVC_HTTP_DRAIN_SECONDS", "0")
            .env("SVC_HTTP_SHUTDOWN_SECONDS", "1")
            .env("SVC_AUTH_URL", &platform.keys.auth_url)
            .env("SVC_DATABASE_URL", platform.db.settings().url)
            .env("SVC_DATABASE_PREPARED_STATEMENTS", platform.db.settings().prepared_statements.to_string())
            .env("SVC_LOGGING_LEVEL", "warn")
            .stdin(Stdio::null());
        let process = Self { child: command.spawn().unwrap(), address, _port: port };
        let deadline = Instant::now() + Duration::from_secs(60);
        while platform.http.get(&live).send().await.is_err() {
            assert!(Instant::now() < deadline, "the server does not answer");
            moment().await;
        }
        process
    }

    fn terminate(&self) {
        kill(Pid::from_raw(i32::try_from(self.child.id()).unwrap()), Signal::SIGTERM).unwrap();
    }
}

#[tokio::test]
async fn sigterm_during_an_export_writes_its_audit_row() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    fill(&platform, tenant, 3000, 4000).await;
    let mut process = Process::serve(&platform).await;
    let mut stream = open_at(&platform, &process.address, "").await;
    assert!(read(&mut stream, 15).await.starts_with(b"HTTP/1.1 200"));
    process.terminate();
    let rows = wait_for_details(&platform, 1).await;
    assert_eq!((&rows[0]["failed"], &rows[0]["truncated_by_disconnect"]), (&json!(true), &json!(null)));
    let deadline = Instant::now() + BOUND;
    let status = loop {
        if let Some(status) = process.child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < deadline, "the server does not stop");
        moment().await;
    };
    assert!(status.success(), "{status}");
    assert_eq!(wait_for_details(&platform, 1).await.len(), 1);
}
