//! Loads maps with the command line's options.

use crate::args::GreyArgument;
use crate::error::CliError;
use std::path::Path;
use thalweg_io::{GreyCosts, Polarity};
use thalweg_io::{LoadOptions, LoadedMap, load_map_with};

pub(crate) fn load(path: &Path, grey: GreyArgument) -> Result<LoadedMap, CliError> {
    let grey_costs = match grey {
        GreyArgument::WhiteCheap => GreyCosts::ramp(Polarity::WhiteIsCheap),
        GreyArgument::WhiteDear => GreyCosts::ramp(Polarity::WhiteIsDear),
        GreyArgument::Level => GreyCosts::LevelIsCost,
    };
    let options = LoadOptions {
        grey_costs,
        ..LoadOptions::default()
    };
    Ok(load_map_with(path, &options)?)
}
