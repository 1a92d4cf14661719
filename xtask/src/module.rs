//! Reads and writes the small part of the WebAssembly binary format that the build needs.

/// The magic number and the version.
pub(crate) const HEADER_BYTES: usize = 8;
/// The id of a custom section.
pub(crate) const CUSTOM: u8 = 0;

/// Reads a module from the front. `None` at its end or where it is malformed.
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// An unsigned number in LEB128.
    pub(crate) fn number(&mut self) -> Option<usize> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= usize::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// A length and that many bytes.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        let bytes = self.bytes.get(self.at..self.at + length)?;
        self.at += length;
        Some(bytes)
    }

    /// A section: its id and its content. `None` at the end.
    pub(crate) fn section(&mut self) -> Option<(u8, &'a [u8])> {
        Some((self.byte()?, self.bytes()?))
    }

    /// Skips the kind of an import: function, table, memory or global. Returns whether it is a function.
    pub(crate) fn skip_kind(&mut self) -> Option<bool> {
        let kind = self.byte()?;
        match kind {
            0 => drop(self.number()?),
            1 => {
                self.byte()?;
                self.skip_limits()?;
            }
            2 => self.skip_limits()?,
            3 => self.at += 2,
            _ => return None,
        }
        Some(kind == 0)
    }

    fn skip_limits(&mut self) -> Option<()> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 == 1 {
            self.number()?;
        }
        Some(())
    }
}

pub(crate) fn put_number(out: &mut Vec<u8>, mut value: usize) {
    while value > 127 {
        out.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// The module without the custom sections in which the linker says where the code refers to what. `None` if it is
/// malformed.
pub(crate) fn without_linker_notes(module: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader { bytes: module, at: HEADER_BYTES };
    let mut out = module.get(..HEADER_BYTES)?.to_vec();
    while reader.at < module.len() {
        let (id, section) = reader.section()?;
        if id == CUSTOM && is_of_linker(Reader { bytes: section, at: 0 }.bytes()?) {
            continue;
        }
        out.push(id);
        put_bytes(&mut out, section);
    }
    Some(out)
}

fn is_of_linker(name: &[u8]) -> bool {
    name == b"linking" || name.starts_with(b"reloc.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_of_the_linker_are_left_out() {
        let expected = b"\0asm\x01\0\0\0\0\x05\x04name";
        let noted = [expected.as_slice(), b"\0\x08\x07linking\0\x0b\x0areloc.CODE"].concat();
        assert_eq!(without_linker_notes(&noted).unwrap(), expected);
        assert!(without_linker_notes(b"\0asm\x01\0\0\0\0\x09").is_none());
    }
}
