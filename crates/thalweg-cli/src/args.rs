//! What can be typed.

mod ground;
mod mapf;
mod recording;

use crate::bench_crowd::{AvoidanceArgument, SceneKind};
use crate::bench_strict::StrictSceneKind;
use crate::places::cell;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use thalweg::core::grid::Cell;
use thalweg::core::integrate::Engine;
use thalweg::core::memory::Bytes;
use thalweg::core::movement::{Charge, Connectivity, CornerRule, Footprint, MovementProfile, StepScale};
use thalweg::generate::MapKind;

pub(crate) use ground::{Channel, GroundArguments, QuestionArguments};
pub(crate) use mapf::{LifelongArgument, MapfArguments};
pub(crate) use recording::{RecordingArguments, ReplayArguments};

/// Flow fields and crowds: load a map, say where the goals are and who moves, get a crowd that gets there.
#[derive(Debug, Parser)]
#[command(name = "thalweg", version, about, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// Nothing at all runs the demo.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the embedded scene: 3,000 pursuers in a walled town; writes pictures and a report
    Demo(DemoArguments),
    /// Build a field over a map and ask it about cells, or write it as text, JSON, CSV, NumPy or a picture
    Field(Box<FieldArguments>),
    /// Compare fields with every line of MovingAI scenarios, or judge a plan of many agents; exit code 1 if one differs, or
    /// if the plan has a conflict
    Check(CheckArguments),
    /// Run a scene file; writes pictures, metrics and a report. Or run strict mode over a map and a scenario (--mapf)
    Simulate(Box<SimulateArguments>),
    /// Run a recording again and stop at the first tick that differs, with agent, field and values; exit code 1 then. Or compare
    /// two recordings (--against)
    Replay(ReplayArguments),
    /// Put recorded trajectories through lines and areas: passages, flow, density, speed
    Measure(MeasureArguments),
    /// Measure this machine's own figures, as ratios of interleaved runs
    Bench(BenchArguments),
}

#[derive(Debug, Args)]
pub(crate) struct MeasureArguments {
    /// Trajectories in the text format of the Jülich archive: id, frame, x, y, z
    #[arg(value_name = "TRAJECTORIES")]
    pub(crate) trajectories: PathBuf,
    /// Lines that count passages, in metres. Forward is to the left hand of the way from the first point to the second
    #[arg(long, num_args = 1.., value_name = "X0,Y0,X1,Y1", value_parser = four_numbers)]
    pub(crate) line: Vec<[f64; 4]>,
    /// Rectangles in which density and speed are measured, in metres
    #[arg(long, num_args = 1.., value_name = "X0,Y0,X1,Y1", value_parser = four_numbers)]
    pub(crate) area: Vec<[f64; 4]>,
    /// Also measure the component of speeds along this direction
    #[arg(long, value_name = "X,Y", value_parser = two_numbers)]
    pub(crate) along: Option<[f64; 2]>,
    /// Also tell the flow through a cross-section of the areas of this width, in metres
    #[arg(long, value_name = "METRES", requires = "along")]
    pub(crate) width: Option<f64>,
    /// Measure from this time on, in seconds since frame 0; default from the first frame
    #[arg(long, value_name = "SECONDS")]
    pub(crate) from: Option<f64>,
    /// Measure until this time, in seconds since frame 0; default until the last frame
    #[arg(long, value_name = "SECONDS")]
    pub(crate) until: Option<f64>,
    /// A speed is the way between so many frames before and after, by the time between; fewer at the ends of a walk
    #[arg(long, default_value_t = 5, value_name = "FRAMES", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) speed_frames: u32,
    /// Frames per second, if the file does not say
    #[arg(long, value_name = "N")]
    pub(crate) frame_rate: Option<f64>,
    /// Positions are in centimetres although the file does not say
    #[arg(long)]
    pub(crate) centimetres: bool,
    /// y grows downward, as in scenes without `y_up`; it decides what is left
    #[arg(long)]
    pub(crate) y_down: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    #[command(subcommand)]
    pub(crate) what: BenchCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// The field engines, on generated maps and on map files
    Field(BenchFieldArguments),
    /// Repairs of fields after edits of the map, against rebuilds
    Repair(BenchRepairArguments),
    /// Ticks of a crowd, stage by stage, for numbers of agents and threads
    Crowd(BenchCrowdArguments),
}

