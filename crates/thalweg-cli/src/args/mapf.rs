//! What can be typed about an instance of multi-agent path finding.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use thalweg::core::movement::{Connectivity, CornerRule};

#[derive(Debug, Args)]
pub(crate) struct MapfArguments {
    /// Instead of a scene: run strict mode over this map, with starts and goals from --scen. The run is written as a plan
    /// and the plan judged; exit code 1 if it has a conflict, or if not all arrive within --ticks
    #[arg(long, value_name = "MAP", requires_all = ["scen", "agents", "ticks"])]
    pub(crate) mapf: Option<PathBuf>,
    /// Scenario whose first lines are the agents
    #[arg(long, value_name = "FILE", requires = "mapf")]
    pub(crate) scen: Option<PathBuf>,
    /// How many agents
    #[arg(long, value_name = "N", requires = "mapf", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) agents: Option<u32>,
    /// Whoever comes to a goal is given the next one: of --tasks, or of the scenario's lines behind the agents (bare, in
    /// their order; each once), or drawn from all goals of the scenario (=drawn, by --seed)
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "further", value_name = "WHICH", requires = "mapf")]
    pub(crate) lifelong: Option<LifelongArgument>,
    /// Tasks in the order in which they are handed out: lines of `x y` for whoever comes first, `agent x y` for one agent
    #[arg(long, value_name = "FILE", requires = "lifelong")]
    pub(crate) tasks: Option<PathBuf>,
    /// Neighbours: 4 or 8
    #[arg(long, value_name = "N", default_value_t = Connectivity::Four, requires = "mapf")]
    pub(crate) neighbours: Connectivity,
    /// When a diagonal may pass two walls at its sides: both free, one free, always
    #[arg(long, default_value_t = CornerRule::BothFree, requires = "mapf")]
    pub(crate) corner: CornerRule,
    /// Side of every agent's square body, in cells; above 1 the agents are the first lines of the scenario that fit
    #[arg(long, value_name = "N", default_value_t = 1, requires = "mapf", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) bodies: u8,
    /// Ticks that a step takes every agent
    #[arg(long, value_name = "TICKS", default_value_t = 1, requires = "mapf", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) pace: u8,
    /// Nobody may enter a cell in the tick in which another leaves it
    #[arg(long, requires = "mapf")]
    pub(crate) no_following: bool,
    /// Single cells may step diagonally past others at their sides
    #[arg(long, requires = "mapf")]
    pub(crate) squeezing: bool,
    /// Write the plan, in the text form of MAPF planners
    #[arg(long, value_name = "FILE", requires = "mapf")]
    pub(crate) plan: Option<PathBuf>,
    /// Chooses among equal ways, and draws tasks
    #[arg(long, value_name = "S", default_value_t = 0, requires = "mapf")]
    pub(crate) seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LifelongArgument {
    /// The goals of the scenario's lines behind those of the agents, in order, each once
    Further,
    /// Goals of the scenario, drawn at random without end
    Drawn,
}
