//! Reads and writes the small part of the WebAssembly binary format that the build needs.

/// The magic number and the version.
pub(crate) const HEADER_BYTES: usize = 8;

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