#[derive(Debug, Args)]
pub(crate) struct BenchCrowdArguments {
    /// Scenes to measure
    #[arg(long, value_enum, num_args = 1.., default_values_t = [SceneKind::Open], value_name = "SCENE")]
    pub(crate) scenes: Vec<SceneKind>,
    /// Measure strict mode instead, lifelong, where each agent goes from goal to goal and every move is reserved; bare:
    /// all of its scenes
    #[arg(long, value_enum, num_args = 0.., value_name = "SCENE", conflicts_with_all = ["scenes", "avoidance", "neighbours", "look_ahead", "cell", "dt", "sorting"])]
    pub(crate) strict: Option<Vec<StrictSceneKind>>,
    /// Numbers of agents; default 20000, with --strict 1000 and 10000
    #[arg(long, num_args = 1.., value_name = "N")]
    pub(crate) agents: Vec<u32>,
    /// Numbers of threads, which take turns; one is the calling thread without a pool
    #[arg(long, num_args = 1.., default_values_t = [1, 2], value_name = "N", value_parser = threads)]
    pub(crate) threads: Vec<usize>,
    /// Agents per square metre; default 2, in the scene dense 4. Spread goes by the map. With --strict the part of the free
    /// cells that agents are on, default 0.15
    #[arg(long, value_name = "D")]
    pub(crate) density: Option<f64>,
    /// How agents mind each other
    #[arg(long, value_enum, default_value_t = AvoidanceArgument::Separation)]
    pub(crate) avoidance: AvoidanceArgument,
    /// How many others an agent minds at most, 1 to 16
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub(crate) neighbours: u8,
    /// How far beyond contact others are minded, in metres; default the crowd's, which is in cells: 0.4 with separation, 3 with
    /// velocity obstacles
    #[arg(long, value_name = "METRES")]
    pub(crate) look_ahead: Option<f64>,
    /// Side of a cell in metres; bodies have a radius of 0.25 m, and walk at 1 to 1.5 m/s
    #[arg(long, default_value_t = 0.5, value_name = "METRES")]
    pub(crate) cell: f64,
    /// Timed ticks of each turn
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub(crate) ticks: usize,
    /// Ticks before the first turn
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub(crate) warm: usize,
    /// Rounds, in each of which every number of threads has one turn from the same crowd
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) rounds: usize,
    /// Length of a tick in seconds
    #[arg(long, default_value_t = 1.0 / 60.0, value_name = "SECONDS")]
    pub(crate) dt: f32,
    /// Compare the neighbour build of 20,000 agents with a comparison sort, too
    #[arg(long)]
    pub(crate) sorting: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchRepairArguments {
    /// Map files to measure as well, brought to about the side that is asked for by laying copies side by side, or by making
    /// a square of cells of each where the copies would not join
    #[arg(value_name = "MAP")]
    pub(crate) maps: Vec<PathBuf>,
    /// Kinds of generated maps: open, random20, terrain4, terrain8, rooms, maze, town
    #[arg(long, num_args = 1.., default_values_t = [MapKind::Town, MapKind::Rooms, MapKind::Terrain8, MapKind::Random20], value_name = "KIND")]
    pub(crate) kinds: Vec<MapKind>,
    /// Side of the maps, in cells
    #[arg(long, default_value_t = 1024, value_name = "N")]
    pub(crate) side: u32,
    /// Edits of one cell per map; of edits that change most of the map a tenth as many
    #[arg(long, default_value_t = 400, value_name = "N")]
    pub(crate) edits: usize,
    /// Rounds per edit, in each of which repair and rebuild have one turn; the least of each counts
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub(crate) rounds: usize,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchFieldArguments {
    /// Map files to measure as well
    #[arg(value_name = "MAP")]
    pub(crate) maps: Vec<PathBuf>,
    /// Kinds of generated maps: open, random20, terrain4, terrain8, rooms, maze, town; without any, all
    #[arg(long, num_args = 1.., value_name = "KIND")]
    pub(crate) kinds: Option<Vec<MapKind>>,
    /// Sides of the generated maps, in cells
    #[arg(long, num_args = 1.., default_values_t = [200, 512], value_name = "N")]
    pub(crate) sides: Vec<u32>,
    /// Engines that have a turn beside dial; without any all of them, auto, and all stages from costs to directions
    #[arg(long, num_args = 1.., value_name = "ENGINE")]
    pub(crate) engines: Vec<Engine>,
    /// Rounds, in each of which every engine has one turn
    #[arg(long, default_value_t = 21, value_name = "N")]
    pub(crate) rounds: usize,
    /// Measure early stop instead: the time of a field of which so many percent of the tiles are asked for, as a share of
    /// the time of the whole field
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) asked: Option<u32>,
    /// Lengths of a straight and a diagonal step
    #[arg(long, default_value_t = StepScale::TEN_FOURTEEN)]
    pub(crate) scale: StepScale,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Folder to write into; made if it is not there
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl Default for DemoArguments {
    fn default() -> Self {
        Self {
            out: PathBuf::from("out"),
            run: RunArguments {
                threads: 0,
                json: false,
            },
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Threads; 0 means one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = threads)]
    pub(crate) threads: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArguments {
    /// Scene file (TOML)
    #[arg(
        value_name = "SCENE",
        required_unless_present = "mapf",
        conflicts_with = "mapf"
    )]
    pub(crate) scene: Option<PathBuf>,
    /// Folder to write into; made if it is not there
    #[arg(
        long,
        value_name = "DIR",
        required_unless_present = "mapf",
        conflicts_with = "mapf"
    )]
    pub(crate) out: Option<PathBuf>,
    /// Step with this tick length instead of the scene's, in seconds; the duration stays
    #[arg(long, value_name = "SECONDS", conflicts_with = "mapf")]
    pub(crate) tick: Option<f64>,
    /// Stop after this many ticks, or when all have arrived
    #[arg(long, value_name = "N")]
    pub(crate) ticks: Option<u64>,
    /// Also write every agent's position every so many ticks as the scene says (id, frame, x, y in world units, the layer as
    /// z), as text of the Jülich archive or as a NumPy archive; =text,npz writes both
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "text", value_name = "FORMAT", conflicts_with = "mapf")]
    pub(crate) trajectories: Vec<TrajectoryFormat>,
    /// Write no animation
    #[arg(long, conflicts_with = "mapf")]
    pub(crate) no_animation: bool,
    #[command(flatten)]
    pub(crate) recording: RecordingArguments,
    #[command(flatten)]
    pub(crate) mapf: MapfArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

