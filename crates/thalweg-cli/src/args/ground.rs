//! What can be typed about the ground and who walks on it, beside the rules of steps.

use crate::places::cell;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use thalweg::core::cost::{Cost, SlopeBand, SlopeBands, Steepness, UnknownGround};
use thalweg::core::expanded::TurnCosts;
use thalweg::core::grid::{Cell, DIRECTIONS, Direction};
use thalweg::scene::{HeightFile, HeightScale};

#[derive(Debug, Args)]
pub(crate) struct GroundArguments {
    /// Of a scene: walk by the rules of this profile (classes, slopes, unknown ground, turns); default "default"
    #[arg(long, value_name = "NAME", conflicts_with = "group")]
    pub(crate) profile: Option<String>,
    /// Of a scene: the profile and the goals of this group
    #[arg(long, value_name = "NAME")]
    pub(crate) group: Option<String>,
    /// What unknown ground is: blocked, or passed at this cost (0 to 254)
    #[arg(long, value_name = "blocked|COST", value_parser = unknown)]
    pub(crate) unknown: Option<UnknownGround>,
    /// A height map of the same size; steps are priced and closed by their slope
    #[arg(long, value_name = "FILE")]
    pub(crate) heights: Option<PathBuf>,
    /// Side of a cell in the unit of the heights; default what the file says, else 1
    #[arg(long, value_name = "S", requires = "heights")]
    pub(crate) height_cell: Option<f64>,
    /// What stored numbers are as heights: BASE plus the number times PER; default as they stand
    #[arg(long, value_name = "BASE,PER", requires = "heights", conflicts_with = "height_levels", value_parser = pair)]
    pub(crate) height_scale: Option<[f64; 2]>,
    /// Heights of black and white of a picture; the other levels lie between
    #[arg(long, value_name = "BLACK,WHITE", requires = "heights", value_parser = pair)]
    pub(crate) height_levels: Option<[f64; 2]>,
    /// Slope bands: up to slope S (rise over run) add C to the cost; from the last on impassable. Default 0.3:0,0.6:3,1:8
    #[arg(long, value_name = "S:C,…", value_parser = bands)]
    pub(crate) bands: Option<SlopeBands>,
    /// Other slope bands for steps to lower ground; default the same
    #[arg(long, value_name = "S:C,…", value_parser = bands)]
    pub(crate) bands_down: Option<SlopeBands>,
    /// What a step too steep closes
    #[arg(long, value_enum)]
    pub(crate) steep: Option<SteepArgument>,
    /// What turning costs, in step units: per 45 degrees, or five numbers for turns by 0, 45, 90, 135 and 180 degrees
    #[arg(long, value_name = "C|C,C,C,C,C", value_parser = turns)]
    pub(crate) turn_cost: Option<TurnCosts>,
    /// Of a scene: the map, overlays and goals as they are before this tick is stepped; and the tick of the time channel
    #[arg(long, value_name = "T")]
    pub(crate) tick: Option<u32>,
    /// Ticks that the time channel follows; default until nothing changes any more
    #[arg(long, value_name = "N")]
    pub(crate) horizon: Option<u32>,
    /// Ticks that a step takes in the time channel; default 1
    #[arg(long, value_name = "N", conflicts_with = "units_per_tick", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) step_ticks: Option<u32>,
    /// Or one tick for every so many step units of a step's cost
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) units_per_tick: Option<u32>,
    /// What waiting for a tick costs in the time channel, in step units, or never; default half of a plain step in the same time
    #[arg(long, value_name = "C|never", value_parser = wait)]
    pub(crate) wait_cost: Option<WaitArgument>,
}

