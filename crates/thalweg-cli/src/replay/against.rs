//! Two recordings beside each other.

use super::figures::{Differs, printable};
use super::{Reader, open, unreadable};
use crate::error::{Answer, CliError};
use crate::json;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use thalweg::recording::{Comparison, compare};

/// What two recordings have in common.
#[derive(Debug, Serialize)]
struct AgainstFigures {
    recordings: [String; 2],
    same: bool,
    /// Ticks that are the same.
    ticks: u64,
    /// Ticks that each has, if they are the same as far as the shorter goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks_of: Option<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_scene: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_inputs: Option<OtherInputs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<Differs>,
}

#[derive(Debug, Serialize)]
struct OtherInputs {
    tick: u64,
    /// The first place in the tick's inputs that differs.
    index: usize,
    inputs: [Option<String>; 2],
}

pub(super) fn run(path: &Path, mut first: Reader, other: &Path, as_json: bool) -> Result<Answer, CliError> {
    let mut second = open(other)?;
    let comparison = compare(&mut first, &mut second)
        .map_err(|error| unreadable(if error.which == 0 { path } else { other }, error.source))?;
    let mut figures = AgainstFigures {
        recordings: [path, other].map(|path| path.display().to_string()),
        same: false,
        ticks: 0,
        ticks_of: None,
        other_scene: None,
        other_inputs: None,
        differs: None,
    };
    match comparison {
        Comparison::Same { ticks, of } => {
            figures.same = true;
            figures.ticks = ticks;
            figures.ticks_of = Some(of);
        }
        Comparison::OtherScene(what) => figures.other_scene = Some(printable(&what)),
        Comparison::OtherInputs { tick, index, inputs } => {
            figures.ticks = tick;
            figures.other_inputs = Some(OtherInputs {
                tick,
                index,
                inputs: inputs.map(|input| input.map(|input| input.to_string())),
            });
        }
        Comparison::Differs(divergence) => {
            figures.ticks = divergence.tick.saturating_sub(1);
            figures.differs = Some(Differs::new(
                &divergence,
                [&first.head().made_by, &second.head().made_by],
                None,
            ));
        }
    }
    if as_json {
        json::print(&figures)?;
    } else {
        json::print_text(&figures.text())?;
    }
    Ok(if figures.same { Answer::Yes } else { Answer::No })
}

impl AgainstFigures {
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let mut line = |what: &str, value: &str| {
            let _ok = writeln!(text, "{what:<10} {value}");
        };
        line("recorded", &self.recordings[0]);
        line("now", &self.recordings[1]);
        if let Some([first, second]) = self.ticks_of {
            let ticks = self.ticks;
            if first == second {
                line("same", &format!("{ticks} ticks"));
            } else {
                line("same", &format!("{ticks} ticks, of {first} and {second}"));
            }
        }
        if let Some(what) = &self.other_scene {
            line("differs", &format!("they are not of one scene: {what}"));
        }
        if let Some(other) = &self.other_inputs {
            let [first, second] = &other.inputs;
            let said = |input: &Option<String>| input.clone().unwrap_or_else(|| "nothing".to_owned());
            line(
                "differs",
                &format!(
                    "input {} of tick {}: {} recorded, {} now",
                    other.index,
                    other.tick,
                    said(first),
                    said(second)
                ),
            );
        }
        if let Some(differs) = &self.differs {
            differs.lines(&mut line);
        }
        text
    }
}
