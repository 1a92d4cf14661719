//! Backups: written while a platform runs, restored into an empty database by a role without superuser rights, and compared.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Output,
    sync::Arc,
    time::Duration,
};

use serde_json::Value;
use server::storage::Storage;
use tempfile::TempDir;

use crate::support::{Database, Platform, SeededTenant, World, checksum, command, embedder, uploads_folder};

/// A platform with data, and a backup of it.
struct BackedUp {
    platform: Platform,
    tenant: SeededTenant,
    /// What the tenant's uploaded file says.
    file: String,
    folder: TempDir,
}

impl BackedUp {
    async fn new() -> Self {
        let world = World::start().await;
        let file = original(&world.platform, world.one).await;
        let backup = Self { platform: world.platform, tenant: world.one, file, folder: tempfile::tempdir().unwrap() };
        let written = command::succeeded(&backup.write(&backup.path()).await);
        assert!(written.contains("rows of") && !written.contains(" 0 uploaded files"), "{written}");
        backup
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("backup")
    }

    async fn write(&self, path: &Path) -> Output {
        self.write_as(path, &self.platform.db.superuser_url(), None).await
    }

    async fn write_as(&self, path: &Path, url: &str, programs: Option<&Path>) -> Output {
        let mut variables = vec![
            ("SVC_DATABASE_ADMIN_URL", url.to_owned()),
            ("SVC_UPLOADS_FOLDER", uploads_folder(&self.platform.app).display().to_string()),
        ];
        variables.extend(programs.map(|folder| ("SVC_DATABASE_BIN_DIR", folder.display().to_string())));
        command::run(&["backup", path.to_str().unwrap()], &variables).await
    }
}

/// The tenant's uploaded file.
async fn original(platform: &Platform, tenant: SeededTenant) -> String {
    let path = format!(
        "/api/v1/tenants/me/chatbots/{}/sources/{}/documents/{}/original",
        tenant.chatbot, tenant.source, tenant.external_id
    );
    let response = platform.admin(tenant.tenant).get(&path).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.body.to_string()
}

/// An empty database of an owner that is no superuser, and an empty storage.
struct Target {
    db: Database,
    owner_url: String,
    storage: TempDir,
}

impl Target {
    async fn new() -> Self {
        let (db, owner_url) = Database::empty().await;
        Self { db, owner_url, storage: tempfile::tempdir().unwrap() }
    }

    fn uploads(&self) -> PathBuf {
        self.storage.path().join("uploads")
    }

    async fn restore(&self, backup: &Path) -> Output {
        self.restore_with(backup, None).await
    }

    async fn restore_with(&self, backup: &Path, programs: Option<&Path>) -> Output {
        let mut variables = vec![
            ("SVC_DATABASE_ADMIN_URL", self.owner_url.clone()),
            ("SVC_DATABASE_URL", self.db.login_url()),
            ("SVC_UPLOADS_FOLDER", self.uploads().display().to_string()),
        ];
        variables.extend(programs.map(|folder| ("SVC_DATABASE_BIN_DIR", folder.display().to_string())));
        command::run(&["restore", backup.to_str().unwrap()], &variables).await
    }

    /// Fails if a restore that was refused has left something.
    async fn is_untouched(&self) {
        let tables =
            "select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')";
        let tables: i64 = sqlx::query_scalar(tables).fetch_one(&self.db.superuser).await.unwrap();
        assert_eq!(tables, 0);
        let files = fs::read_dir(self.uploads()).map_or(0, Iterator::count);
        assert_eq!(files, 0, "files are left in the storage");
    }
}

