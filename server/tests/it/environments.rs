//! The programs that the server starts do not get its environment, which may have secrets. Those of text recognition are
//! looked at in `sandbox/recognition.rs`, and the model server in `embedded/llama.rs`.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::fd::OwnedFd,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::support::sandbox;

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Text that only the environment of the server has.
const SECRET: &str = "a-secret-of-the-platform";

/// A running process.
#[derive(Debug)]
pub struct Process {
    id: u32,
    parent: u32,
    pub arguments: Vec<String>,
}

impl Process {
    fn read(id: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
        let arguments = fs::read(format!("/proc/{id}/cmdline")).ok()?;
        let arguments = String::from_utf8_lossy(&arguments);
        Some(Self { id, parent, arguments: arguments.split_terminator('\0').map(str::to_owned).collect() })
    }

    /// All of the machine, the parents first.
    fn all() -> Vec<Self> {
        let folders = fs::read_dir("/proc").unwrap().flatten();
        let ids = folders.filter_map(|folder| folder.file_name().to_str()?.parse::<u32>().ok());
        ids.filter_map(Self::read).collect()
    }

    /// The name of its program.
    fn name(&self) -> &str {
        let program = self.arguments.first().map_or("", String::as_str);
        program.rsplit('/').next().unwrap_or(program)
    }

    /// Its environment; `None` when it has ended.
    fn environment(&self) -> Option<String> {
        let environment = fs::read(format!("/proc/{}/environ", self.id)).ok()?;
        Some(String::from_utf8_lossy(&environment).into_owned())
    }
}

/// The names of the variables of the first process that matches. Waits for it.
pub async fn variables_of(is_meant: impl Fn(&Process) -> bool) -> Vec<String> {
    let started = Instant::now();
    while started.elapsed() < TIMEOUT {
        for process in Process::all().into_iter().filter(&is_meant) {
            // It is empty while the process ends.
            let Some(environment) = process.environment().filter(|text| !text.is_empty()) else { continue };
            let names = environment.split_terminator('\0').filter_map(|variable| variable.split('=').next());
            let mut names: Vec<String> = names.map(str::to_owned).collect();
            names.sort();
            return names;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("no such process has started");
}

#[tokio::test]
async fn a_reader_gets_no_environment() {
    // A file that never ends: nobody closes the other end.
    let (never, _open) = std::io::pipe().unwrap();
    let file = File::from(OwnedFd::from(never));
    let reading = tokio::spawn(async move { sandbox().read_document(file, "a.md", "md", 1000, "en").await });
    let own = std::process::id();
    let is_reader = |process: &Process| {
        process.parent == own && process.arguments.get(1).is_some_and(|argument| argument == "parse")
    };
    assert_eq!(variables_of(is_reader).await, ["LC_ALL", "PATH"]);
    reading.abort();
}

/// The environments of everything that a process starts, by the names of the programs, until one of that name runs.
fn environments_until(of: u32, last: &str) -> BTreeMap<String, Vec<String>> {
    let (mut by_program, started) = (BTreeMap::<String, Vec<String>>::new(), Instant::now());
    while started.elapsed() < TIMEOUT {
        let all = Process::all();
        let mut family = vec![of];
        // A child may have a lower id than its parent.
        for _ in 0..3 {
            family.extend(all.iter().filter(|one| family.contains(&one.parent)).map(|one| one.id).collect::<Vec<_>>());
        }
        for process in all.iter().filter(|one| one.id != of && family.contains(&one.id)) {
            let guards = process.arguments.iter().any(|argument| argument == "postgres-guard");
            let name = if guards { "guard" } else { process.name() };
            // Between its two halves, a start of a program is a copy of the server.
            let Some(environment) = process.environment().filter(|_| name != "server") else { continue };
            by_program.entry(name.to_owned()).or_default().push(environment);
        }
        if by_program.contains_key(last) {
            return by_program;
        }
    }
    panic!("{last} has not started; found {:?}", by_program.keys());
}

#[test]
fn the_embedded_database_and_its_guard_get_no_environment() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
    command.args(["with-postgres", "--", "/bin/sleep", "600"]);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.env("SVC_AUTH_PEOPLE_CLIENT_SECRET", SECRET).env("SVC_REDIS_URL", format!("redis://:{SECRET}@127.0.0.1/"));
    command.env("A_TOKEN_OF_ANOTHER_PROGRAM", SECRET).stdout(Stdio::null()).stderr(Stdio::null());
    let mut server = command.spawn().unwrap();
    let by_program = std::panic::catch_unwind(|| environments_until(server.id(), "sleep"));
    kill(Pid::from_raw(server.id().cast_signed()), Signal::SIGTERM).unwrap();
    server.wait().unwrap();
    let mut by_program = by_program.unwrap();
    let command = by_program.remove("sleep").unwrap();
    assert!(command[0].contains(SECRET), "a developer's command gets the developer's environment");
    for program in ["initdb", "postgres", "guard"] {
        assert!(by_program.contains_key(program), "{program} in {:?}", by_program.keys());
    }
    for (program, environments) in by_program {
        for environment in environments {
            assert!(!environment.contains(SECRET) && !environment.contains("SVC_"), "{program}: {environment}");
        }
    }
}
