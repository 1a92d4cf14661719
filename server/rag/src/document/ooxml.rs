//! The parts of an Office file (DOCX, XLSX, PPTX), which are found by their relations and not by their names.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::{
    Unreadable, titles,
    xml::{Format, attribute, is, plain},
    zip,
};

/// Maximum bytes of one XML part.
const MAX_PART: u64 = 64 * 1024 * 1024;

/// An Office file.
pub(super) struct Package<'a> {
    format: Format,
    bytes: &'a [u8],
    relations: Relations,
}

/// The parts that a part refers to.
#[derive(Default)]
pub(super) struct Relations(Vec<Relation>);

struct Relation {
    id: String,
    /// The last word of its type, such as `styles`.
    kind: String,
    /// The path of the part from the container's root.
    path: String,
}

impl Relations {
    /// The path of the part with this id.
    pub(super) fn path(&self, id: &str) -> Option<&str> {
        self.0.iter().find(|relation| relation.id == id).map(|relation| relation.path.as_str())
    }

    /// The path of the first part of this kind.
    pub(super) fn of_kind(&self, kind: &str) -> Option<&str> {
        self.all(&[kind]).next()
    }

    /// The paths of all parts of these kinds.
    pub(super) fn all(&self, kinds: &[&str]) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|relation| kinds.contains(&relation.kind.as_str())).map(|relation| relation.path.as_str())
    }
}

/// Parts of the container by their paths, whose letters count in either case.
#[derive(Default)]
pub(super) struct Parts(HashMap<String, Vec<u8>>);

impl Parts {
    pub(super) fn take(&mut self, path: &str) -> Option<Vec<u8>> {
        self.0.remove(&path.to_ascii_lowercase())
    }

    /// The relations of the part with this path.
    pub(super) fn relations(&mut self, format: Format, path: &str) -> Result<Relations, Unreadable> {
        let part = self.take(&relations_path(path));
        relations(format, part, folder(path))
    }
}

impl<'a> Package<'a> {
    pub(super) fn open(format: Format, bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let package = Self { format, bytes, relations: Relations::default() };
        let relations = relations(format, package.parts(["_rels/.rels"])?.take("_rels/.rels"), "")?;
        Ok(Self { relations, ..package })
    }

    /// The main part and its path. Files without relations have the usual path.
    pub(super) fn main(&self, usual: &str, name: &str) -> Result<(String, String), Unreadable> {
        let path = self.relations.of_kind("officeDocument").unwrap_or(usual);
        let mut parts = self.parts([path, usual])?;
        let (path, part) = match parts.take(path) {
            Some(part) => (path, Some(part)),
            None => (usual, parts.take(usual)),
        };
        Ok((self.format.text(part, name)?, path.to_owned()))
    }

    /// The parts with these paths, as far as they exist.
    pub(super) fn parts<'b>(&self, paths: impl IntoIterator<Item = &'b str>) -> Result<Parts, Unreadable> {
        let paths: HashSet<String> = paths.into_iter().map(str::to_ascii_lowercase).collect();
        let parts = zip::files_where(self.bytes, |path| paths.contains(&path.to_ascii_lowercase()), MAX_PART)?;
        Ok(Parts(parts.into_iter().map(|(path, part)| (path.to_ascii_lowercase(), part)).collect()))
    }

    /// The relations of one part.
    pub(super) fn relations_of(&self, path: &str) -> Result<Relations, Unreadable> {
        self.parts([relations_path(path).as_str()])?.relations(self.format, path)
    }

    /// The title in the properties of the file.
    pub(super) fn title(&self) -> Result<Option<String>, Unreadable> {
        let path = self.relations.of_kind("core-properties").unwrap_or("docProps/core.xml");
        let Some(part) = self.parts([path])?.take(path) else { return Ok(None) };
        let text = self.format.text(Some(part), "properties")?;
        let page = self.format.parse(&text)?;
        Ok(page.descendants().find(|node| is(*node, "title")).and_then(plain).and_then(titles::meaningful))
    }
}

/// The path of the part that lists the relations of a part.
pub(super) fn relations_path(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    format!("{folder}_rels/{name}.rels")
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn relations(format: Format, part: Option<Vec<u8>>, folder: &str) -> Result<Relations, Unreadable> {
    let Some(part) = part else { return Ok(Relations::default()) };
    let text = format.text(Some(part), "relations")?;
    let page = format.parse(&text)?;
    let relation = |node: Node<'_, '_>| {
        if attribute(node, "TargetMode") == Some("External") {
            return None;
        }
        let (id, target) = (attribute(node, "Id")?, attribute(node, "Target")?);
        let kind = attribute(node, "Type").and_then(|kind| kind.rsplit('/').next()).unwrap_or_default();
        let folder = if target.starts_with('/') { "" } else { folder };
        Some(Relation { id: id.to_owned(), kind: kind.to_owned(), path: zip::resolve_path(folder, target) })
    };
    Ok(Relations(page.descendants().filter(|node| is(*node, "Relationship")).filter_map(relation).collect()))
}

/// The id of a relation, which is in a namespace, unlike an element's own id.
pub(super) fn relation_id<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes()
        .find(|attribute| attribute.name() == name && attribute.namespace().is_some())
        .map(|attribute| attribute.value())
}

/// The branch of alternative content that is read: the first choice, or the fallback if the choice has nothing to read.
pub(super) fn choice<'a, 'b>(alternative: Node<'a, 'b>) -> Option<Node<'a, 'b>> {
    let branch = |name: &str| alternative.children().find(|node| is(*node, name));
    let is_read = |node: Node<'_, '_>| matches!(node.tag_name().name(), "t" | "chart" | "relIds");
    match branch("Choice") {
        Some(choice) if choice.descendants().any(is_read) => Some(choice),
        choice => branch("Fallback").or(choice),
    }
}
