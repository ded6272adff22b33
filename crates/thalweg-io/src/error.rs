//! What can be wrong with a file, and where in it.

use core::fmt;
use std::io;
use thalweg_core::cost::{CostError, HeightError};
use thalweg_core::grid::{Cell, Grid, GridError, MAX_LAYERS};
use thiserror::Error;

/// Why a file could not be read: which file, where in it, and what is wrong there.
///
/// The message is one sentence such as `yard.map, line 7, column 3: letter 'x' is not terrain (…)`.
#[derive(Debug, Error)]
#[error("{file}{place}: {reason}")]
pub struct ReadError {
    file: String,
    place: Place,
    // Not the error's `source`: the message has it already, and reports that print the chain would say it twice.
    // Boxed, so that results that are fine are not carried in places made for errors.
    reason: Box<ReadReason>,
}

impl ReadError {
    pub(crate) fn new(file: &str, place: Place, reason: ReadReason) -> Self {
        Self {
            file: file.to_owned(),
            place,
            reason: Box::new(reason),
        }
    }

    /// The file as the caller named it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Where in the file the trouble is.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// What is wrong.
    #[must_use]
    pub const fn reason(&self) -> &ReadReason {
        &self.reason
    }
}

/// A place in a file. Lines and columns count from 1, bytes, cells and pixels from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// No place in particular.
    WholeFile,
    /// A line of a text file.
    Line(usize),
    /// A letter (grids) or a value (tables) of a line.
    LineColumn(usize, usize),
    /// A byte of a binary file.
    Byte(usize),
    /// An element of an array: column, row.
    Cell(u32, u32),
    /// A pixel of a picture: column, row.
    Pixel(u32, u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WholeFile => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::LineColumn(line, column) => write!(f, ", line {line}, column {column}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
            Self::Cell(column, row) => write!(f, ", cell ({column},{row})"),
            Self::Pixel(column, row) => write!(f, ", pixel ({column},{row})"),
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadReason {
    /// Nothing of that name.
    #[error("there is no such file")]
    Missing,
    /// A folder was named.
    #[error("this is a directory, not a file")]
    Directory,
    /// Nothing in it (or nothing but blank lines).
    #[error("the file is empty")]
    Empty,
    /// The operating system refused.
    #[error("the file cannot be read: {0}")]
    Io(io::Error),
    /// More bytes than the reader is willing to hold.
    #[error("the file has more than {limit} bytes, the limit for one file")]
    TooLong {
        /// Most bytes a file may have.
        limit: u64,
    },
    /// A text format with bytes that are not text.
    #[error(
        "byte {0:#04x} is not text (UTF-8), and the file is no picture or array that is known here either"
    )]
    NotText(u8),
    /// A kind of file that is recognised but not read.
    #[error("{0}")]
    Unsupported(&'static str),
    /// A line is not what the format asks for.
    #[error("the text is {got}, but {wanted} is expected")]
    Header {
        /// What the format asks for here.
        wanted: &'static str,
        /// What stands there, shortened and quoted.
        got: String,
    },
    /// The rectangle is empty or too large.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A letter that means nothing in a grid.
    #[error("letter {letter:?} is not terrain ({allowed})")]
    Letter {
        /// The letter.
        letter: char,
        /// The letters that are legal.
        allowed: &'static str,
    },
    /// A row that is longer or shorter than the others or than the header says.
    #[error("the row has {got} cells, but {want} are expected")]
    RowLength {
        /// Cells in this row.
        got: usize,
        /// Cells in every row.
        want: usize,
    },
    /// The file ends too early.
    #[error("the file ends after {got} of the {want} rows that its header states")]
    MissingRows {
        /// Rows found.
        got: usize,
        /// Rows stated.
        want: usize,
    },
    /// There is more text after the last row.
    #[error("there is text after the {want} rows that the header states")]
    ExtraRow {
        /// Rows stated.
        want: usize,
    },
    /// More layers than can be named.
    #[error("the map has more than {MAX_LAYERS} layers")]
    ManyLayers,
    /// A link with an end off the map.
    #[error("the link's end {cell} lies outside {grid}")]
    LinkOutside {
        /// The cell.
        cell: Cell,
        /// The map.
        grid: Box<Grid>,
    },
    /// A link from a cell to itself.
    #[error("the link leads from {0} to itself")]
    LinkToItself(Cell),
    /// A blank line between rows.
    #[error("there is a blank line between the rows")]
    BlankLine,
    /// A table line with too few or too many values.
    #[error("the line has {got} columns, but {want} are expected ({names})")]
    Columns {
        /// Values found.
        got: usize,
        /// Values expected.
        want: usize,
        /// What the values are.
        names: &'static str,
    },
    /// Somebody is in two places at once.
    #[error("person {id} is in frame {frame} a second time, after line {first}")]
    SeenTwice {
        /// Who.
        id: u32,
        /// When.
        frame: u32,
        /// The line of the first time.
        first: usize,
    },
    /// A list of a plan that is not as long as there are agents.
    #[error("{what} has {got} entries, but the plan has {want} agents")]
    AgentCount {
        /// The list.
        what: &'static str,
        /// Entries found.
        got: usize,
        /// Agents of the plan.
        want: usize,
    },
    /// An agent that the plan does not have.
    #[error("agent {agent} is named, but the plan has {agents} agents, counted from 0")]
    NoAgent {
        /// The agent.
        agent: u32,
        /// Agents of the plan.
        agents: u32,
    },
    /// A tick of a plan out of turn.
    #[error("the text is {got}, but tick {want} is expected, such as {want}:(5,9),")]
    TickNumber {
        /// What stands there, shortened and quoted.
        got: String,
        /// The tick whose turn it is.
        want: u32,
    },
    /// A key of a header that stands there a second time.
    #[error("{key} is stated a second time, after line {first}")]
    KeyTwice {
        /// The key.
        key: &'static str,
        /// The line of the first time.
        first: usize,
    },
    /// A key after the solution that must be known before it is read.
    #[error("{0} must stand before the solution")]
    LateKey(&'static str),
    /// A plan without one.
    #[error("there is no line `solution=`")]
    NoSolution,
    /// A line of more bytes than the reader is willing to hold.
    #[error("the line has more than {limit} bytes, the limit for one line")]
    LongLine {
        /// Most bytes a line may have.
        limit: u64,
    },
    /// A scenario that has too few lines.
    #[error("{wanted} agents are asked for, but the scenario has {got}")]
    TooFewAgents {
        /// Agents asked for.
        wanted: usize,
        /// Lines of the scenario.
        got: usize,
    },
    /// Two agents with the same cell.
    #[error("the {what} {cell} is also that of the agent on line {first}")]
    SharedCell {
        /// What the cell stands for.
        what: &'static str,
        /// The cell.
        cell: Cell,
        /// The line of the first agent.
        first: usize,
    },
    /// A value that is not the number it should be.
    #[error("{what} is {got}, but it must be {wanted}")]
    Number {
        /// What the value stands for.
        what: &'static str,
        /// What stands there, shortened and quoted.
        got: String,
        /// What may stand there.
        wanted: &'static str,
    },
    /// A cell that the stated map does not have.
    #[error("{what} {cell} lies outside the stated map of {width} x {height} cells")]
    Outside {
        /// What the cell stands for.
        what: &'static str,
        /// The cell.
        cell: Cell,
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A number that is not a cost.
    #[error(transparent)]
    Cost(#[from] CostError),
    /// The picture is damaged, or too large for what its file can hold.
    #[error("the picture cannot be decoded: {0}")]
    Image(String),
    /// A pixel with a colour where only greys are costs.
    #[error("the pixel has colour ({red},{green},{blue}), but only greys can be costs")]
    NotGrey {
        /// Red level.
        red: u16,
        /// Green level.
        green: u16,
        /// Blue level.
        blue: u16,
    },
    /// A pixel whose colour the legend does not list. Levels are on the scale 0..=65535.
    #[error("the pixel has colour {}, which the legend does not list", shown_colour(*red, *green, *blue))]
    UnlistedColour {
        /// Red level.
        red: u16,
        /// Green level.
        green: u16,
        /// Blue level.
        blue: u16,
    },
    /// A pixel that is neither opaque nor fully transparent.
    #[error(
        "the pixel is half transparent (alpha {0}), but it must be opaque (a cost) or fully transparent (unknown)"
    )]
    HalfTransparent(u16),
    /// The levels of the picture cannot be used as asked.
    #[error("{0}")]
    GreyCosts(String),
    /// The header of an array file makes no sense.
    #[error("the array header is damaged: {0}")]
    ArrayHeader(String),
    /// An element type that holds no costs.
    #[error("arrays of type {0} are not read (bool, 8- to 64-bit integers, float32 and float64 are)")]
    ArrayType(String),
    /// An array that is no map.
    #[error("the array has {0} dimensions, but a map has 2 (rows, columns) or 3 (layers, rows, columns)")]
    ArrayDimensions(usize),
    /// More or fewer bytes of data than the shape needs.
    #[error("the array has {got} bytes of data, but its shape needs {want}")]
    ArrayLength {
        /// Bytes present.
        got: u64,
        /// Bytes needed.
        want: u64,
    },
    /// Numbers that make no height map.
    #[error(transparent)]
    Heights(#[from] HeightError),
    /// A stored number that is no height.
    #[error(
        "the stored height is {0}, which is neither a finite number of 32 bits once scaled nor the nodata value"
    )]
    Height(f64),
    /// Neither the file nor the caller says how large a cell is.
    #[error(
        "the file does not say how large a cell is (or says it in degrees, or with two different sides), so its side must be given in the unit of the heights"
    )]
    NoCellSize,
    /// Stored numbers cannot become heights as asked.
    #[error("{0}")]
    VerticalScale(String),
    /// The file ends too early.
    #[error("the file has {got} heights, but its header states {want}")]
    TooFewHeights {
        /// Heights found.
        got: usize,
        /// Heights stated.
        want: usize,
    },
    /// There are more numbers than cells.
    #[error("there are more heights than the {want} that the header states")]
    TooManyHeights {
        /// Heights stated.
        want: usize,
    },
    /// A Tiled map that cannot be read as asked.
    #[error("{0}")]
    Tiled(String),
    /// A boolean that is neither 0 nor 1.
    #[error("byte {0} is not a boolean (0 or 1)")]
    ArrayBool(u8),
}

/// A colour as people write it: `#rrggbb`, or twice as long where 8 bits would lose something.
fn shown_colour(red: u16, green: u16, blue: u16) -> String {
    let levels = [red, green, blue];
    if levels.iter().all(|level| level % 257 == 0) {
        let [red, green, blue] = levels.map(|level| level / 257);
        return format!("#{red:02x}{green:02x}{blue:02x}");
    }
    format!("#{red:04x}{green:04x}{blue:04x}")
}

/// A message of another library made fit for ours: on one line, whatever letters of the file it repeats, and at most 200
/// of them.
pub(crate) fn one_line(message: &impl fmt::Display) -> String {
    const LONGEST: usize = 200;
    let message = message.to_string();
    let letters = message.chars().take(LONGEST).flat_map(|letter| {
        let escaped = letter.is_control().then(|| letter.escape_debug());
        let plain = (!letter.is_control()).then_some(letter);
        escaped.into_iter().flatten().chain(plain)
    });
    let mut shown: String = letters.collect();
    if message.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// Text from a file made fit for a message: quoted, escaped, at most 40 letters.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("'{shown}'")
}
