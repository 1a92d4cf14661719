//! A real PgBouncer in front of the tests' PostgreSQL. `make test-pgbouncer` sets `TEST_PGBOUNCER`; then every
//! platform's connections go through one in transaction mode.

use std::{
    fs,
    net::TcpStream,
    os::unix::fs::{MetadataExt, PermissionsExt},
    process::{Child, Command, Stdio},
    sync::LazyLock,
    time::{Duration, Instant},
};

use url::Url;

use super::{
    ReservedPort,
    database::{LOGIN_PASSWORD, root_url},
};

/// Connections per database that all platforms share; tests with many concurrent writers need about as many.
const SHARED: u32 = 12;

/// The pooler; it ends with its holder, also when that is killed.
pub struct PgBouncer {
    port: ReservedPort,
    child: Child,
    _folder: tempfile::TempDir,
}

impl PgBouncer {
    /// Starts one in this `pool_mode`, with at most this many connections per database.
    pub fn start(mode: &str, connections: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = ReservedPort::reserve().unwrap();
        let postgres = Url::parse(&root_url()).unwrap().port().unwrap();
        let users = folder.path().join("users.txt");
        fs::write(&users, format!("\"svc_app\" \"{LOGIN_PASSWORD}\"\n\"postgres\" \"{}\"\n", superusers_password()))
            .unwrap();
        // No `ignore_startup_parameters`: the platform sends none that PgBouncer does not support.
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={postgres}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {}\nunix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = {mode}\n\
             default_pool_size = {connections}\nmax_client_conn = 800\nserver_idle_timeout = 5\nlog_connections = 0\n\
             log_disconnections = 0\nlog_pooler_errors = 0\n",
            port.number,
            users.display()
        );
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, settings).unwrap();
        // It does not run as root, and reads its files as another user.
        for (path, mode) in [(folder.path(), 0o755), (&users, 0o644), (&file, 0o644)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let is_root = fs::metadata(folder.path()).unwrap().uid() == 0;
        let user = if is_root { "-u nobody" } else { "" };
        // The shell reads until this process ends, however it ends.
        let script = format!("PATH=$PATH:/usr/sbin; pgbouncer -q {user} {} & cat; kill $!", file.display());
        let child = Command::new("sh").args(["-c", &script]).stdin(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port.number)).is_err() {
            assert!(Instant::now() < deadline, "pgbouncer does not answer; is it installed?");
            std::thread::sleep(Duration::from_millis(10));
        }
        Self { port, child, _folder: folder }
    }

    /// The address of a database, through the pooler.
    pub fn through(&self, url: &str) -> String {
        let mut url = Url::parse(url).unwrap();
        url.set_port(Some(self.port.number)).unwrap();
        url.to_string()
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn superusers_password() -> String {
    Url::parse(&root_url()).unwrap().password().unwrap_or_default().to_owned()
}

/// The pooler of all platforms of this run, if the run requests one.
pub fn shared() -> Option<&'static PgBouncer> {
    static SHARED_ONE: LazyLock<Option<PgBouncer>> =
        LazyLock::new(|| std::env::var_os("TEST_PGBOUNCER").map(|_| PgBouncer::start("transaction", SHARED)));
    SHARED_ONE.as_ref()
}
