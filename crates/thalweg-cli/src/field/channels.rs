//! The channels of a field beside cost and direction, each made only when somebody asks for it.

use super::source::Source;
use crate::args::{Channel, FieldArguments};
use crate::error::CliError;
use thalweg::bundle::FieldBundle;
use thalweg::core::components::Components;
use thalweg::core::cost::ClearanceField;
use thalweg::core::expanded::{
    Beyond, IncomingState, StepTicks, TimeAction, TimeField, TimeOptions, TurnCosts, TurnField,
};
use thalweg::core::flow::{
    Guidance, HeadingField, HeadingOptions, HeadingScratch, LengthField, OrderScratch, look_ahead,
    measure_lengths,
};
use thalweg::core::grid::{CellId, Direction};
use thalweg::core::integrate::Reach;
use thalweg::core::movement::{EdgeKind, Movement};
use thalweg_io::{ChannelCell, FieldCell, FieldView};

/// The most bytes that a turn or time field may hold.
const MAX_BYTES: u64 = 4 << 30;
/// The longest horizon that is chosen without being asked for, in ticks.
const LONGEST_HORIZON: u32 = 100_000;

/// A field over cells and ticks, with the movement it was made from.
#[derive(Debug)]
pub(crate) struct Timed {
    pub(crate) field: TimeField,
    pub(crate) movement: Movement,
    pub(crate) tick: u32,
}

/// A field over cells and incoming directions.
#[derive(Debug)]
pub(crate) struct Turning {
    pub(crate) field: TurnField,
    pub(crate) from: Option<Direction>,
}

/// What was asked for, and nothing else.
#[derive(Debug, Default)]
pub(crate) struct Channels {
    pub(crate) headings: Option<HeadingField>,
    pub(crate) lengths: Option<LengthField>,
    pub(crate) components: Option<Components>,
    pub(crate) clearance: Option<ClearanceField>,
    pub(crate) turning: Option<Turning>,
    pub(crate) timed: Option<Timed>,
}

impl Channels {
    pub(crate) fn make(
        arguments: &FieldArguments,
        source: &Source,
        bundle: &FieldBundle,
    ) -> Result<Self, CliError> {
        let asks = !arguments.at.is_empty();
        let is = |channel| arguments.channel == Some(channel);
        let questions = &arguments.questions;
        let refused = |error: String| CliError::Usage(format!("{}: {error}", arguments.map.display()));
        let (movement, flow) = (bundle.movement(), bundle.flow());
        let grid = || bundle.grid().to_owned();
        let mut channels = Self::default();
        if asks || is(Channel::Heading) {
            let mut headings = HeadingField::new(grid());
            let made = look_ahead(
                movement,
                bundle.integration(),
                flow,
                &HeadingOptions::new(),
                &mut HeadingScratch::new(),
                &mut headings,
            );
            match made {
                Ok(()) => channels.headings = Some(headings),
                // Answers about cells can do without; the channel itself cannot.
                Err(error) if is(Channel::Heading) => return Err(refused(error.to_string())),
                Err(_) => {}
            }
        }
        if asks || is(Channel::Length) {
            let mut lengths = LengthField::new(grid());
            measure_lengths(movement, flow, &mut OrderScratch::default(), &mut lengths);
            channels.lengths = Some(lengths);
        }
        if asks
            || is(Channel::Component)
            || !questions.can_reach.is_empty()
            || !questions.would_block.is_empty()
        {
            channels.components = Some(Components::of(movement));
        }
        // Beside --at only for bodies, or where it is asked for: points have room wherever they can be.
        let is_body = !movement.profile().footprint.is_point();
        if is(Channel::Clearance) || (asks && is_body) {
            channels.clearance = Some(ClearanceField::of(source.costs()));
        }
        channels.turning = turning(arguments, source, movement)?;
        channels.timed = timed(arguments, source, bundle)?;
        Ok(channels)
    }