#[derive(Debug, Args)]
pub(crate) struct FieldArguments {
    /// Map: MovingAI .map, text grid (also of several layers), cost .csv, cost .png, NumPy .npy, Tiled .tmx or .tmj; or a scene .toml, with everything but its agents
    #[arg(value_name = "MAP")]
    pub(crate) map: PathBuf,
    /// Goal cells, as X,Y or X,Y,LAYER, with :BIAS behind (starting cost in step units); without any, those of the scene, or the G cells of a text grid
    #[arg(long, num_args = 1.., value_name = "X,Y[,LAYER][:BIAS]", value_parser = goal)]
    pub(crate) goal: Vec<GoalArgument>,
    /// What to do with a goal on a wall or off the map
    #[arg(long, value_enum, default_value_t = BlockedGoal::Refuse)]
    pub(crate) blocked_goal: BlockedGoal,
    /// Cells to ask about
    #[arg(long, num_args = 1.., value_name = "X,Y[,LAYER]", value_parser = cell)]
    pub(crate) at: Vec<Cell>,
    /// Which value of a cell is written; default the cost-to-goal
    #[arg(long, value_enum)]
    pub(crate) channel: Option<Channel>,
    #[command(flatten)]
    pub(crate) questions: QuestionArguments,
    /// What to write
    #[arg(long, value_enum, default_value_t = FieldFormat::Text)]
    pub(crate) format: FieldFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) steps: StepArguments,
    #[command(flatten)]
    pub(crate) ground: GroundArguments,
    /// Engine: auto, heap, dial (or buckets), layers, tiles, corridors. Results do not depend on it
    #[arg(long, default_value_t = Engine::Auto)]
    pub(crate) engine: Engine,
    /// Threads; 0 means one per core. Results do not depend on it
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads)]
    pub(crate) threads: usize,
    /// Refuse a field whose making would take more memory than this, such as 800MB or 2GiB; the map itself is not counted.
    /// Engine auto goes on to leaner engines until one fits
    #[arg(long, value_name = "BYTES")]
    pub(crate) memory_limit: Option<Bytes>,
    /// Leave cells beyond this cost-to-goal unknown, in step units; default the profile's limit
    #[arg(long, value_name = "C")]
    pub(crate) cost_limit: Option<u32>,
    /// What the colours of a picture of the cost-to-goal mean
    #[arg(long, value_enum, default_value_t = PictureShading::Cost)]
    pub(crate) shading: PictureShading,
    /// Longer side of the map in a picture, in pixels: the largest whole number of pixels per cell that fits; default 1200
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pixels: Option<u32>,
    /// How grey levels of a PNG map become costs
    #[arg(long, value_enum, default_value_t = GreyArgument::WhiteCheap)]
    pub(crate) grey: GreyArgument,
    /// The tile property that holds the costs of a Tiled map: 0 to 254, 255 impassable
    #[arg(long, value_name = "NAME", default_value = crate::maps::TILE_PROPERTY)]
    pub(crate) property: String,
}

