//! A supervised llama-server with the fetched language model: started on a free loopback port, restarted when it ends,
//! and stopped with this process, however this one ends. It is a program of others, so it may read only itself, its model and
//! the system's libraries, and connect to nothing.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use tokio::{
    process::{Child, ChildStdin},
    runtime::Handle,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{reserved_port::ReservedPort, secrets};
use crate::{child, config::Secret, sandbox};

/// The program's path below the folder of fetched parts, as pinned in `parts.toml`.
pub const PROGRAM: &str = "llama-server-0.10068.0/llama-server";
/// The model's path below the folder of fetched parts.
const MODEL: &str = "qwen2.5-coder-1.5b-instruct/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf";
/// The model's name in requests.
pub const MODEL_NAME: &str = "qwen2.5-coder-1.5b-instruct";
/// Answers that it makes at the same time.
pub const PARALLEL: usize = 2;
/// Tokens of prompt and answer together, for each of them: rules, a small knowledge base, a conversation and an answer.
pub const WINDOW: usize = 6144;
/// Megabytes of prompts that are kept for later questions: about ten knowledge bases. The program would take 8192.
const CACHE_MEGABYTES: usize = 1024;
/// Timeout for loading the model and answering.
const START_TIMEOUT: Duration = Duration::from_secs(180);
/// Timeout for a clean stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// Wait before it is started again; doubled with each start that fails, up to [`MAX_RESTART_DELAY`].
const RESTART_DELAY: Duration = Duration::from_secs(1);
const MAX_RESTART_DELAY: Duration = Duration::from_secs(60);

/// Runs the server below a shell that ends it when the shell's standard input, which only this process holds open,
/// ends. It runs at low priority.
const SCRIPT: &str = r#"
exec 3<&0
nice -n 5 "$@" </dev/null 3<&- &
server=$!
(while read -r _ <&3; do :; done; kill -TERM "$server" 2>/dev/null; sleep 5; kill -KILL "$server" 2>/dev/null) &
guard=$!
wait "$server"
status=$?
kill "$guard" 2>/dev/null
exit "$status"
"#;

/// Why the embedded model server did not start, as a sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum LlamaError {
    /// A part was not fetched.
    #[error("{} is not here. Fetch it with `target/debug/xtask fetch llama-server model`, or run `make run MODEL=1`.", .0.display())]
    Missing(PathBuf),
    /// The log cannot be written.
    #[error("{} cannot be written: {source}", .path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No port is free.
    #[error("no loopback port is free for the model server: {0}")]
    Port(io::Error),
    /// The system cannot confine it.
    #[error("the model server is not started, because it cannot be confined: {0}")]
    Unconfined(String),
    /// The shell could not be started.
    #[error("the model server could not be started: {0}")]
    Start(io::Error),
    /// The server ended while it was starting.
    #[error("the model server ended while it was starting. Its last log lines:\n{0}")]
    Exited(String),
    /// The server did not answer in time.
    #[error("the model server did not answer within {seconds} s. Its last log lines:\n{log}")]
    Slow {
        /// How long it was waited for.
        seconds: u64,
        /// The tail of its log.
        log: String,
    },
}

/// A running model server.
#[derive(Debug)]
pub struct EmbeddedLlama {
    url: String,
    key: Secret,
    stopped: CancellationToken,
    supervisor: JoinHandle<()>,
}

/// The parameters of a start.
#[derive(Debug)]
struct Launch {
    program: PathBuf,
    model: PathBuf,
    log: PathBuf,
    port: ReservedPort,
    key: Secret,
}

/// One run of the server; ends when its input is dropped.
struct Run {
    child: Child,
    input: Option<ChildStdin>,
}

impl EmbeddedLlama {
    /// Starts the server and waits until it has read its model. Its log is `llama-server.log` in `var_dir`.
    ///
    /// # Errors
    /// When a part was not fetched, or the server does not start; the error has the last lines of its log.
    pub async fn start(parts_dir: &Path, var_dir: &Path) -> Result<Self, LlamaError> {
        let part = |path: &str| {
            let path = std::path::absolute(parts_dir.join(path)).unwrap_or_else(|_| parts_dir.join(path));
            if path.is_file() { Ok(path) } else { Err(LlamaError::Missing(path)) }
        };
        let log = var_dir.join("llama-server.log");
        let port = ReservedPort::reserve().map_err(LlamaError::Port)?;
        // Other users of the machine reach the port, too.
        let key = Secret::new(secrets::generate());
        let launch = Launch { program: part(PROGRAM)?, model: part(MODEL)?, log, port, key: key.clone() };
        let run = launch.run().await?;
        let stopped = CancellationToken::new();
        let url = format!("http://127.0.0.1:{}/v1", launch.port.number);
        let supervisor = tokio::spawn(supervise(launch, run, stopped.clone()));
        Ok(Self { url, key, stopped, supervisor })
    }