    /// What a channel says about a cell.
    pub(crate) fn value(
        &self,
        channel: Channel,
        view: &FieldView<'_>,
        bundle: &FieldBundle,
        id: CellId,
    ) -> ChannelCell {
        let cell = view.cell(id);
        let otherwise = || match cell {
            FieldCell::Reached(_) => match bundle.flow().guidance(id) {
                Guidance::Through(_) => ChannelCell::Portal,
                _ => ChannelCell::Goal,
            },
            other => other.into(),
        };
        match channel {
            Channel::Cost => cell.into(),
            Channel::Direction => bundle
                .flow()
                .direction(id)
                .map_or_else(otherwise, ChannelCell::Direction),
            Channel::Heading => self.heading(id).map_or_else(otherwise, ChannelCell::Real),
            Channel::Length => self.length(id).map_or_else(otherwise, ChannelCell::Real),
            Channel::Goal => match cell {
                FieldCell::Reached(_) => ChannelCell::Whole(bundle.integration().goal(id).unwrap_or(0)),
                other => other.into(),
            },
            Channel::Component => {
                let component = self.components.as_ref().and_then(|all| all.component(id));
                match (component, cell) {
                    (Some(component), _) => ChannelCell::Whole(component.0),
                    // No body may be there, so no field reaches it.
                    (None, FieldCell::Impassable) => ChannelCell::Impassable,
                    (None, _) => ChannelCell::Unknown,
                }
            }
            Channel::Turn => match &self.turning {
                Some(turning) => reach(turning.reach(id), cell),
                None => ChannelCell::Unknown,
            },
            Channel::Time => match &self.timed {
                Some(timed) => reach(timed.field.reach(id, timed.tick), cell),
                None => ChannelCell::Unknown,
            },
            Channel::Clearance => match (&self.clearance, view.costs().get(id)) {
                (Some(clearance), Some(cost)) if cost.is_passable() => {
                    ChannelCell::Real(clearance.clearance(id))
                }
                (_, Some(_)) => ChannelCell::Impassable,
                (_, None) => ChannelCell::Unknown,
            },
            Channel::Ground => match view.costs().get(id) {
                Some(cost) if cost.is_passable() => ChannelCell::Whole(u32::from(cost.byte())),
                Some(_) => ChannelCell::Impassable,
                None => ChannelCell::Unknown,
            },
        }
    }

    /// Where to walk in a straight line from the centre of a cell, in degrees clockwise from north, 0 to 360.
    pub(crate) fn heading(&self, id: CellId) -> Option<f64> {
        let (dx, dy) = self.headings.as_ref()?.offset(id)?;
        let degrees = f64::from(dx).atan2(f64::from(-dy)).to_degrees();
        Some(if degrees < 0.0 { degrees + 360.0 } else { degrees })
    }

    /// The length of the chosen way, in cells.
    pub(crate) fn length(&self, id: CellId) -> Option<f64> {
        Some(self.lengths.as_ref()?.length(id)?.cells())
    }
}

/// What an expanded field says about a passable cell, and the plain one about the others.
fn reach(reach: Reach, cell: FieldCell) -> ChannelCell {
    match (reach, cell) {
        (_, FieldCell::Impassable) => ChannelCell::Impassable,
        (Reach::Reached(cost), _) => ChannelCell::Whole(cost.0),
        (Reach::Unreachable, _) => ChannelCell::Unreachable,
        (Reach::Unknown, _) => ChannelCell::Unknown,
    }
}

impl Turning {
    fn state(&self, cell: CellId) -> IncomingState {
        IncomingState {
            cell,
            incoming: self.from,
        }
    }

    pub(crate) fn reach(&self, cell: CellId) -> Reach {
        self.field.reach(self.state(cell))
    }

    /// The best directions, the first one first; empty at goals and without a way.
    pub(crate) fn successors(&self, movement: &Movement, cell: CellId) -> Vec<&'static str> {
        let edges = self.field.best_edges(movement, self.state(cell));
        edges.map(|edge| edge_name(edge.kind)).collect()
    }

    pub(crate) fn is_goal(&self, cell: CellId) -> bool {
        self.field.is_goal(self.state(cell))
    }

    pub(crate) fn direction(&self, movement: &Movement, cell: CellId) -> Option<Direction> {
        self.field.successors(movement, self.state(cell)).first()
    }
}

impl Timed {
    pub(crate) fn next(&self, cell: CellId) -> Option<TimeAction> {
        self.field.next(&self.movement, cell, self.tick)
    }

