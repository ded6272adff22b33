//! What a replay came to, in words and as JSON.

use super::Stop;
use crate::places::Place;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use thalweg::core::grid::Grid;
use thalweg::recording::{Difference, Divergence, Ending, LastTick, RecordingReader, Replay};
use thalweg::scene::Scene;

/// What a replay came to.
#[derive(Debug, Serialize)]
pub(super) struct ReplayFigures {
    recording: String,
    /// The scene file as it was called.
    scene: String,
    made_by: String,
    /// Ticks that agree.
    ticks: u64,
    agrees: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<Differs>,
    /// How the recorded run ended; not told where the replay stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Ended>,
    agents: usize,
    outcomes: BTreeMap<&'static str, u64>,
    hash: String,
}

/// The first difference.
#[derive(Debug, Serialize)]
pub(super) struct Differs {
    /// Ticks that had been stepped when the states were not the same any more.
    tick: u64,
    recorded_hash: String,
    hash: String,
    /// In words.
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    world: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen_at: Option<u64>,
    /// The versions that made both, if they are not the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    versions: Option<[String; 2]>,
}

/// How a recording ends.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ended {
    Finished,
    Interrupted,
    /// The recorded run could not go on.
    Failed {
        reason: String,
        /// What the tick that was under way did in the replay.
        #[serde(skip_serializing_if = "Option::is_none")]
        replay: Option<String>,
    },
    /// The recording was cut off.
    CutOff {
        whole_bytes: u64,
        more_bytes: u64,
        /// What the tick that was under way did in the replay.
        #[serde(skip_serializing_if = "Option::is_none")]
        replay: Option<String>,
    },
}

