//! The commands of the book, run as they stand there.
//!
//! A block marked `console` holds commands behind `$`; what follows a command is what it prints, line by line, where a
//! line of `…` stands for any lines. `$ echo $?` tells the exit code, which is 0 elsewhere. Commands run beside copies of
//! the book's maps and of the scenes.
//!
//! Every picture is made by a command of its chapter. To make all of them anew, in place:
//! `cargo test -p thalweg-cli --test book -- --ignored`.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use support::thalweg;

/// Where the pictures of the chapters lie.
const PICTURES: &str = "docs/src/pictures";

/// A command with its chapter and the output that the book shows; none shown means anything goes.
struct Command {
    chapter: String,
    words: Vec<String>,
    shown: Vec<String>,
    code: i32,
}

impl Command {
    /// The picture that it makes for the book.
    fn picture(&self) -> Option<&str> {
        let mut words = self.words.iter().map(String::as_str);
        words.find(|word| word.starts_with(PICTURES))
    }

    /// Runs it, and expects what the book says about it.
    fn run(&self, folder: &Path) {
        let arguments: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let run = thalweg(folder, &arguments);
        let (chapter, command) = (&self.chapter, self.words.join(" "));
        assert_eq!(
            run.code,
            Some(self.code),
            "{chapter}: thalweg {command}\n{}",
            run.err
        );
        let lines: Vec<&str> = run.out.trim_end().lines().map(str::trim_end).collect();
        assert!(
            self.shown.is_empty() || agrees(&lines, &self.shown),
            "{chapter}: thalweg {command} prints\n{}",
            run.out
        );
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The chapters: path and text.
fn chapters() -> Vec<(String, String)> {
    let mut chapters: Vec<_> = fs::read_dir(root().join("docs/src"))
        .expect("the folder of chapters")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    chapters.sort();
    let text = |path: &Path| fs::read_to_string(path).expect("a chapter that can be read");
    chapters
        .iter()
        .map(|path| (path.display().to_string(), text(path)))
        .collect()
}

fn commands() -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for (chapter, text) in chapters() {
        for block in text.split("```console\n").skip(1) {
            let (block, _) = block.split_once("```").expect("a block that ends");
            let mut lines = block.lines();
            while let Some(line) = lines.next() {
                if let Some(command) = line.strip_prefix("$ thalweg ") {
                    commands.push(Command {
                        chapter: chapter.clone(),
                        words: command.split_whitespace().map(str::to_owned).collect(),
                        shown: Vec::new(),
                        code: 0,
                    });
                    continue;
                }
                let last = commands.last_mut().expect("output stands behind its command");
                if line == "$ echo $?" {
                    let code = lines.next().and_then(|code| code.parse().ok());
                    last.code = code.expect("an exit code behind the question for it");
                } else {
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

/// A folder with what the commands need.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(folder.path(), "docs/maps");
    copy(folder.path(), "scenes");
    for made in ["out", PICTURES] {
        fs::create_dir_all(folder.path().join(made)).expect("a folder in a temporary one");
    }
    folder
}

#[test]
fn the_commands_of_the_book_do_what_it_shows() {
    let commands = commands();
    assert!(commands.len() >= 5, "only {} commands were found", commands.len());
    let folder = workplace();
    for command in commands.iter().filter(|command| command.picture().is_none()) {
        command.run(folder.path());
    }
}

/// The size of a PNG, and its pixels as bytes.
fn pixels(path: &Path) -> ([u32; 2], Vec<u8>) {
    let file = std::io::BufReader::new(fs::File::open(path).expect("a picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let size = [reader.info().width, reader.info().height];
    let mut pixels = vec![0; reader.output_buffer_size().expect("a picture that fits memory")];
    reader.next_frame(&mut pixels).expect("pixels");
    (size, pixels)
}

/// How far two pictures of one size are apart, as a mean over all bytes.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a.iter().zip(b).map(|(&a, &b)| u64::from(a.abs_diff(b))).sum();
    sum as f64 / a.len().max(1) as f64
}

#[test]
fn the_pictures_of_the_book_are_made_by_its_commands() {
    let folder = workplace();
    let mut made = BTreeSet::new();
    for command in commands() {
        let Some(picture) = command.picture().map(str::to_owned) else {
            continue;
        };
        command.run(folder.path());
        let ([width, height], bytes) = pixels(&folder.path().join(&picture));
        let colours: BTreeSet<&[u8]> = bytes.chunks(3).collect();
        assert!(colours.len() > 2, "{picture} is blank");
        assert!(width <= 640 && height <= 640, "{picture} is {width} x {height}");
        // Not byte by byte: how things are drawn may change a little. Another field is another picture.
        let (size, kept) = pixels(&root().join(&picture));
        assert!(
            size == [width, height] && difference(&kept, &bytes) < 3.0,
            "{picture} is not what its command makes: make it anew, and look at it"
        );
        assert!(made.insert(picture.clone()), "{picture} is made twice");
        let link = format!(
            "](pictures/{})",
            picture.trim_start_matches(PICTURES).trim_start_matches('/')
        );
        let text = fs::read_to_string(&command.chapter).expect("a chapter that can be read");
        assert!(
            text.contains(&link),
            "{} does not show {picture}",
            command.chapter
        );
    }
    let kept: BTreeSet<String> = fs::read_dir(root().join(PICTURES))
        .expect("the folder of pictures")
        .map(|entry| entry.expect("a readable folder").file_name())
        .map(|name| format!("{PICTURES}/{}", name.to_string_lossy()))
        .collect();
    assert_eq!(kept, made, "the pictures that are kept, and those that are made");
}

#[test]
fn every_picture_of_the_book_has_a_text_instead_a_line_and_its_command() {
    for (chapter, text) in chapters() {
        // Plots show what a machine measured, which no test can make again.
        let pictures = text.split("\n![").skip(1);
        for shown in pictures.filter(|shown| !shown.contains("](plots/")) {
            let (instead, rest) = shown.split_once("](pictures/").expect("a picture of the book");
            let (name, rest) = rest.split_once(")\n\n").expect("a paragraph behind the picture");
            assert!(instead.len() > 20, "{chapter}: {name} has no text instead");
            let (line, rest) = rest.split_once("\n\n").expect("something behind the line");
            let is_one_line = !line.contains('\n') && line.ends_with(['.', ':', ')']);
            assert!(is_one_line, "{chapter}: {name} is explained by\n{line}");
            let command = rest.lines().nth(1).unwrap_or_default();
            assert!(
                rest.starts_with("```console\n") && command.ends_with(&format!("{PICTURES}/{name}")),
                "{chapter}: the command of {name} does not stand under it"
            );
        }
    }
}

#[test]
#[ignore = "writes into the book"]
fn make_the_pictures_of_the_book_anew() {
    for command in commands().iter().filter(|command| command.picture().is_some()) {
        command.run(root());
    }
}
