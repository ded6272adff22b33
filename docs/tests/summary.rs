//! The book hangs together without mdBook: every link leads somewhere, every chapter is listed and tested.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of all chapters in the folder.
fn chapters() -> BTreeSet<String> {
    let entries = fs::read_dir(source()).expect("the folder of chapters");
    let names = entries.map(|entry| entry.expect("a readable folder").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect()
}

/// Targets of `[text](target)` outside of code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    // Every second part between fences is code, and so is every second part of a line between backquotes.
    for prose in text.split("```").step_by(2) {
        for line in prose.lines() {
            let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("x");
            for after in plain.split("](").skip(1) {
                let target = after.split(')').next().unwrap_or_default();
                links.push(target.to_owned());
            }
        }
    }
    links
}

#[test]
fn the_summary_lists_every_chapter_once_and_nothing_else() {
    let listed = links(&read(&source().join("SUMMARY.md")));
    let unique: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), unique.len(), "a chapter is listed twice");
    assert_eq!(unique, chapters());
}

#[test]
fn every_chapter_is_compiled() {
    let tested = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters.rs"));
    for chapter in chapters() {
        assert!(
            tested.contains(&format!("\"{chapter}\"")),
            "{chapter} is not in chapters.rs"
        );
    }
}

#[test]
fn every_link_and_every_include_leads_to_a_file() {
    for chapter in chapters() {
        let text = read(&source().join(&chapter));
        for link in links(&text) {
            let file = link.split('#').next().unwrap_or_default();
            let is_elsewhere = link.starts_with("https://") || file.is_empty();
            assert!(
                is_elsewhere || source().join(file).is_file(),
                "{chapter} links to {link}"
            );
        }
        for include in text.split("{{#include ").skip(1) {
            let file = include.split("}}").next().unwrap_or_default();
            assert!(source().join(file).is_file(), "{chapter} includes {file}");
        }
    }
}

#[test]
fn every_chapter_begins_with_its_title() {
    for chapter in chapters() {
        let text = read(&source().join(&chapter));
        let is_titled = text.starts_with("# ") || text.starts_with("{{#include ");
        assert!(is_titled, "{chapter} has no title");
    }
}