    /// The address of its chat endpoint, up to and without `/chat/completions`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The key that its callers send.
    pub fn key(&self) -> &Secret {
        &self.key
    }

    /// Stops the server.
    pub async fn stop(self) {
        self.stopped.cancel();
        let _ = self.supervisor.await;
    }
}

impl Launch {
    /// Starts the server and waits until it answers.
    async fn run(&self) -> Result<Run, LlamaError> {
        let mut run = self.spawn()?;
        let started = Instant::now();
        let health = format!("http://127.0.0.1:{}/health", self.port.number);
        while started.elapsed() < START_TIMEOUT {
            if run.child.try_wait().map_err(LlamaError::Start)?.is_some() {
                return Err(LlamaError::Exited(self.log_tail()));
            }
            let answer = timeout(Duration::from_secs(2), reqwest::get(&health)).await;
            if answer.is_ok_and(|answer| answer.is_ok_and(|answer| answer.status().is_success())) {
                return Ok(run);
            }
            sleep(Duration::from_millis(100)).await;
        }
        run.stop().await;
        Err(LlamaError::Slow { seconds: START_TIMEOUT.as_secs(), log: self.log_tail() })
    }

    fn spawn(&self) -> Result<Run, LlamaError> {
        let failed = |source| LlamaError::Log { path: self.log.clone(), source };
        let log = File::create(&self.log).map_err(failed)?;
        let errors = log.try_clone().map_err(failed)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut shell = child::async_command("/bin/sh");
        shell.args(["-c", SCRIPT, "model-server"]).arg(&self.program).arg("--model").arg(&self.model);
        shell.args(["--alias", MODEL_NAME, "--host", "127.0.0.1", "--port", &self.port.number.to_string()]);
        shell.args(["--ctx-size", &(WINDOW * PARALLEL).to_string(), "--parallel", &PARALLEL.to_string()]);
        shell.args(["--threads", &cores.to_string(), "--slots", "--no-webui"]);
        shell.args(["--cache-ram", &CACHE_MEGABYTES.to_string()]);
        // In the environment, because every user of the machine can see arguments.
        shell.env("LLAMA_API_KEY", self.key.expose()).current_dir("/");
        shell.stdin(Stdio::piped()).stdout(log).stderr(errors).process_group(0);
        let folders: Vec<&Path> = [&self.program, &self.model].into_iter().filter_map(|file| file.parent()).collect();
        let runtime = Handle::current();
        let start = || {
            let _entered = runtime.enter();
            shell.spawn()
        };
        let started = sandbox::start_model_server(&folders, self.port.number, start).map_err(LlamaError::Unconfined)?;
        let mut child = started.map_err(LlamaError::Start)?;
        let input = child.stdin.take();
        Ok(Run { child, input })
    }

    fn log_tail(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }
}