/// The rules of row security, with another name for the role that owns the tables.
async fn policies(db: &Database, owner: &str) -> Vec<String> {
    let policies = sqlx::query_scalar(
        "select concat_ws(' ', tablename, policyname, permissive, cmd, qual, with_check,
                          replace(roles::text, (select tableowner::text from pg_tables where tablename = 'chatbots'), 'the owner'))
         from pg_policies order by tablename, policyname",
    );
    let policies: Vec<String> = policies.fetch_all(&db.superuser).await.unwrap();
    assert!(policies.iter().filter(|policy| policy.ends_with("{the owner}")).count() > 5, "{owner}: {policies:?}");
    policies
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_restored_and_a_platform_serves_it() {
    let backup = BackedUp::new().await;
    let before = checksum::of_everything(backup.platform.everything()).await;
    let mode = fs::metadata(backup.path()).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700, "everything in it is in clear text");
    let target = Target::new().await;
    let text = command::succeeded(&target.restore(&backup.path()).await);
    assert!(text.contains("Restored and compared with the backup"), "{text}");
    let after = checksum::of_everything(&target.db.superuser).await;
    assert_eq!(checksum::changed(&before, &after), [""; 0]);
    assert_eq!(policies(&target.db, "owner").await, policies(&backup.platform.db, "superuser").await);
    let everybody = "select has_database_privilege('public', current_database(), 'temporary')";
    assert!(!sqlx::query_scalar::<_, bool>(everybody).fetch_one(&target.db.superuser).await.unwrap());

    let again = command::refusal(&target.restore(&backup.path()).await);
    assert!(again.contains("is not empty: name an empty one in database.admin_url"), "{again}");
    assert_eq!(checksum::changed(&after, &checksum::of_everything(&target.db.superuser).await), [""; 0]);

    let storage = Arc::new(Storage::in_folder(target.uploads()));
    assert_eq!(storage.id().await.unwrap(), backup.platform.app.storage().id().await.unwrap());
    let restored = Platform::start_on(target.db, embedder().await, |settings| settings.uploads.storage = storage).await;
    assert_eq!(original(&restored, backup.tenant).await, backup.file);
    let messages = restored
        .admin(backup.tenant.tenant)
        .get(&format!("/api/v1/tenants/me/chatbots/{}", backup.tenant.chatbot))
        .await;
    assert_eq!(messages.status, 200, "{messages:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_is_not_empty_keeps_what_it_has() {
    let backup = BackedUp::new().await;
    let target = Target::new().await;
    fs::create_dir(target.uploads()).unwrap();
    fs::write(target.uploads().join("a"), "mine").unwrap();
    let refusal = command::refusal(&target.restore(&backup.path()).await);
    assert!(refusal.contains("uploads is not empty"), "{refusal}");
    assert_eq!(fs::read_to_string(target.uploads().join("a")).unwrap(), "mine");
    fs::remove_file(target.uploads().join("a")).unwrap();
    target.is_untouched().await;
    let refusal = command::refusal(&backup.write(&backup.path()).await);
    assert!(refusal.contains("exists already"), "{refusal}");
    sqlx::raw_sql("create table mine (id integer)").execute(&target.db.superuser).await.unwrap();
    let refusal = command::refusal(&target.restore(&backup.path()).await);
    assert!(refusal.contains("is not empty: name an empty one"), "{refusal}");
}

/// Changes the manifest of a backup.
fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let file = path.join("manifest.json");
    let mut manifest = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&file, manifest.to_string()).unwrap();
}