    pub(crate) fn is_open(&self, cell: CellId) -> bool {
        self.field.timetable().is_cell_open(cell, self.tick)
    }
}

/// The name of an edge: its direction, or `portal`.
pub(crate) const fn edge_name(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Step(direction) => direction.name(),
        _ => "portal",
    }
}

fn turning(
    arguments: &FieldArguments,
    source: &Source,
    movement: &Movement,
) -> Result<Option<Turning>, CliError> {
    let turns: Option<TurnCosts> = source.scene.profiles[source.profile].turns;
    let is_channel = arguments.channel == Some(Channel::Turn);
    if !is_channel && (turns.is_none() || arguments.at.is_empty()) {
        return Ok(None);
    }
    let turns = turns.ok_or_else(|| {
        CliError::Usage("the turn channel needs to know what turning costs: add --turn-cost C".to_owned())
    })?;
    let refused = |error: String| CliError::Usage(format!("{}: {error}", arguments.map.display()));
    let goals = source
        .goals
        .resolve(movement)
        .map_err(|error| refused(error.to_string()))?;
    let field = TurnField::build(movement, &goals, &turns, MAX_BYTES)
        .map_err(|error| refused(format!("the turn field cannot be made: {error}")))?;
    Ok(Some(Turning {
        field,
        from: arguments.questions.from_direction,
    }))
}

fn timed(
    arguments: &FieldArguments,
    source: &Source,
    bundle: &FieldBundle,
) -> Result<Option<Timed>, CliError> {
    let typed = &arguments.ground;
    let is_channel = arguments.channel == Some(Channel::Time);
    if !is_channel && (arguments.at.is_empty() || typed.horizon.is_none()) {
        return Ok(None);
    }
    let refused = |error: String| CliError::Usage(format!("{}: {error}", arguments.map.display()));
    let times = source.scene.times().map_err(|error| refused(error.to_string()))?;
    let movement = times
        .ground
        .compile(source.profile)
        .map_err(|error| refused(error.to_string()))?;
    let goals = source
        .goals
        .resolve(&movement)
        .map_err(|error| refused(error.to_string()))?;
    let plan = source.scene.time;
    let step_ticks = match (typed.step_ticks, typed.units_per_tick) {
        (Some(ticks), _) => StepTicks::Fixed(ticks),
        (None, Some(units)) => StepTicks::PerCost(units),
        (None, None) => plan.step_ticks.unwrap_or_default(),
    };
    let tick = typed.tick.unwrap_or(0);
    let horizon = typed.horizon.or(plan.horizon);
    let horizon = horizon.unwrap_or_else(|| {
        let mut horizon = times.settled.max(tick).saturating_add(1);
        if times.stays_closed {
            // Time ends at the horizon then, so there must be enough of it to arrive.
            let way = bundle.integration().max_cost().map_or(0, |cost| cost.0);
            let unit = bundle.integration().cost_unit().max(1);
            let steps = match step_ticks {
                StepTicks::PerCost(units) => way / units.max(1),
                _ => (way / unit).saturating_mul(step_ticks.of(unit)),
            };
            horizon = horizon.saturating_add(steps.saturating_mul(2)).saturating_add(1);
        }
        horizon.min(LONGEST_HORIZON)
    });
    let unit = bundle.integration().cost_unit();
    let wait_cost = typed.wait_cost.map(|wait| wait.0).or(plan.wait_cost);
    // Half of what a plain step costs in the same time: where waiting is dearer than walking, the cheapest way to wait is
    // to pace to and fro.
    let wait = unit / step_ticks.of(unit).saturating_mul(2);
    let mut options = TimeOptions::new(horizon, wait, MAX_BYTES).with_step_ticks(step_ticks);
    if let Some(wait) = wait_cost {
        options.wait_cost = wait;
    }
    // What is closed for ever must not open at the horizon.
    options.beyond = if times.stays_closed {
        Beyond::Nothing
    } else {
        Beyond::Static
    };
    let field = TimeField::build(&movement, &goals, &times.timetable, &options)
        .map_err(|error| refused(format!("the time field cannot be made: {error}")))?;
    Ok(Some(Timed {
        field,
        movement,
        tick,
    }))
}
