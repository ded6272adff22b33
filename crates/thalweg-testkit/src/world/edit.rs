//! Changes to a world, as plain data.

use super::{Border, Draw, Laid, World};

/// A change.
#[derive(Clone, Debug)]
pub enum Edit {
    /// The base cost of a cell.
    Cost(usize, Option<u8>),
    /// The height of a cell, on maps that have heights.
    Height(usize, Option<f32>),
    /// A stamp is laid down.
    Put(Laid),
    /// The stamp in this place is taken away.
    Take(usize),
    /// One more rule about borders.
    Border(Border),
    /// One more portal.
    Portal((usize, usize, u32)),
    /// The portal of this index is taken away.
    RemovePortal(usize),
}

impl World {
    /// Draws a change and makes it.
    ///
    /// # Panics
    /// Never: what is drawn is on the map.
    pub fn edit<D: Draw>(&mut self, random: &mut D) -> Edit {
        let cell = self.any(random);
        let edit = match random.below(8) {
            0 | 1 => Edit::Cost(
                cell,
                random.pick(&[Some(255), Some(1), None, Some(0), Some(9), Some(254)]),
            ),
            2 if self.hills.is_some() => Edit::Height(
                cell,
                random.pick(&[Some(0.0), None, Some(0.25), Some(0.5), Some(2.0)]),
            ),
            2 | 3 => Edit::Put(Laid {
                taken: false,
                ..self.draw_stamp(random)
            }),
            4 => {
                let lying: Vec<usize> = (0..self.stamps.len())
                    .filter(|&at| !self.stamps[at].taken)
                    .collect();
                if lying.is_empty() {
                    Edit::Cost(cell, Some(1))
                } else {
                    Edit::Take(lying[random.index(lying.len())])
                }
            }
            5 => Edit::Border(self.draw_border(random)),
            6 => {
                let there: Vec<usize> = (0..self.portals.len())
                    .filter(|&at| self.portals[at].is_some())
                    .collect();
                if there.is_empty() {
                    Edit::Cost(cell, Some(2))
                } else {
                    Edit::RemovePortal(there[random.index(there.len())])
                }
            }
            _ => match self.draw_portal(random) {
                Some(portal) => Edit::Portal(portal),
                None => Edit::Cost(cell, Some(255)),
            },
        };
        self.apply(&edit);
        edit
    }

    /// Makes a change that was drawn on a world of the same size, or on this one.
    ///
    /// # Panics
    /// If it does not fit.
    pub fn apply(&mut self, edit: &Edit) {
        match edit {
            Edit::Cost(cell, cost) => self.base[*cell] = *cost,
            Edit::Height(cell, height) => {
                self.hills.as_mut().expect("drawn on hills").heights[*cell] = *height;
            }
            Edit::Put(laid) => self.stamps.push(laid.clone()),
            Edit::Take(place) => self.stamps[*place].taken = true,
            Edit::Border(border) => self.borders.push(*border),
            Edit::Portal(portal) => self.portals.push(Some(*portal)),
            Edit::RemovePortal(place) => self.portals[*place] = None,
        }
    }
}