/// The first file below a folder.
fn first_file(folder: &Path) -> PathBuf {
    let entry = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    if entry.is_dir() { first_file(&entry) } else { entry }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_or_foreign_backups_change_nothing() {
    let backup = BackedUp::new().await;
    let target = Target::new().await;
    let append = |path: &Path| fs::write(path, [fs::read(path).unwrap(), b"x".to_vec()].concat()).unwrap();
    type Damage<'a> = Box<dyn Fn(&Path) + 'a>;
    let damages: [(&str, Damage<'_>); 10] = [
        ("manifest.json cannot be used", Box::new(|path| fs::remove_file(path.join("manifest.json")).unwrap())),
        ("is not the manifest of a backup", Box::new(|path| fs::write(path.join("manifest.json"), "{").unwrap())),
        (
            "restore it with a version that begins with 99",
            Box::new(|path| edit(path, |manifest| manifest["platform"] = "99.0.0".into())),
        ),
        (
            "a newer version has migrated",
            Box::new(|path| edit(path, |manifest| manifest["newest_migration"] = 99_999.into())),
        ),
        (
            "the backup is of PostgreSQL 99",
            Box::new(|path| edit(path, |manifest| manifest["postgres"] = 990_001.into())),
        ),
        ("database.dump is not the one", Box::new(|path| append(&path.join("database.dump")))),
        ("is not the file that was backed up", Box::new(|path| append(&first_file(&path.join("originals"))))),
        ("is missing", Box::new(|path| fs::remove_file(first_file(&path.join("originals"))).unwrap())),
        ("originals.sha256 is not the one", Box::new(|path| fs::write(path.join("originals.sha256"), "").unwrap())),
        ("cannot be used: No such file", Box::new(|path| fs::remove_dir_all(path).unwrap())),
    ];
    for (number, (expected, damage)) in damages.iter().enumerate() {
        let copy = backup.folder.path().join(format!("copy-{number}"));
        copy_folder(&backup.path(), &copy);
        damage(&copy);
        let refusal = command::refusal(&target.restore(&copy).await);
        assert!(refusal.contains(expected), "{expected}: {refusal}");
        target.is_untouched().await;
    }
    // Rows that are not those of the manifest are found, although the dump is whole.
    edit(&backup.path(), |manifest| manifest["tables"]["chatbots"]["sum"] = "1".into());
    let refusal = command::refusal(&target.restore(&backup.path()).await);
    assert!(refusal.contains("the table chatbots differs from the backup"), "{refusal}");
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Programs of PostgreSQL that do this instead of their work.
fn programs_that(act: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["pg_dump", "pg_restore"] {
        let path = folder.path().join(name);
        let script = format!(
            "#!/bin/sh\ncase $1 in --version) echo '{name} (PostgreSQL) 18.6';; --list) echo ';';; *) {act};; esac\n"
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// Programs that fail as on a full disk.
fn failing_programs() -> TempDir {
    programs_that("echo \"${0##*/}: error: could not write to output file: No space left on device\" >&2; exit 1")
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_half_made_is_left_of_a_failure() {
    let backup = BackedUp::new().await;
    let programs = failing_programs();
    let new = backup.folder.path().join("second");
    let url = backup.platform.db.superuser_url();
    let refusal = command::refusal(&backup.write_as(&new, &url, Some(programs.path())).await);
    assert_eq!(refusal, "pg_dump failed: could not write to output file: No space left on device");
    let target = Target::new().await;
    let refusal = command::refusal(&target.restore_with(&backup.path(), Some(programs.path())).await);
    assert_eq!(refusal, "pg_restore failed: could not write to output file: No space left on device");
    target.is_untouched().await;
    // Row security would hide rows from this role.
    let refusal = command::refusal(&backup.write_as(&new, &backup.platform.db.login_url(), None).await);
    assert!(refusal.contains("permission denied") || refusal.contains("row-level security"), "{refusal}");
    let refusal = command::refusal(&backup.write_as(Path::new("/nowhere/backup"), &url, None).await);
    assert!(refusal.contains("/nowhere/backup") && refusal.contains("No such file"), "{refusal}");
    let names: Vec<_> = fs::read_dir(backup.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["backup"], "an unfinished backup is left");
}

/// Ends the command of a task when its program of PostgreSQL works, and returns the refusal.
async fn interrupted(work: impl Future<Output = Output> + Send + 'static, programs: &Path) -> String {
    let working = programs.join("working");
    let command = tokio::spawn(work);
    while !working.exists() && !command.is_finished() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let ids = fs::read_to_string(&working).unwrap();
    fs::remove_file(&working).unwrap();
    let [program, parent] = ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>().try_into().unwrap();
    assert!(std::process::Command::new("kill").args(["-TERM", &parent]).status().unwrap().success());
    let refusal = command::refusal(&command.await.unwrap());
    assert!(!Path::new("/proc").join(program).join("exe").exists(), "the program of PostgreSQL still runs");
    refusal
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_half_made_is_left_of_an_interruption() {
    const REFUSAL: &str = "it was interrupted, and nothing of it is left.";
    let backup = Arc::new(BackedUp::new().await);
    let programs =
        programs_that("echo $$ $PPID > \"${0%/*}/new\"; mv \"${0%/*}/new\" \"${0%/*}/working\"; exec sleep 600");
    let folder = programs.path().to_owned();
    let (writer, bin) = (Arc::clone(&backup), folder.clone());
    let new = backup.folder.path().join("second");
    let work = async move { writer.write_as(&new, &writer.platform.db.superuser_url(), Some(&bin)).await };
    assert_eq!(interrupted(work, &folder).await, REFUSAL);
    let names: Vec<_> = fs::read_dir(backup.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["backup"], "an unfinished backup is left");

    let target = Arc::new(Target::new().await);
    let (into, from, bin) = (Arc::clone(&target), backup.path(), folder.clone());
    let work = async move { into.restore_with(&from, Some(&bin)).await };
    assert_eq!(interrupted(work, &folder).await, REFUSAL);
    target.is_untouched().await;
}
