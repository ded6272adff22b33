//! Cells, numbers and lists of them, as plans write them.

use thalweg_core::grid::Cell;

/// What stands at a place of a line. Blanks before a token are passed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The column of what comes next, counted from 1.
    pub(super) const fn column(&self) -> usize {
        self.at + 1
    }

    /// What is left, for messages.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Takes a letter if it comes next.
    pub(super) fn take(&mut self, letter: u8) -> bool {
        self.skip_blanks();
        let is_next = self.text.get(self.at) == Some(&letter);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes a whole number that fits 32 bits, or leaves everything as it is.
    pub(super) fn number(&mut self) -> Option<i64> {
        self.skip_blanks();
        let mut at = self.at;
        let is_negative = self.text.get(at) == Some(&b'-');
        at += usize::from(is_negative);
        let first = at;
        let mut number: i64 = 0;
        while let Some(digit) = self.text.get(at).filter(|byte| byte.is_ascii_digit()) {
            number = number * 10 + i64::from(digit - b'0');
            if number > i64::from(u32::MAX) {
                return None;
            }
            at += 1;
        }
        if at == first {
            return None;
        }
        self.at = at;
        Some(if is_negative { -number } else { number })
    }

    pub(super) fn count(&mut self) -> Option<u32> {
        let before = self.at;
        let number = self.number().and_then(|number| u32::try_from(number).ok());
        if number.is_none() {
            self.at = before;
        }
        number
    }

    /// Takes `(x,y)` or `(x,y,layer)`, or leaves everything as it is.
    pub(super) fn cell(&mut self) -> Option<Cell> {
        let before = self.at;
        let cell = self.cell_at();
        if cell.is_none() {
            self.at = before;
        }
        cell
    }

    fn cell_at(&mut self) -> Option<Cell> {
        if !self.take(b'(') {
            return None;
        }
        let x = i32::try_from(self.number()?).ok()?;
        if !self.take(b',') {
            return None;
        }
        let y = i32::try_from(self.number()?).ok()?;
        let layer = if self.take(b',') {
            u16::try_from(self.number()?).ok()?
        } else {
            0
        };
        self.take(b')').then(|| Cell::on(layer, x, y))
    }
}

/// Appends a number, without the detour over formatting: plans have hundreds of millions of them.
pub(super) fn push_number(text: &mut Vec<u8>, number: i64) {
    if number < 0 {
        text.push(b'-');
    }
    let first = text.len();
    let mut left = number.unsigned_abs();
    loop {
        text.push(b'0' + u8::try_from(left % 10).unwrap_or(0));
        left /= 10;
        if left == 0 {
            break;
        }
    }
    text[first..].reverse();
}

pub(super) fn push_cell(text: &mut Vec<u8>, cell: Cell) {
    text.push(b'(');
    push_number(text, i64::from(cell.x));
    text.push(b',');
    push_number(text, i64::from(cell.y));
    if cell.layer != 0 {
        text.push(b',');
        push_number(text, i64::from(cell.layer));
    }
    text.push(b')');
}