/// The rules of steps; what is not typed is the scene's, or the default.
#[derive(Debug, Args)]
pub(crate) struct StepArguments {
    /// Neighbours: 4 or 8; default 8
    #[arg(long)]
    pub(crate) neighbours: Option<Connectivity>,
    /// When a diagonal may pass its two side cells: both free, one free, always; default both
    #[arg(long)]
    pub(crate) corner: Option<CornerRule>,
    /// Lengths of a straight and a diagonal step; default 10/14
    #[arg(long)]
    pub(crate) scale: Option<StepScale>,
    /// Whose cost a step is charged by: the cell left (depart, the default), entered (arrive), or the mean of both
    #[arg(long)]
    pub(crate) charge: Option<Charge>,
    /// The room a body takes, in cells: point, square:N, rectangle:WxH or disc:RADIUS; default point
    #[arg(long, value_name = "BODY")]
    pub(crate) footprint: Option<Footprint>,
}

impl StepArguments {
    /// Writes what was typed into a profile.
    pub(crate) fn apply(&self, profile: &mut MovementProfile) {
        profile.connectivity = self.neighbours.unwrap_or(profile.connectivity);
        profile.corner_rule = self.corner.unwrap_or(profile.corner_rule);
        profile.scale = self.scale.unwrap_or(profile.scale);
        profile.charge = self.charge.unwrap_or(profile.charge);
        profile.footprint = self.footprint.unwrap_or(profile.footprint);
    }
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// MovingAI map; or a folder, then every .scen file below it is checked against the map beside it; with --plan any map
    #[arg(value_name = "MAP")]
    pub(crate) map: PathBuf,
    /// Scenario with known optimal lengths
    #[arg(long, value_name = "FILE")]
    pub(crate) scen: Option<PathBuf>,
    /// Plan of many agents, in the text form of MAPF planners: every tick is looked through for conflicts
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scen", "tolerance", "scale", "corner", "footprint", "engine"])]
    pub(crate) plan: Option<PathBuf>,
    /// Largest relative error that counts as a match
    #[arg(long, default_value_t = 1e-4, value_name = "E")]
    pub(crate) tolerance: f64,
    /// Lengths of a straight and a diagonal step
    #[arg(long, default_value_t = StepScale::FINE)]
    pub(crate) scale: StepScale,
    /// When a diagonal may pass its two side cells: both free, one free, always
    #[arg(long, default_value_t = CornerRule::BothFree)]
    pub(crate) corner: CornerRule,
    /// The room a body takes, in cells: point, square:N, rectangle:WxH or disc:RADIUS
    #[arg(long, default_value_t = Footprint::Point, value_name = "BODY")]
    pub(crate) footprint: Footprint,
    /// Engine: auto, heap, dial (or buckets), layers, tiles, corridors
    #[arg(long, default_value_t = Engine::Auto)]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FieldFormat {
    Text,
    Json,
    Csv,
    Npy,
    Png,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TrajectoryFormat {
    /// trajectories.txt: id, frame, x, y, z
    Text,
    /// trajectories.npz: arrays of the same names
    Npz,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureShading {
    /// Cost-to-goal
    Cost,
    /// Which goal wins
    Goals,
    /// What the ground costs
    Ground,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlockedGoal {
    /// An error
    Refuse,
    /// Leave it out
    Skip,
    /// Take the nearest passable cell
    Nearest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GreyArgument {
    /// White is cost 1, black is a wall
    WhiteCheap,
    /// Black is cost 1, white is a wall
    WhiteDear,
    /// The level is the cost (0 to 254), white is a wall
    Level,
}

/// A goal as typed: a cell and a starting cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GoalArgument {
    pub(crate) cell: Cell,
    pub(crate) bias: u32,
}

/// The words of the command line, with a blank before negative cells.
///
/// `--at 0,0 -3,0` must reach the cell parser, but to clap `-3,0` looks like an option. Its own setting for values that
/// begin with a hyphen would swallow the options that follow a list of cells.
pub(crate) fn words() -> impl Iterator<Item = OsString> {
    std::env::args_os().map(|word| {
        let bytes = word.as_encoded_bytes();
        let negative = bytes.first() == Some(&b'-')
            && bytes.get(1).is_some_and(u8::is_ascii_digit)
            && bytes.contains(&b',');
        if negative {
            let mut padded = OsString::from(" ");
            padded.push(&word);
            padded
        } else {
            word
        }
    })
}

/// The most threads that can be asked for. A pool of tens of thousands starts, but brings the machine to its knees.
const MAX_THREADS: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads <= MAX_THREADS => Ok(threads),
        _ => Err(format!(
            "`{text}` is not a number of threads; it must be 0 to {MAX_THREADS}"
        )),
    }
}

fn goal(text: &str) -> Result<GoalArgument, String> {
    let (place, bias) = text.split_once(':').unwrap_or((text, "0"));
    let bias = bias.parse().map_err(|_| {
        format!("`{bias}` is not a starting cost; it must be a whole number of step units, 0 or more")
    })?;
    Ok(GoalArgument {
        cell: cell(place)?,
        bias,
    })
}

fn numbers<const N: usize>(text: &str, form: &str) -> Result<[f64; N], String> {
    let wanted = || format!("`{}` is not {form} with finite numbers", text.trim());
    let parts: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|number: &f64| number.is_finite()))
        .collect::<Option<_>>()
        .ok_or_else(wanted)?;
    parts.try_into().map_err(|_parts| wanted())
}

fn four_numbers(text: &str) -> Result<[f64; 4], String> {
    numbers(text, "X0,Y0,X1,Y1")
}

fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    numbers(text, "X,Y")
}
