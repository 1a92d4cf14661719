//! Shortens the names of what the WASM imports from its glue. wasm-bindgen names each import after its function and a hash.
//! A hundred and twenty of them, twice, are three kilobytes that do not compress.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::module::{HEADER_BYTES, Reader, put_bytes, put_number};
use crate::wasm;

const IMPORT_SECTION: u8 = 2;

type Names = Vec<(String, String)>;

/// What to do with the name under which the glue is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Modules {
    /// It is shortened like the others.
    Renamed,
    /// Keep it, and functions that are not wasm-bindgen's, which come from another script.
    Kept,
}

/// Prefix of wasm-bindgen's own names.
const BINDGEN: &str = "__wb";

/// Shortens a module and its glue in place. Imports from other scripts keep their names.
pub(crate) fn shorten_files(module: &Path, glue: &Path) -> Result<()> {
    let bytes = fs::read(module).map_err(Error::io("reading", module))?;
    let script = fs::read_to_string(glue).map_err(Error::io("reading", glue))?;
    let (bytes, script) = shorten(&bytes, &script, Modules::Kept)?;
    fs::write(module, bytes).map_err(Error::io("writing", module))?;
    fs::write(glue, script).map_err(Error::io("writing", glue))?;
    wasm::validate(module)
}

/// Renames the imports in the module and in the glue. Both must come from the same run of wasm-bindgen.
pub(crate) fn shorten(module: &[u8], glue: &str, modules: Modules) -> Result<(Vec<u8>, String)> {
    let broken = || Error::Other("the WASM module's import section could not be read".to_owned());
    let mut out = module.get(..HEADER_BYTES).ok_or_else(broken)?.to_vec();
    let mut glue = glue.to_owned();
    let mut reader = Reader { bytes: module, at: HEADER_BYTES };
    while reader.at < module.len() {
        let (id, section) = reader.section().ok_or_else(broken)?;
        out.push(id);
        if id == IMPORT_SECTION {
            let (renamed, names) = rename(section, modules).ok_or_else(broken)?;
            glue = replace_words(&glue, &names);
            put_bytes(&mut out, &renamed);
        } else {
            put_bytes(&mut out, section);
        }
    }
    Ok((out, glue))
}

/// The section with the names `$a`, `$b`, ... and the pairs of old and new names.
fn rename(section: &[u8], modules: Modules) -> Option<(Vec<u8>, Names)> {
    let mut reader = Reader { bytes: section, at: 0 };
    let count = reader.number()?;
    let mut names: Names = Vec::new();
    let mut out = Vec::new();
    put_number(&mut out, count);
    for _ in 0..count {
        for is_module in [true, false] {
            let old = String::from_utf8(reader.bytes()?.to_vec()).ok()?;
            if modules == Modules::Kept && (is_module || !old.starts_with(BINDGEN)) {
                put_bytes(&mut out, old.as_bytes());
                continue;
            }
            let renamed = names.iter().find(|(name, _)| *name == old).map(|(_, new)| new.clone());
            let new = renamed.unwrap_or_else(|| {
                let new = short_name(names.len());
                names.push((old, new.clone()));
                new
            });
            put_bytes(&mut out, new.as_bytes());
        }
        let start = reader.at;
        reader.skip_kind()?;
        out.extend_from_slice(section.get(start..reader.at)?);
    }
    Some((out, names))
}

fn short_name(index: usize) -> String {
    const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";
    let letter = |at: usize| char::from(LETTERS[at % 26]);
    let second = (index >= 26).then(|| letter(index / 26 - 1));
    format!("${}{}", letter(index), second.map_or_else(String::new, String::from))
}

/// Replaces whole words only, not parts of longer names.
fn replace_words(text: &str, names: &[(String, String)]) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut text = text.to_owned();
    for (old, new) in names {
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(old.as_str()) {
            let (before, match_and_rest) = rest.split_at(at);
            let after = &match_and_rest[old.len()..];
            let whole = !before.ends_with(is_part) && !after.starts_with(is_part);
            out.push_str(before);
            out.push_str(if whole { new } else { old });
            rest = after;
        }
        out.push_str(rest);
        text = out;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with one type, two imported functions and an imported memory.
    fn module() -> Vec<u8> {
        let mut imports = vec![3];
        for (name, kind) in [("__wbg_a_01", &[0, 0][..]), ("__wbg_a_012", &[0, 0][..]), ("memory", &[2, 1, 1, 2][..])] {
            put_bytes(&mut imports, b"./glue.js");
            put_bytes(&mut imports, name.as_bytes());
            imports.extend_from_slice(kind);
        }
        let mut module = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02".to_vec();
        put_bytes(&mut module, &imports);
        module
    }

    #[test]
    fn module_and_glue_get_the_same_short_names() {
        let glue = "import0={__wbg_a_01:f,__wbg_a_012:g,memory:m};return{\"./glue.js\":import0,x__wbg_a_01:1}";
        let (short, glue) = shorten(&module(), glue, Modules::Renamed).unwrap();
        assert_eq!(glue, "import0={$b:f,$c:g,$d:m};return{\"$a\":import0,x__wbg_a_01:1}");
        assert!(short.len() + 40 < module().len());
        assert_eq!(&short[..14], &module()[..14], "other sections stay as they are");
        assert!(short.windows(8).any(|bytes| bytes == [2, b'$', b'a', 2, b'$', b'c', 0, 0]));
        assert!(short.ends_with(&[2, b'$', b'd', 2, 1, 1, 2]));
    }

    #[test]
    fn kept_modules_and_foreign_functions_keep_their_names() {
        let glue = "import0={__wbg_a_01:f,__wbg_a_012:g};return{\"./glue.js\":import0,memory:1}";
        let (short, glue) = shorten(&module(), glue, Modules::Kept).unwrap();
        assert_eq!(glue, "import0={$a:f,$b:g};return{\"./glue.js\":import0,memory:1}");
        assert!(short.ends_with(b"\x09./glue.js\x06memory\x02\x01\x01\x02"));
    }

    #[test]
    fn a_file_that_is_no_module_is_an_error() {
        assert!(shorten(b"\0asm", "", Modules::Kept).is_err());
        assert!(shorten(b"\0asm\x01\0\0\0\x02\x7f", "", Modules::Kept).is_err());
    }

    #[test]
    fn short_names_are_distinct() {
        let names: std::collections::HashSet<String> = (0..700).map(short_name).collect();
        assert_eq!(names.len(), 700);
    }
}