impl GroundArguments {
    /// What was typed about a file of heights.
    pub(crate) fn height_file(&self) -> HeightFile {
        let scale = match (self.height_scale, self.height_levels) {
            (Some([base, per_unit]), _) => Some(HeightScale::Linear { base, per_unit }),
            (None, Some([black, white])) => Some(HeightScale::Range { black, white }),
            (None, None) => None,
        };
        HeightFile {
            cell_size: self.height_cell,
            scale,
            ..HeightFile::default()
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct QuestionArguments {
    /// The direction one comes in, for the turn channel and --at; default none (at rest)
    #[arg(long, value_name = "N|E|S|W|NE|SE|SW|NW", value_parser = direction)]
    pub(crate) from_direction: Option<Direction>,
    /// Cells from which a single path is searched by A*, and compared with the field; exit code 1 if one has no way
    #[arg(long, num_args = 1.., value_name = "X,Y[,LAYER]", value_parser = cell)]
    pub(crate) route: Vec<Cell>,
    /// Cells from which some goal must be reachable; exit code 1 if one is not
    #[arg(long, num_args = 1.., value_name = "X,Y[,LAYER]", value_parser = cell)]
    pub(crate) can_reach: Vec<Cell>,
    /// Cells to block in thought; exit code 1 if that would cut anyone off from anywhere
    #[arg(long, num_args = 1.., value_name = "X,Y[,LAYER]", value_parser = cell)]
    pub(crate) would_block: Vec<Cell>,
}

/// What is written, one value per cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Channel {
    /// Cost-to-goal, in step units
    Cost,
    /// The first of the best steps
    Direction,
    /// Where to walk in a straight line, in degrees clockwise from north (y - 1)
    Heading,
    /// Length of the chosen way, in cells
    Length,
    /// Index of the goal that wins
    Goal,
    /// Which cells can get to each other, by number
    Component,
    /// Cost-to-goal where turning costs, coming in --from-direction
    Turn,
    /// Cost-to-goal where doors, barricades and patrols come and go, at --tick
    Time,
    /// What the ground costs this profile
    Ground,
    /// Distance from the cell's centre to the nearest wall, unknown ground or border of its layer, in cells
    Clearance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SteepArgument {
    /// The step in that direction
    Edge,
    /// Both cells it joins
    Cell,
}

impl From<SteepArgument> for Steepness {
    fn from(steep: SteepArgument) -> Self {
        match steep {
            SteepArgument::Edge => Self::BlocksEdge,
            SteepArgument::Cell => Self::BlocksCell,
        }
    }
}

/// What waiting costs, or that nobody may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WaitArgument(pub(crate) Option<u32>);

fn pair(text: &str) -> Result<[f64; 2], String> {
    let wanted =
        || format!("`{text}` is not a pair of numbers; write two finite numbers with a comma between");
    let (first, second) = text.split_once(',').ok_or_else(wanted)?;
    let number = |part: &str| {
        part.trim()
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
    };
    Ok([
        number(first).ok_or_else(wanted)?,
        number(second).ok_or_else(wanted)?,
    ])
}

fn unknown(text: &str) -> Result<UnknownGround, String> {
    if text == "blocked" {
        return Ok(UnknownGround::Blocked);
    }
    text.parse::<u8>()
        .ok()
        .map(Cost::from_byte)
        .filter(|cost| cost.is_passable())
        .map(UnknownGround::Assumed)
        .ok_or_else(|| format!("`{text}` is neither blocked nor a cost from 0 to 254"))
}

fn bands(text: &str) -> Result<SlopeBands, String> {
    let bands = text.split(',').map(|band| {
        let wanted = || format!("`{band}` is not a slope band; write S:C, such as 0.6:3");
        let (below, extra) = band.split_once(':').ok_or_else(wanted)?;
        Ok(SlopeBand {
            below: below.trim().parse().map_err(|_| wanted())?,
            extra: extra.trim().parse().map_err(|_| wanted())?,
        })
    });
    SlopeBands::new(bands.collect::<Result<Vec<_>, String>>()?).map_err(|error| error.to_string())
}

fn turns(text: &str) -> Result<TurnCosts, String> {
    let wanted =
        || format!("`{text}` is not a turn cost; write one whole number, or five with commas between");
    let numbers = text
        .split(',')
        .map(|part| part.trim().parse::<u32>().map_err(|_| wanted()))
        .collect::<Result<Vec<_>, _>>()?;
    match numbers[..] {
        [cost] => TurnCosts::per_eighth(cost),
        [a, b, c, d, e] => TurnCosts::new([a, b, c, d, e]),
        _ => return Err(wanted()),
    }
    .map_err(|error| error.to_string())
}

fn wait(text: &str) -> Result<WaitArgument, String> {
    if text == "never" {
        return Ok(WaitArgument(None));
    }
    text.parse()
        .map(|cost| WaitArgument(Some(cost)))
        .map_err(|_| format!("`{text}` is neither never nor a whole number of step units"))
}

fn direction(text: &str) -> Result<Direction, String> {
    DIRECTIONS
        .into_iter()
        .find(|direction| direction.name() == text)
        .ok_or_else(|| format!("`{text}` is not a direction; it must be N, E, S, W, NE, SE, SW or NW"))
}
