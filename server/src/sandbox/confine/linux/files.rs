//! Landlock: the files that a process may use, and the ports that it may listen on.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, make_bitflags, path_beneath_rules,
};

use crate::sandbox::message::Recognise;

/// Files that the text recognition programs read: libraries, their own data, fonts.
const READ_BY_RECOGNITION: &[&str] = &[
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share/tesseract-ocr",
    "/usr/share/tessdata",
    "/usr/share/poppler",
    "/usr/share/fonts",
    "/usr/share/fontconfig",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/var/cache/fontconfig",
    "/dev/urandom",
    "/sys/devices/system/cpu",
];

/// Files that a model server reads besides its own folders: libraries, and what the processor can do.
const READ_BY_MODEL_SERVER: &[&str] =
    &["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/dev/urandom", "/sys/devices/system"];

/// The programs of the script that runs a model server.
const RUN_BY_MODEL_SERVER: &[&str] = &["/bin/sh", "/usr/bin/nice", "/bin/sleep"];

/// The dynamic loaders.
const LOADERS: &[&str] =
    &["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-linux-riscv64-lp64d.so.1"];

/// What a process may use.
#[derive(Debug, Default)]
pub(super) struct Places {
    files: Vec<(PathBuf, BitFlags<AccessFs>)>,
    listens_on: Option<u16>,
}

impl Places {
    /// Reads system files and runs these programs.
    fn of_programs<'a>(readable: &[&str], runnable: impl IntoIterator<Item = &'a Path>) -> Self {
        let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
        let run = make_bitflags!(AccessFs::{Execute | ReadFile});
        let null = (PathBuf::from("/dev/null"), make_bitflags!(AccessFs::{ReadFile | WriteFile}));
        let readable = readable.iter().map(|path| (PathBuf::from(path), read));
        let runnable = LOADERS.iter().map(Path::new).chain(runnable).map(|path| (path.to_owned(), run));
        Self { files: readable.chain(runnable).chain([null]).collect(), listens_on: None }
    }

    pub(super) fn of_recognition(order: &Recognise) -> Self {
        let programs = [order.programs.tesseract.as_path(), &order.programs.pdftoppm];
        let mut places = Self::of_programs(READ_BY_RECOGNITION, programs);
        let own = make_bitflags!(AccessFs::{ReadFile | ReadDir | WriteFile | MakeReg | RemoveFile | Truncate});
        places.files.push((order.folder.clone(), own));
        places
    }

    pub(super) fn of_model_server(folders: &[&Path], port: u16) -> Self {
        let mut places = Self::of_programs(READ_BY_MODEL_SERVER, RUN_BY_MODEL_SERVER.iter().map(Path::new));
        let run = make_bitflags!(AccessFs::{Execute | ReadFile | ReadDir});
        places.files.extend(folders.iter().map(|folder| ((*folder).to_owned(), run)));
        places.listens_on = Some(port);
        places
    }
}

/// Closes everything but these places, and signals to others. The files must be closed, however old the kernel is; the
/// rest as far as it can.
pub(super) fn close(places: Places) -> Result<(), String> {
    restrict(CompatLevel::HardRequirement, places)
        .map_err(|error| format!("landlock cannot close the files to programs: {error}"))
}

/// Closes everything, as far as the kernel can.
pub(super) fn close_all_if_possible() -> Result<(), String> {
    restrict(CompatLevel::BestEffort, Places::default()).map_err(|error| error.to_string())
}

fn restrict(level: CompatLevel, places: Places) -> Result<(), RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(level)
        // What the first version has. Later ones add what system calls can deny (`truncate`) or what no open file allows.
        .handle_access(AccessFs::from_all(ABI::V1))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    for (path, access) in places.files {
        rules = rules.add_rules(path_beneath_rules([path], access))?;
    }
    if let Some(port) = places.listens_on {
        rules = rules.add_rule(NetPort::new(port, AccessNet::BindTcp))?;
    }
    rules.restrict_self().map(|_| ())
}