impl Run {
    /// Ends the server: the shell's guard sees the end of its input.
    async fn stop(mut self) {
        drop(self.input.take());
        if timeout(STOP_TIMEOUT, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

/// Starts the server again whenever it ends, on the same port. While it is away, chatbots quote.
async fn supervise(launch: Launch, mut run: Run, stopped: CancellationToken) {
    loop {
        tokio::select! {
            _ = run.child.wait() => {}
            () = stopped.cancelled() => return run.stop().await,
        }
        tracing::warn!(log = %launch.log.display(), "model_server.ended: it is started again");
        let mut pause = RESTART_DELAY;
        run = loop {
            tokio::select! {
                () = sleep(pause) => {}
                () = stopped.cancelled() => return,
            }
            let started = tokio::select! {
                started = launch.run() => started,
                // Dropping its input ends a server that is still starting.
                () = stopped.cancelled() => return,
            };
            match started {
                Ok(run) => break run,
                Err(error) => tracing::error!(%error, "model_server.failed"),
            }
            pause = (pause * 2).min(MAX_RESTART_DELAY);
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another process makes the program: one that this process writes is busy while another test starts a process meanwhile.
    fn make_program(program: &Path, script: &str) {
        let source = program.with_extension("source");
        fs::write(&source, script).unwrap();
        let installed =
            child::command("install").args(["-m", "755"]).args([source.as_path(), program]).status().unwrap();
        assert!(installed.success());
    }

    #[test]
    fn the_program_is_in_a_folder_of_the_pinned_parts() {
        let pinned = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../parts.toml")).unwrap();
        let (folder, _) = PROGRAM.split_once('/').unwrap();
        assert!(pinned.contains(&format!("folder = \"{folder}\"")), "parts.toml has no folder {folder}");
    }

    #[tokio::test]
    async fn parts_that_were_not_fetched_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = EmbeddedLlama::start(folder.path(), folder.path()).await.unwrap_err();
        assert!(error.to_string().contains("llama-server is not here. Fetch it"), "{error}");
    }

    #[tokio::test]
    async fn a_server_that_ends_while_starting_shows_its_log() {
        let folder = tempfile::tempdir().unwrap();
        for part in [PROGRAM, MODEL] {
            fs::create_dir_all(folder.path().join(part).parent().unwrap()).unwrap();
        }
        make_program(&folder.path().join(PROGRAM), "#!/bin/sh\necho no memory\nexit 3\n");
        fs::write(folder.path().join(MODEL), "no model").unwrap();
        let error = EmbeddedLlama::start(folder.path(), folder.path()).await.unwrap_err();
        assert!(error.to_string().ends_with("Its last log lines:\nno memory"), "{error}");
    }

    /// A start of this script instead of the server.
    fn launch(folder: &Path, script: &str) -> Launch {
        let program = folder.join("server");
        make_program(&program, script);
        let port = ReservedPort::reserve().unwrap();
        Launch { program, model: PathBuf::from("none"), log: folder.join("log"), port, key: Secret::new("a-key") }
    }

    /// What the server has written to its log, as soon as it ends with a line break.
    async fn written(log: &Path) -> String {
        let started = Instant::now();
        loop {
            let text = fs::read_to_string(log).unwrap_or_default();
            if text.ends_with('\n') || started.elapsed() > START_TIMEOUT {
                return text;
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// The names of the variables of a running process.
    fn variables(pid: &str) -> Vec<String> {
        let environment = fs::read_to_string(format!("/proc/{}/environ", pid.trim())).unwrap();
        let names = environment.split_terminator('\0').filter_map(|variable| variable.split('=').next());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_server_gets_no_environment() {
        let folder = tempfile::tempdir().unwrap();
        let launch = launch(folder.path(), "#!/bin/sh\necho $$\nexec sleep 300\n");
        let run = launch.spawn().unwrap();
        let shell = run.child.id().unwrap().to_string();
        let pid = written(&launch.log).await;
        assert_eq!(variables(&shell), ["LC_ALL", "LLAMA_API_KEY", "PATH"]);
        // The shell that stands in for the server adds its folder.
        assert_eq!(variables(&pid), ["LC_ALL", "LLAMA_API_KEY", "PATH", "PWD"]);
        run.stop().await;
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_server_reads_and_runs_nothing_else() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
        fs::write(outside.path(), "a secret\n").unwrap();
        fs::write(folder.path().join("part"), "a part\n").unwrap();
        let script = format!(
            "#!/bin/sh\nfor file in '{}' '{}' /proc/self/environ; do\n  read -r line <$file && printf '%s;' \"$line\"\ndone 2>/dev/null\n\
             (/bin/cat /dev/null) 2>/dev/null && printf 'ran;'\necho end\n",
            folder.path().join("part").display(),
            outside.path().display(),
        );
        let script = script.replace("$file", "\"$file\"");
        let launch = launch(folder.path(), &script);
        let run = launch.spawn().unwrap();
        assert_eq!(written(&launch.log).await, "a part;end\n");
        run.stop().await;
    }

    /// The first run ends at once, and the second one never answers.
    #[tokio::test]
    async fn a_stop_does_not_wait_for_a_server_that_is_starting_again() {
        let folder = tempfile::tempdir().unwrap();
        let first = folder.path().join("first");
        fs::write(&first, "").unwrap();
        let launch = launch(
            folder.path(),
            &format!("#!/bin/sh\ntest -e '{}' && exit 1\necho again\nexec sleep 300\n", first.display()),
        );
        let log = launch.log.clone();
        let mut run = launch.spawn().unwrap();
        run.child.wait().await.unwrap();
        fs::remove_file(first).unwrap();
        let stopped = CancellationToken::new();
        let supervisor = tokio::spawn(supervise(launch, run, stopped.clone()));
        let started = Instant::now();
        while !fs::read_to_string(&log).unwrap_or_default().contains("again") && started.elapsed() < START_TIMEOUT {
            sleep(Duration::from_millis(10)).await;
        }
        stopped.cancel();
        assert!(timeout(STOP_TIMEOUT, supervisor).await.is_ok());
    }

    /// The server goes when the input of its shell ends, as it does when this process is killed.
    #[tokio::test]
    async fn the_end_of_its_input_ends_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let launch = launch(folder.path(), "#!/bin/sh\necho $$\nexec sleep 300\n");
        let mut run = launch.spawn().unwrap();
        let pid: i32 = written(&launch.log).await.trim().parse().unwrap();
        assert!(run.child.try_wait().unwrap().is_none());
        run.stop().await;
        assert_eq!(nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), None), Err(nix::errno::Errno::ESRCH));
    }
}
