//! The layout of the project as a test: who may know whom, and what the core and the crowd must not use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace lies two folders up")
}

/// What a crate of ours may depend on, of ours. A crate that is not listed may know `thalweg` and what that re-exports:
/// it is a world around the library.
fn allowed(name: &str) -> Vec<&'static str> {
    match name {
        "thalweg-core" => vec![],
        "thalweg-crowd" | "thalweg-io" | "thalweg-testkit" => vec!["thalweg-core"],
        "thalweg" => vec!["thalweg-core", "thalweg-crowd"],
        "thalweg-cli" | "thalweg-view" | "thalweg-py" => vec!["thalweg", "thalweg-io"],
        _ => vec!["thalweg"],
    }
}

/// Dependencies of one manifest by section. A plain reading of lines is enough for manifests written by hand.
fn dependencies(manifest: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.split(']').next()) {
            header.trim_matches('[').clone_into(&mut section);
            // `[dependencies.name]` is a dependency too.
            if let Some((kind, name)) = section.clone().rsplit_once('.')
                && kind.ends_with("dependencies")
            {
                sections
                    .entry(kind.to_owned())
                    .or_default()
                    .insert(name.to_owned());
            }
        } else if section.ends_with("dependencies")
            && !line.starts_with('#')
            && let Some((key, _)) = line.split_once('=')
        {
            let name = key
                .trim()
                .split('.')
                .next()
                .expect("a key has a first part")
                .trim_matches('"');
            sections
                .entry(section.clone())
                .or_default()
                .insert(name.to_owned());
        }
    }
    sections
}

fn manifests() -> Vec<(String, String)> {
    let mut manifests: Vec<(String, String)> = std::fs::read_dir(workspace().join("crates"))
        .expect("the folder of crates")
        .filter_map(|entry| {
            let folder = entry.expect("a readable folder").path();
            let text = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
            let name = text
                .lines()
                .find_map(|line| line.strip_prefix("name = \""))?
                .trim_end_matches('"');
            Some((name.to_owned(), text.clone()))
        })
        .collect();
    manifests.sort();
    manifests
}

#[test]
fn crates_depend_on_each_other_in_one_direction_only() {
    let manifests = manifests();
    let ours: BTreeSet<&str> = manifests.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        ours.contains("thalweg-core") && ours.contains("thalweg"),
        "found only {ours:?}"
    );
    for (name, text) in &manifests {
        for (section, names) in dependencies(text) {
            for dependency in names.iter().filter(|name| ours.contains(name.as_str())) {
                if section.contains("dev-dependencies") {
                    continue;
                }
                assert_ne!(
                    dependency, "thalweg-testkit",
                    "{name}: the test kit is for tests only ({section})"
                );
                assert!(
                    allowed(name).contains(&dependency.as_str()),
                    "{name} must not depend on {dependency} ({section})"
                );
            }
        }
    }
}

#[test]
fn the_core_and_the_crowd_bring_no_threads_clocks_files_or_hash_maps() {
    const BANNED: [&str; 20] = [
        "std::time",
        "std::fs",
        "std::io",
        "std::net",
        "std::env",
        "std::thread",
        "thread::spawn",
        "Instant",
        "SystemTime",
        "HashMap",
        "HashSet",
        "println",
        "print",
        "dbg",
        "rand",
        "rayon",
        "mul_add",
        "sin",
        "cos",
        "RandomState",
    ];
    for name in ["thalweg-core", "thalweg-crowd"] {
        for (path, text) in sources(&workspace().join("crates").join(name).join("src")) {
            for (number, line) in code_lines(&text) {
                for banned in BANNED {
                    assert!(
                        !has_word(&line, banned),
                        "{}:{number} uses `{banned}`: results must not depend on it\n{line}",
                        path.display()
                    );
                }
            }
        }
    }
}

#[test]
fn the_modules_of_the_core_know_only_those_before_them() {
    // `check` and `debug` look at everything; `workers`, `memory`, `vectors` and `shared_cells` may be used by all.
    const ORDER: [&str; 11] = [
        "grid",
        "cost",
        "movement",
        "components",
        "integrate",
        "flow",
        "repair",
        "route",
        "expanded",
        "check",
        "debug",
    ];
    let source = workspace().join("crates/thalweg-core/src");
    let mut uses = 0;
    for (place, module) in ORDER.iter().enumerate() {
        let folder = source.join(module);
        let single = source.join(format!("{module}.rs"));
        let mut files = sources(&folder);
        if let Ok(text) = std::fs::read_to_string(&single) {
            files.push((single, text));
        }
        assert!(!files.is_empty(), "module {module} is not where this test looks");
        for (path, text) in files {
            for (number, line) in code_lines(&text) {
                for used in crate_paths(&line) {
                    uses += 1;
                    let Some(other) = ORDER.iter().position(|name| *name == used) else {
                        assert!(
                            ["workers", "memory", "vectors", "shared_cells"].contains(&used.as_str()),
                            "{}:{number} uses an unlisted module",
                            path.display()
                        );
                        continue;
                    };
                    assert!(
                        other <= place,
                        "{}:{number}: `{module}` must not know `{used}`",
                        path.display()
                    );
                }
            }
        }
    }
    assert!(
        uses > 20,
        "the scan found only {uses} uses: it no longer reads them"
    );
}

/// The first parts of all `crate::…` paths on a line, those in `crate::{a, b}` included.
fn crate_paths(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let rest = &line[at + "crate::".len()..];
        let word = |text: &str| -> String {
            text.trim_start()
                .chars()
                .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                .collect()
        };
        match rest.strip_prefix('{') {
            Some(list) => found.extend(list.split('}').next().unwrap_or(list).split(',').map(word)),
            None => found.push(word(rest)),
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// All Rust files under a folder.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a readable source");
            files.push((path, text));
        }
    }
    files.sort();
    files
}

/// Lines of code with their numbers, comments taken off; text in quotes stays.
fn code_lines(text: &str) -> Vec<(usize, String)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.split("//").next().unwrap_or("").to_owned()))
        .filter(|(_, line)| !line.trim().is_empty())
        .collect()
}

/// Whether a line holds a name or path as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[test]
fn the_scanner_itself_finds_what_it_looks_for() {
    assert!(has_word("let x = a.sin();", "sin"));
    assert!(!has_word("let single = using(0);", "sin"));
    assert_eq!(crate_paths("use crate::{grid, cost};"), ["grid", "cost"]);
    assert_eq!(
        crate_paths("fn f(a: crate::grid::Cell, b: crate::cost::Cost)"),
        ["grid", "cost"]
    );
    let parsed = dependencies(
        "[dependencies]\na.workspace = true\nb = \"1\"\n[dev-dependencies.c]\npath = \"..\"\n[features]\nd = []\n",
    );
    assert_eq!(parsed["dependencies"], ["a", "b"].map(String::from).into());
    assert_eq!(parsed["dev-dependencies"], ["c".to_owned()].into());
    assert_eq!(parsed.len(), 2);
}