impl ReplayFigures {
    pub(super) fn new<R: Read>(path: &Path, replay: &Replay<R>, stop: &Stop) -> Self {
        let (reader, simulation) = (replay.reader(), replay.simulation());
        let head = reader.head();
        let differs = match stop {
            Stop::Differs(divergence) => {
                let grid = simulation.costs().grid();
                let versions = [&head.made_by, env!("CARGO_PKG_VERSION")];
                Some(Differs::new(
                    divergence,
                    versions,
                    Some((simulation.scene(), grid)),
                ))
            }
            _ => None,
        };
        let ended = match stop {
            Stop::End(last) => ended(reader, last),
            _ => None,
        };
        let mut outcomes = BTreeMap::new();
        for (_, view) in simulation.crowd().agents() {
            *outcomes.entry(view.outcome.name()).or_default() += 1;
        }
        Self {
            recording: path.display().to_string(),
            scene: printable(&head.scene.name),
            made_by: printable(&head.made_by),
            ticks: match stop {
                Stop::Differs(divergence) => divergence.tick.saturating_sub(1),
                _ => reader.ticks().unwrap_or(0),
            },
            agrees: differs.is_none(),
            differs,
            ended,
            agents: simulation.crowd().len(),
            outcomes,
            hash: simulation.crowd().state_hash().to_string(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let mut line = |what: &str, value: &str| {
            let _ok = writeln!(text, "{what:<10} {value}");
        };
        line("recording", &self.recording);
        line(
            "scene",
            &format!("{}, recorded by thalweg {}", self.scene, self.made_by),
        );
        match &self.differs {
            None => line("replayed", &format!("{} ticks, all agree", self.ticks)),
            Some(differs) => differs.lines(&mut line),
        }
        if let Some(ended) = &self.ended {
            line("ended", &ended.text(self.ticks));
        }
        let outcomes: Vec<String> = self
            .outcomes
            .iter()
            .map(|(name, count)| format!("{count} {}", name.replace('_', " ")))
            .collect();
        let outcomes = if outcomes.is_empty() {
            "nobody".to_owned()
        } else {
            outcomes.join(", ")
        };
        line("agents", &outcomes);
        line("hash", &self.hash);
        text
    }
}

impl Differs {
    /// `place` tells where in the world it is, if the scene is known.
    pub(super) fn new(divergence: &Divergence, versions: [&str; 2], place: Option<(&Scene, &Grid)>) -> Self {
        let (agent, field, recorded, now) = match &divergence.difference {
            Difference::Field {
                agent,
                field,
                recorded,
                other,
            } => (
                Some(*agent),
                Some(*field),
                Some(field.value(recorded)),
                Some(field.value(other)),
            ),
            Difference::Missing { agent, .. } | Difference::Extra { agent, .. } => {
                (Some(*agent), None, None, None)
            }
            _ => (None, None, None, None),
        };
        let at = divergence.difference.place().zip(place);
        let cell = at.and_then(|(at, (_, grid))| {
            let cell = at.cell_id(grid)?;
            Some(Place::new(grid, grid.cell(cell)))
        });
        let world = at.and_then(|(at, (scene, grid))| {
            let world = scene.transform.world_from_map(grid, at.layer, at.to_map());
            world.ok()
        });
        Self {
            tick: divergence.tick,
            recorded_hash: divergence.recorded.to_string(),
            hash: divergence.other.to_string(),
            what: divergence.to_string(),
            agent: agent.map(|agent| agent.to_string()),
            field: field.map(|field| field.name()),
            recorded,
            now,
            cell,
            world,
            seen_at: divergence.seen_at,
            versions: (versions[0] != versions[1]).then(|| versions.map(printable)),
        }
    }

    pub(super) fn lines(&self, line: &mut dyn FnMut(&str, &str)) {
        line("differs", &self.what);
        if let (Some(cell), Some([x, y])) = (&self.cell, self.world) {
            line("where", &format!("cell {cell}, in the world at ({x:.3}, {y:.3})"));
        }
        line(
            "hashes",
            &format!("{} recorded, {} now", self.recorded_hash, self.hash),
        );
        if let Some([recorded, now]) = &self.versions {
            let warning = "another version may run the same scene otherwise";
            line("versions", &format!("{recorded} recorded, {now} now: {warning}"));
        }
    }
}

fn ended<R: Read>(reader: &RecordingReader<R>, last: &LastTick) -> Option<Ended> {
    let replay = match last {
        LastTick::None => None,
        LastTick::WentThrough => Some("the tick that was under way goes through".to_owned()),
        LastTick::FailedAsRecorded(_) => Some("the replay fails in the same way".to_owned()),
        LastTick::Failed(reason) => Some(format!("the tick that was under way fails: {reason}")),
    };
    match (reader.ending(), reader.cut_off()) {
        (Some(Ending::Finished), _) => Some(Ended::Finished),
        (Some(Ending::Interrupted), _) => Some(Ended::Interrupted),
        (Some(Ending::Failed(reason)), _) => Some(Ended::Failed {
            reason: printable(reason),
            replay,
        }),
        (None, Some((end, whole))) => Some(Ended::CutOff {
            whole_bytes: whole,
            more_bytes: end - whole,
            replay,
        }),
        (None, None) => None,
    }
}

impl Ended {
    fn text(&self, ticks: u64) -> String {
        let (text, replay) = match self {
            Self::Finished => ("the run was finished".to_owned(), &None),
            Self::Interrupted => ("the run was interrupted".to_owned(), &None),
            Self::Failed { reason, replay } => (format!("the run failed: {reason}"), replay),
            Self::CutOff {
                whole_bytes,
                more_bytes,
                replay,
            } => {
                let mut text = format!("cut off after {ticks} ticks, at byte {whole_bytes}");
                if *more_bytes > 0 {
                    text += &format!("; {more_bytes} bytes of one more block are there");
                }
                (text, replay)
            }
        };
        match replay {
            Some(replay) => format!("{text}; {replay}"),
            None => text,
        }
    }
}

/// A text of a recording, of which anything may have been made, on one line and without orders to a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let (plain, escaped) = if letter.is_control() {
                (None, Some(letter.escape_default()))
            } else {
                (Some(letter), None)
            };
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}
