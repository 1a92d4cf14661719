//! The child process: restricts itself, reads its standard input, and writes messages.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Write},
    net::UdpSocket,
    os::fd::AsFd,
    process::ExitCode,
};

use nix::{sys::signal::kill, unistd::Pid};

use rag::document::{
    Document, Unreadable,
    archive::{self, Contents, Event, Options},
    read_as, web_page,
};

use crate::child;

use super::{
    MAX_TEXT, NOT_STARTED, Refusal, confine,
    message::{Message, Order, Reach, ReadArchive, Task},
    output::{Output, arm},
    picture, recognise,
};

/// The highest number of a standard stream.
const STANDARD_ERROR: i32 = 2;
/// Maximum bytes of a website's file; the crawler has a lower limit.
const MAX_WEB_BYTES: u64 = 1024 * 1024 * 1024;

/// Carries out the order.
#[must_use]
pub(crate) fn run(order: &str) -> ExitCode {
    match start(order) {
        // The parent may have ended.
        Ok((order, file)) => match read(&order, file, &mut Output::new()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(reason) => {
            let _ = writeln!(io::stderr(), "{reason}");
            ExitCode::from(NOT_STARTED)
        }
    }
}

fn start(order: &str) -> Result<(Order, File), String> {
    close_inherited_files();
    let order: Order = serde_json::from_str(order).map_err(|error| error.to_string())?;
    let stdin = io::stdin().as_fd().try_clone_to_owned().map_err(|error| error.to_string())?;
    // The panic message may contain text of the document, so it is not logged.
    std::panic::set_hook(Box::new(|_| {}));
    rag::lower_priority();
    confine::confine(&order)?;
    arm(order.timeout().as_secs());
    Ok((order, File::from(stdin)))
}

/// Closes the files that the server was started with and has handed down, so that no program of text recognition gets
/// them. What the server opens itself is closed in its children anyway.
fn close_inherited_files() {
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return };
    let numbers = open.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // The folder itself is in its list, and closed when the list is complete.
    let others: Vec<i32> = numbers.filter(|number| *number > STANDARD_ERROR).collect();
    for number in others {
        let _ = nix::unistd::close(number);
    }
}

fn read(order: &Order, file: File, output: &mut Output) -> io::Result<()> {
    let message = match &order.task {
        Task::Archive(archive) => return read_archive(order, file, archive, output),
        Task::Recognise(order) => return recognise::run(order, file, output),
        Task::Document { file_type, max_bytes } => match read_as(file, "", file_type, *max_bytes) {
            Err(Unreadable::Scanned(pages)) => Message::Scanned { pages },
            read => document(read),
        },
        Task::Contents { file_type, pictures, max_file_bytes } => {
            let options = Options { file_type, pictures: *pictures, max_file_bytes: *max_file_bytes };
            match archive::contents(file, options) {
                Ok(Contents { files, pages }) => Message::Contents { files, pages },
                Err(reason) => Message::Refused(reason.into()),
            }
        }
        Task::Page { charset } => {
            let (url, body) = split_address(file)?;
            match web_page::read_page(&url, &body, charset.as_deref()) {
                Ok(page) => Message::Page(Box::new(page)),
                Err(reason) => Message::Refused(reason.into()),
            }
        }
        Task::Ownership { meta } => Message::Ownership(web_page::ownership(&split_address(file)?.1, meta)),
        Task::WebFile { file_type } => {
            let (url, body) = split_address(file)?;
            document(web_page::read_file(&url, file_type, &body))
        }
        Task::Picture => match picture::prepare(&split_address(file)?.1) {
            Ok(picture) => Message::Picture(picture),
            Err(error) => Message::NoPicture(error),
        },
        Task::Probe { parent } => Message::Probed(probe(*parent)),
        // In a thread like that which starts the programs.
        Task::ProbeRecognition { parent, .. } => match confine::without_signals(|| probe(*parent)) {
            Ok(reach) => Message::Probed(reach),
            Err(error) => return Err(io::Error::other(error)),
        },
    };
    output.send(&message)
}

/// The line with the address, and what follows it.
fn split_address(file: File) -> io::Result<(String, Vec<u8>)> {
    let mut input = BufReader::new(file).take(MAX_WEB_BYTES);
    let (mut url, mut body) = (String::new(), Vec::new());
    input.read_line(&mut url)?;
    input.read_to_end(&mut body)?;
    Ok((url.trim_end_matches('\n').to_owned(), body))
}

fn bounded(read: Result<Document, Unreadable>) -> Result<Document, Refusal> {
    let document = read.map_err(Refusal::from)?;
    if document.text_bytes() > MAX_TEXT { Err(Refusal::too_much_text()) } else { Ok(document) }
}

fn document(read: Result<Document, Unreadable>) -> Message {
    bounded(read).map_or_else(Message::Refused, Message::Document)
}

fn read_archive(order: &Order, file: File, request: &ReadArchive, output: &mut Output) -> io::Result<()> {
    let (mut position, mut sent) = (0, Ok(()));
    let ReadArchive { file_type, pictures, max_file_bytes, .. } = request;
    let options = Options { file_type, pictures: *pictures, max_file_bytes: *max_file_bytes };
    let read = archive::read(file, "", options, &mut |event| {
        let (message, content) = match event {
            Event::Next(path) => {
                position += 1;
                if position <= request.skip {
                    return false;
                }
                (Message::Next { path: path.trim_start_matches('/').to_owned() }, None)
            }
            Event::Read(_, read, bytes) => {
                let content = (request.scans && shows_pictures(&read)).then_some(bytes);
                (bounded(read).map_or_else(Message::Skipped, Message::Document), content)
            }
        };
        sent = output.without_deadline(order.seconds, |output| {
            if let Some(content) = content {
                output.send_content(content)?;
            }
            output.send(&message)
        });
        sent.is_ok()
    });
    sent?;
    output.send(&match read {
        Ok(()) => Message::End,
        Err(reason) => Message::Refused(reason.into()),
    })
}

/// Whether text recognition may find more in the file than its reader has.
fn shows_pictures(read: &Result<Document, Unreadable>) -> bool {
    match read {
        Ok(document) => !document.blank_pages.is_empty(),
        Err(reason) => matches!(reason, Unreadable::Scanned(_)),
    }
}

fn probe(parent: i32) -> Reach {
    Reach {
        files: File::open("/proc/self/status").is_ok(),
        network: UdpSocket::bind("127.0.0.1:0").is_ok(),
        programs: child::command("/bin/true").spawn().and_then(|mut child| child.wait()).is_ok(),
        signals: kill(Pid::from_raw(parent), None).is_ok(),
    }
}
