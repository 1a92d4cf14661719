//! A real Redis-compatible server that a test can kill, suspend and restart on the same port.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::ReservedPort;

/// The server; killed when it is dropped.
pub struct Valkey {
    port: ReservedPort,
    child: Child,
}

impl Valkey {
    /// Starts a server without persistence.
    pub fn start() -> Self {
        let port = ReservedPort::reserve().unwrap();
        Self { child: spawn(port.number), port }
    }

    /// The address for `redis.url`.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.port.number)
    }

    /// Kills the server.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the server again, empty.
    pub fn restart(&mut self) {
        self.child = spawn(self.port.number);
    }

    /// Suspends the server: its connections stay open and nothing responds.
    pub fn hang(&self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap());
        kill(pid, Signal::SIGSTOP).unwrap();
    }
}

impl Drop for Valkey {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(port: u16) -> Child {
    let system = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    let machine = match (system, std::env::consts::ARCH) {
        ("darwin", "aarch64") => "arm64",
        (_, machine) => machine,
    };
    let parts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../var/parts/valkey-9.1.2");
    let port = port.to_string();
    Command::new(parts.join(format!("{system}-{machine}/valkey-server")))
        .args(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
        .stdout(Stdio::null())
        .spawn()
        .expect("valkey-server; run `make setup` first")
}
