//! Two recordings beside each other: what two machines of one game made of it.

use super::difference::{Divergence, Judge};
use super::inputs::put_inputs;
use super::{RecordedScene, RecordingError, RecordingReader};
use crate::simulation::Input;
use std::io::Read;
use thiserror::Error;

/// What two recordings have in common.
#[derive(Clone, PartialEq, Debug)]
pub enum Comparison {
    /// All ticks that both have.
    Same {
        /// How many ticks that are.
        ticks: u64,
        /// How many each has.
        of: [u64; 2],
    },
    /// Not even the scene. What differs first: `text`, `tick length`, or a file of this name.
    OtherScene(String),
    /// Other inputs came into a tick.
    OtherInputs {
        /// The tick.
        tick: u64,
        /// The first place in its inputs that differs.
        index: usize,
        /// What stands there, in each.
        inputs: Box<[Option<Input>; 2]>,
    },
    /// The same inputs came to something else. The first recording is the one that was recorded, the second the other.
    Differs(Box<Divergence>),
}

/// Why two recordings cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{source}")]
pub struct CompareError {
    /// Which of them cannot be read: 0 or 1.
    pub which: usize,
    /// Why.
    pub source: RecordingError,
}

/// Compares two recordings of which nothing but the heads have been read. It steps nothing.
///
/// What they were called, and how many ticks were asked for, may differ.
///
/// # Errors
/// [`CompareError`].
pub fn compare<A: Read, B: Read>(
    first: &mut RecordingReader<A>,
    second: &mut RecordingReader<B>,
) -> Result<Comparison, CompareError> {
    if let Some(what) = other_scene(&first.head().scene, &second.head().scene) {
        return Ok(Comparison::OtherScene(what));
    }
    let of = |which| move |source| CompareError { which, source };
    let mut judge = Judge::new();
    loop {
        let ours = first.next_moment().map_err(of(0))?.cloned();
        let theirs = second.next_moment().map_err(of(1))?.cloned();
        let (Some(ours), Some(theirs)) = (ours, theirs) else {
            break;
        };
        if let Some(index) = other_input(&ours.inputs, &theirs.inputs) {
            if let Some(divergence) = judge.conclude() {
                return Ok(Comparison::Differs(Box::new(divergence)));
            }
            return Ok(Comparison::OtherInputs {
                tick: ours.tick.saturating_sub(1),
                index,
                inputs: Box::new([ours.inputs.get(index).cloned(), theirs.inputs.get(index).cloned()]),
            });
        }
        let agents = (ours.has_states && theirs.has_states)
            .then(|| (Box::new(first.agents()) as _, Box::new(second.agents()) as _));
        if let Some(divergence) = judge.judge(&ours, &theirs, agents) {
            return Ok(Comparison::Differs(Box::new(divergence)));
        }
    }
    if let Some(divergence) = judge.conclude() {
        return Ok(Comparison::Differs(Box::new(divergence)));
    }
    // So that what is wrong behind the shorter one's end is told as well.
    while first.next_moment().map_err(of(0))?.is_some() {}
    while second.next_moment().map_err(of(1))?.is_some() {}
    let of = [first.ticks(), second.ticks()].map(|ticks| ticks.unwrap_or(0));
    Ok(Comparison::Same {
        ticks: of[0].min(of[1]),
        of,
    })
}

fn other_scene(first: &RecordedScene, second: &RecordedScene) -> Option<String> {
    if first.text != second.text {
        return Some("text".to_owned());
    }
    if first.tick_s.map(f64::to_bits) != second.tick_s.map(f64::to_bits) {
        return Some("tick length".to_owned());
    }
    let only = |a: &RecordedScene, b: &RecordedScene| {
        let other = a.files.iter().find(|file| {
            let same = b.file(&file.name);
            same.is_none_or(|same| same.hash() != file.hash())
        });
        other.map(|file| file.name.clone())
    };
    only(first, second).or_else(|| only(second, first))
}

/// By their bytes, so that a way that is no number is equal to itself.
fn other_input(first: &[Input], second: &[Input]) -> Option<usize> {
    let bytes = |input: Option<&Input>| {
        let mut out = Vec::new();
        put_inputs(&mut out, input.map_or(&[], core::slice::from_ref));
        out
    };
    let len = first.len().max(second.len());
    (0..len).find(|&index| bytes(first.get(index)) != bytes(second.get(index)))
}
