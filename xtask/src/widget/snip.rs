//! Replaces functions that only a panic calls by traps (like wasm-snip), and removes the names of source files from the data.
//! The text of a panic never reaches the browser, and the code that formats it takes three kilobytes.

use crate::error::{Error, Result};
use crate::module::{CUSTOM, HEADER_BYTES, Reader, put_bytes, put_number};

const IMPORTS: u8 = 2;
const CODE: u8 = 10;
const DATA: u8 = 11;
const FUNCTION_NAMES: u8 = 1;
/// No locals, `unreachable`, end.
const TRAP: [u8; 3] = [0, 0x00, 0x0b];

/// The panic machinery and the formatter, by their mangled paths.
const SNIPPED: [&str; 2] = ["4core3fmt", "9panicking"];
/// Code that really formats calls one of these. The formatter must then stay.
const FORMATTING: [&str; 2] = ["4core3fmt5write", "8ToString"];

/// Replaces those bodies. The module must still have its name section.
///
/// # Errors
/// The module cannot be read, or it formats texts outside of panics.
pub(super) fn panics(module: &[u8]) -> Result<Vec<u8>> {
    let broken = || Error::Other("the WASM module could not be read".to_owned());
    let (imported, names) = survey(module).ok_or_else(broken)?;
    if let Some((_, name)) = names.iter().find(|(_, name)| FORMATTING.iter().any(|path| name.contains(path))) {
        let advice = "write numbers with `plain::decimal` and join texts with `concat`";
        return Err(Error::Other(format!("the widget formats texts ({name}): {advice}")));
    }
    let is_snipped = |function: usize| {
        let is_named =
            |(index, name): &(usize, &str)| *index == function && SNIPPED.iter().any(|path| name.contains(path));
        names.iter().any(is_named)
    };
    rewrite(module, imported, is_snipped).ok_or_else(broken)
}

/// The number of imported functions, and the names of all functions with their indices.
fn survey(module: &[u8]) -> Option<(usize, Vec<(usize, &str)>)> {
    let mut reader = Reader { bytes: module, at: HEADER_BYTES };
    let (mut imported, mut names) = (0, Vec::new());
    while reader.at < module.len() {
        let (id, section) = reader.section()?;
        let mut inside = Reader { bytes: section, at: 0 };
        if id == IMPORTS {
            for _ in 0..inside.number()? {
                inside.bytes()?;
                inside.bytes()?;
                imported += usize::from(inside.skip_kind()?);
            }
        } else if id == CUSTOM && inside.bytes()? == b"name" {
            while inside.at < section.len() {
                let (kind, part) = inside.section()?;
                if kind == FUNCTION_NAMES {
                    names = function_names(part)?;
                }
            }
        }
    }
    Some((imported, names))
}

fn function_names(part: &[u8]) -> Option<Vec<(usize, &str)>> {
    let mut reader = Reader { bytes: part, at: 0 };
    (0..reader.number()?).map(|_| Some((reader.number()?, std::str::from_utf8(reader.bytes()?).ok()?))).collect()
}

fn rewrite(module: &[u8], imported: usize, is_snipped: impl Fn(usize) -> bool) -> Option<Vec<u8>> {
    let mut reader = Reader { bytes: module, at: HEADER_BYTES };
    let mut out = module.get(..HEADER_BYTES)?.to_vec();
    while reader.at < module.len() {
        let (id, section) = reader.section()?;
        out.push(id);
        if id != CODE {
            put_bytes(&mut out, &if id == DATA { without_paths(section) } else { section.to_vec() });
            continue;
        }
        let mut bodies = Reader { bytes: section, at: 0 };
        let mut code = Vec::new();
        let count = bodies.number()?;
        put_number(&mut code, count);
        for index in 0..count {
            let body = bodies.bytes()?;
            put_bytes(&mut code, if is_snipped(imported + index) { &TRAP } else { body });
        }
        put_bytes(&mut out, &code);
    }
    Some(out)
}

/// The data with zeros, which compress to almost nothing, where panics would name a source file.
fn without_paths(data: &[u8]) -> Vec<u8> {
    let home = std::env::home_dir().unwrap_or_default().join(".cargo");
    let registry = std::env::var("CARGO_HOME").unwrap_or_else(|_| home.display().to_string());
    let mut data = data.to_vec();
    for start in ["/rustc/", "widget/src/", "app/contract/", &registry] {
        let mut at = 0;
        while let Some(start_of_path) = find(&data, start.as_bytes(), at) {
            at = start_of_path + start.len();
            let end = find(&data, b".rs", at).map_or(at, |end| end + 3);
            let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
            if data[start_of_path..end].iter().all(is_path) {
                data[start_of_path..end].fill(0);
            }
        }
    }
    data
}

fn find(data: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    data.get(from..)?.windows(needle.len()).position(|bytes| bytes == needle).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with an imported function, two defined ones with a body of four bytes, and their names.
    fn module(second: &str) -> Vec<u8> {
        let mut module =
            b"\0asm\x01\0\0\0\x02\x07\x01\x01m\x01f\0\0\x0a\x0b\x02\x04\0\x01\x01\x0b\x04\0\x01\x01\x0b".to_vec();
        let mut names = vec![3];
        for (index, name) in ["f", "kept", second].into_iter().enumerate() {
            put_number(&mut names, index);
            put_bytes(&mut names, name.as_bytes());
        }
        let mut custom = vec![4];
        custom.extend_from_slice(b"name");
        custom.push(FUNCTION_NAMES);
        put_bytes(&mut custom, &names);
        module.push(CUSTOM);
        put_bytes(&mut module, &custom);
        module
    }

    #[test]
    fn the_body_of_a_panic_becomes_a_trap_and_others_stay() {
        let before = module("_RNvNtCs_4core9panicking9panic_fmt");
        let after = panics(&before).unwrap();
        assert!(after.windows(12).any(|bytes| bytes == b"\x0a\x0a\x02\x04\0\x01\x01\x0b\x03\0\0\x0b"), "{after:02x?}");
        assert_eq!(after.len() + 1, before.len());
    }

    #[test]
    fn a_module_that_formats_texts_is_refused() {
        let error = panics(&module("_RNvNtCs_4core3fmt5write")).unwrap_err();
        assert!(error.to_string().contains("formats texts"), "{error}");
    }

    #[test]
    fn names_of_source_files_become_zeros_and_other_texts_stay() {
        let cleared = without_paths(b"hello/rustc/59/library/core/src/cell.rswidget/src/dom.rsworld widget/src/ x.rs");
        let expected = [b"hello".as_slice(), &[0; 51], b"world widget/src/ x.rs"].concat();
        assert_eq!(String::from_utf8_lossy(&cleared), String::from_utf8_lossy(&expected));
    }

    #[test]
    fn a_file_that_is_no_module_is_an_error() {
        assert!(panics(b"\0asm\x01\0\0\0\x0a\x7f").is_err());
    }
}
