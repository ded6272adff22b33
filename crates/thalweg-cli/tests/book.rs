//! The commands of the book, run as they stand there.
//!
//! A block marked `console` holds commands behind `$`; what follows a command is what it prints, line by line, where a
//! line of `…` stands for any lines. Commands run beside copies of the book's maps and of the scenes.

mod support;

use std::fs;
use std::path::Path;
use support::thalweg;

/// A command with its chapter and the output that the book shows; none shown means anything goes.
struct Command {
    chapter: String,
    words: Vec<String>,
    shown: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn commands() -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut chapters: Vec<_> = fs::read_dir(root().join("docs/src"))
        .expect("the folder of chapters")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    chapters.sort();
    for path in chapters {
        let chapter = path.display().to_string();
        let text = fs::read_to_string(&path).expect("a chapter that can be read");
        for block in text.split("```console\n").skip(1) {
            let (block, _) = block.split_once("```").expect("a block that ends");
            for line in block.lines() {
                if let Some(command) = line.strip_prefix("$ thalweg ") {
                    commands.push(Command {
                        chapter: chapter.clone(),
                        words: command.split_whitespace().map(str::to_owned).collect(),
                        shown: Vec::new(),
                    });
                } else {
                    let last = commands.last_mut().expect("output stands behind its command");
                    last.shown.push(line.trim_end().to_owned());
                }
            }
        }
    }
    commands
}

fn copy(folder: &Path, from: &str) {
    let target = folder.join(from);
    fs::create_dir_all(&target).expect("a folder in a temporary one");
    for entry in fs::read_dir(root().join(from)).expect("a folder of the project") {
        let path = entry.expect("a readable folder").path();
        fs::copy(&path, target.join(path.file_name().expect("a named file"))).expect("a copy");
    }
}

/// Whether lines are those shown, a line of `…` standing for any.
fn agrees(lines: &[&str], shown: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=lines.len()).any(|skipped| agrees(&lines[skipped..], rest))
        }
        Some((first, rest)) => lines.first().is_some_and(|line| line == first) && agrees(&lines[1..], rest),
    }
}

#[test]
fn the_commands_of_the_book_do_what_it_shows() {
    let commands = commands();
    assert!(commands.len() >= 5, "only {} commands were found", commands.len());
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(folder.path(), "docs/maps");
    copy(folder.path(), "scenes");
    fs::create_dir(folder.path().join("out")).expect("a folder in a temporary one");
    for Command {
        chapter,
        words,
        shown,
    } in commands
    {
        let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = thalweg(folder.path(), &arguments);
        let command = words.join(" ");
        assert_eq!(run.code, Some(0), "{chapter}: thalweg {command}\n{}", run.err);
        let lines: Vec<&str> = run.out.trim_end().lines().map(str::trim_end).collect();
        assert!(
            shown.is_empty() || agrees(&lines, &shown),
            "{chapter}: thalweg {command} prints\n{}",
            run.out
        );
    }
}
