//! A whole field from a text grid.

use thalweg_core::cost::CostField;
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::integrate::{GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::workers::Serial;
use thalweg_io::{FieldView, read_text_grid};

/// Costs, cost-to-goal and directions of a map whose goals are drawn into it.
pub(crate) struct Solved {
    pub(crate) costs: CostField,
    pub(crate) field: IntegrationField,
    pub(crate) flow: FlowField,
}

impl Solved {
    pub(crate) fn new(text: &str) -> Self {
        let grid = read_text_grid("a map of a test", text.as_bytes()).expect("a legal grid");
        let movement = Movement::compile(&grid.costs, &MovementProfile::new());
        let goals = GoalSet::from_cells(grid.goals);
        let goals = goals.resolve(&movement).expect("goals on ground");
        let mut field = IntegrationField::new(grid.costs.grid().clone());
        let (options, mut scratch) = (IntegrateOptions::new(), IntegrateScratch::new());
        integrate(&movement, &goals, &options, &mut scratch, &mut field).expect("a small map");
        let mut flow = FlowField::new(grid.costs.grid().clone());
        extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
        let costs = grid.costs;
        Self { costs, field, flow }
    }

    pub(crate) fn view(&self) -> FieldView<'_> {
        let view = FieldView::new(&self.costs, &self.field).expect("of one map");
        view.with_flow(&self.flow).expect("of one map")
    }
}
