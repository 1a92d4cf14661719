//! The dropped or chosen files, including those in folders with their paths.

use std::{cell::Cell, collections::VecDeque, rc::Rc};

use app::upload_kinds::is_hidden;
use futures::channel::oneshot;
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    DataTransfer, DataTransferItem, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader,
    FileSystemEntry, FileSystemFileEntry,
};

/// Maximum files of one drop.
pub(super) const MAX_FILES: usize = 2_000;

/// A dropped entry, as provided by the browser during the event.
pub(super) enum DroppedItem {
    File(File),
    Folder(FileSystemDirectoryEntry),
}

/// The files that were found.
#[derive(Default)]
pub(super) struct CollectedFiles {
    /// Files with their paths.
    pub(super) files: Vec<(String, File)>,
    /// Paths that could not be opened.
    pub(super) unopened: Vec<String>,
    /// Whether there are more files than the maximum.
    pub(super) is_cut: bool,
}

impl CollectedFiles {
    fn add(&mut self, path: String, file: File) {
        if self.files.len() < MAX_FILES {
            self.files.push((path, file));
        } else {
            self.is_cut = true;
        }
    }
}

/// Whether files are dragged, and not text or a link.
pub(super) fn has_files(data: &DataTransfer) -> bool {
    data.types().iter().any(|kind| kind.as_string().as_deref() == Some("Files"))
}

/// The dropped entries. The browser discards them after the event.
pub(super) fn dropped(data: &DataTransfer) -> Vec<DroppedItem> {
    let items = data.items();
    let items = (0..items.length()).filter_map(|index| items.get(index));
    items.filter(|item| item.kind() == "file").filter_map(|item| dropped_item(&item)).collect()
}

fn dropped_item(item: &DataTransferItem) -> Option<DroppedItem> {
    match item.webkit_get_as_entry() {
        Ok(Some(entry)) if entry.is_directory() => Some(DroppedItem::Folder(entry.unchecked_into())),
        _ => item.get_as_file().ok().flatten().map(DroppedItem::File),
    }
}

/// The files that were chosen in a dialog.
pub(super) fn chosen(list: &FileList) -> CollectedFiles {
    let mut files = CollectedFiles::default();
    for file in (0..list.length()).filter_map(|index| list.get(index)) {
        // Empty unless a folder was chosen.
        let path = Reflect::get(&file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
        match path.filter(|path| !path.is_empty()) {
            Some(path) if is_hidden(&path) => {}
            Some(path) => files.add(path, file),
            None => files.add(file.name(), file),
        }
    }
    files
}

/// All files of the dropped entries, folder by folder.
pub(super) async fn read_all(dropped: Vec<DroppedItem>) -> CollectedFiles {
    let (mut files, mut folders) = (CollectedFiles::default(), VecDeque::new());
    for one in dropped {
        match one {
            DroppedItem::File(file) => files.add(file.name(), file),
            DroppedItem::Folder(folder) => folders.push_back(folder),
        }
    }
    while let Some(folder) = folders.pop_front() {
        if files.is_cut {
            break;
        }
        let Some(entries) = entries_of(&folder.create_reader()).await else {
            files.unopened.push(path_of(&folder));
            continue;
        };
        for entry in entries.into_iter().filter(|entry| !is_hidden(&entry.name())) {
            if entry.is_directory() {
                folders.push_back(entry.unchecked_into());
            } else if !files.is_cut {
                let path = path_of(&entry);
                match file_of(entry.unchecked_ref()).await {
                    Some(file) => files.add(path, file),
                    None => files.unopened.push(path),
                }
            }
        }
    }
    files
}

/// The path from the folder that was dropped.
fn path_of(entry: &FileSystemEntry) -> String {
    entry.full_path().trim_start_matches('/').to_owned()
}

/// The entries of a folder. The browser returns them in batches, until one is empty.
async fn entries_of(reader: &FileSystemDirectoryReader) -> Option<Vec<FileSystemEntry>> {
    let mut entries = Vec::new();
    loop {
        let part = one_of(|done, failed| {
            let _ = reader.read_entries_with_callback_and_callback(done, failed);
        });
        let part = part.await?.dyn_into::<Array>().ok()?;
        if part.length() == 0 {
            return Some(entries);
        }
        entries.extend(part.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
    }
}

async fn file_of(entry: &FileSystemFileEntry) -> Option<File> {
    let file = one_of(|done, failed| entry.file_with_callback_and_callback(done, failed)).await?;
    file.dyn_into().ok()
}

/// Waits for the first of two callbacks; `None` for the second, which reports a failure.
async fn one_of(call: impl FnOnce(&Function, &Function)) -> Option<JsValue> {
    let (sender, answer) = oneshot::channel();
    let sender = Rc::new(Cell::new(Some(sender)));
    let failing = Rc::clone(&sender);
    let done = Closure::<dyn FnMut(JsValue)>::new(move |value: JsValue| send(&sender, Some(value)));
    let failed = Closure::<dyn FnMut(JsValue)>::new(move |_: JsValue| send(&failing, None));
    call(done.as_ref().unchecked_ref(), failed.as_ref().unchecked_ref());
    answer.await.ok().flatten()
}

type Sender = oneshot::Sender<Option<JsValue>>;

fn send(sender: &Cell<Option<Sender>>, value: Option<JsValue>) {
    if let Some(sender) = sender.take() {
        let _ = sender.send(value);
    }
}
