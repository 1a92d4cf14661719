//! Which module of a crate imports which, read from its source: every path that begins with `crate`, `super` or `self`,
//! in a `use` or elsewhere, with its braces expanded. Tests at the end of a file do not count.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::Path,
};

/// A module, or an item in it, by its path from the crate's root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Module(pub Vec<String>);

impl Module {
    pub fn new(path: &str) -> Self {
        Self(path.split("::").map(str::to_owned).collect())
    }

    /// Whether it is the module with this path, or within it.
    pub fn is_below(&self, path: &str) -> bool {
        Self::new(path).is_above(self)
    }

    fn is_above(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("::"))
    }
}

/// The imports between modules of which neither is within the other.
pub struct Graph(BTreeMap<Module, BTreeSet<Module>>);

impl Graph {
    /// The imports of a crate with its sources in this folder below `server`.
    pub fn of(folder: &str) -> Self {
        let mut sources = BTreeMap::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut Vec::new(), &mut sources);
        let module_of = |mut path: Module| {
            while !sources.contains_key(&path) && !path.0.is_empty() {
                path.0.pop();
            }
            path
        };
        let imports = |module: &Module, text: &str| {
            let all = paths(text, module).into_iter().map(module_of);
            all.filter(|other| !other.is_above(module) && !module.is_above(other)).collect()
        };
        Self(sources.iter().map(|(module, text)| (module.clone(), imports(module, text))).collect())
    }

    /// The same imports between the modules of each parent, where a module counts with all that is within it.
    pub fn of_siblings(&self) -> Self {
        let mut siblings: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (from, to) in self.imports() {
            let shared = from.0.iter().zip(&to.0).take_while(|(one, other)| one == other).count();
            let ancestor = |module: &Module| Module(module.0[..=shared].to_vec());
            siblings.entry(ancestor(from)).or_default().insert(ancestor(to));
        }
        Self(siblings)
    }

    /// The imports that are part of a cycle.
    pub fn circles(&self) -> Vec<String> {
        let is_circular = |(from, to): &(&Module, &Module)| self.reachable(to).contains(from);
        self.imports().filter(is_circular).map(|(from, to)| format!("{from} imports {to}")).collect()
    }

    pub fn imports(&self) -> impl Iterator<Item = (&Module, &Module)> {
        self.0.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to)))
    }

    /// The modules that a module imports, directly or indirectly; including itself when it is in a cycle.
    fn reachable<'a>(&'a self, module: &'a Module) -> BTreeSet<&'a Module> {
        let mut reachable = BTreeSet::new();
        let mut open = vec![module];
        while let Some(next) = open.pop() {
            open.extend(self.0.get(next).into_iter().flatten().filter(|other| reachable.insert(*other)));
        }
        reachable
    }
}

/// Reads the files of a folder, each as the module that it is.
fn read(folder: &Path, parent: &mut Vec<String>, sources: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            parent.push(name);
            read(&path, parent, sources);
            parent.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") && !(parent.is_empty() && is_root(&name))
        {
            let module = parent.iter().cloned().chain([name]).collect();
            sources.insert(Module(module), fs::read_to_string(&path).unwrap());
        }
    }
}

/// The crate's roots declare and start; they import nothing that could be in a circle.
fn is_root(name: &str) -> bool {
    matches!(name, "lib" | "main")
}

/// The paths in a module's source.
pub fn paths(text: &str, module: &Module) -> Vec<Module> {
    let code = without_text(without_tests(text));
    let mut paths = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = ["crate::", "super::", "self::"].iter().filter_map(|root| rest.find(root)).min() {
        let is_word = rest[..at].ends_with(|before: char| before.is_alphanumeric() || "_:$".contains(before));
        rest = &rest[at..];
        if is_word {
            rest = &rest["self::".len()..];
        } else {
            rest = expand(rest, &[], &mut paths);
        }
    }
    paths.into_iter().map(|path| absolute(&path, module)).collect()
}

/// Adds the paths of a tree such as `a::{b, c::d}`, and returns the text after it.
fn expand<'a>(mut rest: &'a str, prefix: &[String], paths: &mut Vec<Vec<String>>) -> &'a str {
    let mut path = prefix.to_vec();
    loop {
        rest = rest.trim_start();
        if let Some(list) = rest.strip_prefix('{') {
            rest = list;
            loop {
                rest = rest.trim_start_matches(|next: char| next == ',' || next.is_whitespace());
                match rest.strip_prefix('}') {
                    Some(after) => return after,
                    None => rest = expand(rest, &path, paths),
                }
            }
        }
        let length =
            rest.find(|next: char| !next.is_alphanumeric() && next != '_' && next != '*').unwrap_or(rest.len());
        assert!(length > 0 || rest.starts_with('<'), "not a path: {}", rest.chars().take(40).collect::<String>());
        path.extend((length > 0 && (&rest[..length] != "self" || path.is_empty())).then(|| rest[..length].to_owned()));
        rest = &rest[length..];
        match rest.strip_prefix("::") {
            // What follows is a type's argument, or a macro's.
            Some(after) if !after.starts_with(['<', '$']) => rest = after,
            _ => break,
        }
    }
    paths.push(path);
    match rest.trim_start().strip_prefix("as ") {
        Some(alias) => alias.trim_start_matches(|next: char| next.is_alphanumeric() || next == '_'),
        None => rest,
    }
}

/// A path from the crate's root.
fn absolute(path: &[String], module: &Module) -> Module {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let base = match path[0].as_str() {
        "crate" => &[],
        _ => &module.0[..module.0.len() - supers],
    };
    let own = path.iter().skip(supers.max(1));
    Module(base.iter().chain(own).cloned().collect())
}

/// The code without the module of tests at its end. What else is compiled for tests alone counts.
fn without_tests(code: &str) -> &str {
    const TESTS: &str = "#[cfg(test)]";
    let is_module = |at: &usize| {
        let item = code[at + TESTS.len()..].trim_start();
        item.strip_prefix("pub(super) ").unwrap_or(item).starts_with("mod tests {")
    };
    let end = code.match_indices(TESTS).map(|(at, _)| at).find(is_module);
    &code[..end.unwrap_or(code.len())]
}

/// The code without its comments and strings.
fn without_text(code: &str) -> String {
    let mut code_only = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        code_only.push_str(&rest[..at]);
        rest = &rest[at..];
        let raw = code_only.ends_with("r#");
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with('"') && raw {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('"') {
            string(rest)
        } else if rest.starts_with("'\"'") {
            3
        } else {
            code_only.push_str(&rest[..1]);
            1
        };
        rest = &rest[length..];
    }
    code_only.push_str(rest);
    code_only
}

/// The length of the string that begins here.
fn string(text: &str) -> usize {
    let mut is_escaped = true;
    let end = text.find(|next: char| {
        let is_end = next == '"' && !is_escaped;
        is_escaped = next == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 1)
}
