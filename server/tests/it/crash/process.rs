//! The real server as a child process, on a free port.

use std::{
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::{embedded, support::ReservedPort};

/// The header value that exempts a stream of calls from the rate limit.
pub const BYPASS: &str = "a-secret-of-the-crash-tests-only-0123456789";

/// A running `server serve`, killed when it is dropped.
pub struct Process {
    pub base_url: String,
    child: std::sync::Mutex<Child>,
    _port: ReservedPort,
    _var: tempfile::TempDir,
}

impl Process {
    /// Starts the server and waits until it answers.
    pub async fn start(database_url: &str, auth_url: &str) -> Self {
        Self::start_with(database_url, auth_url, &[]).await
    }

    /// The same with more settings, as environment variables.
    pub async fn start_with(database_url: &str, auth_url: &str, settings: &[(&str, &str)]) -> Self {
        let port = ReservedPort::reserve().unwrap();
        let base_url = format!("http://127.0.0.1:{}", port.number);
        let var = embedded::folder();
        let child = embedded::server(var.path())
            .arg("serve")
            .env("SVC_DATABASE_URL", database_url)
            .env("SVC_AUTH_URL", auth_url)
            .env("SVC_HTTP_PORT", port.number.to_string())
            .env("SVC_LOADTEST_SECRET", BYPASS)
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let process = Self { base_url, child: child.into(), _port: port, _var: var };
        process.answers().await;
        process
    }

    async fn answers(&self) {
        let started = Instant::now();
        while reqwest::get(format!("{}/health/live", self.base_url)).await.is_err() {
            let ended = self.child.lock().unwrap().try_wait().unwrap();
            assert!(
                ended.is_none() && started.elapsed() < Duration::from_secs(60),
                "the server does not answer: {ended:?}"
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Asks the server to stop; returns how long that took.
    pub async fn stop(&self) -> Duration {
        let started = Instant::now();
        let pid = Pid::from_raw(self.child.lock().unwrap().id().try_into().unwrap());
        kill(pid, Signal::SIGTERM).unwrap();
        while self.child.lock().unwrap().try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "the server does not stop");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        started.elapsed()
    }

    /// The process's id.
    pub fn id(&self) -> u32 {
        self.child.lock().unwrap().id()
    }

    /// Kills the server without any warning.
    pub fn kill(&self) {
        let mut child = self.child.lock().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}
