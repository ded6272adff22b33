//! The few letters that legends need, 3 x 5 dots each. Rejected: a font; a picture of a map needs digits and compass
//! points, not typography.

use super::canvas::{Paint, Picture};

/// Dots across a letter and its gap.
const ADVANCE: f32 = 4.0;

/// The dots of a letter, top row first, the left one in the highest of three bits; blank for letters that have none.
const fn rows(letter: char) -> [u8; 5] {
    match letter {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 7, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 1, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        '.' => [0, 0, 0, 0, 2],
        'N' => [5, 7, 7, 7, 5],
        'E' => [7, 4, 6, 4, 7],
        'S' => [7, 4, 7, 1, 7],
        'W' => [5, 5, 7, 7, 5],
        _ => [0; 5],
    }
}

/// How wide a text is, in pixels.
pub(super) fn width(text: &str, dot: f32) -> f32 {
    (text.chars().count() as f32 * ADVANCE - 1.0).max(0.0) * dot
}

/// Writes a text with its top left corner at a pixel; every dot is a square of `dot` pixels.
pub(super) fn write(picture: &mut Picture, [x, y]: [f32; 2], text: &str, dot: f32, paint: Paint) {
    for (place, letter) in text.chars().enumerate() {
        for (row, bits) in rows(letter).into_iter().enumerate() {
            for column in (0..3).filter(|column| bits >> (2 - column) & 1 == 1) {
                let left = x + (place as f32 * ADVANCE + column as f32) * dot;
                let top = y + row as f32 * dot;
                let corners = [
                    [left, top],
                    [left + dot, top],
                    [left + dot, top + dot],
                    [left, top + dot],
                ];
                picture.convex(corners, paint);
            }
        }
    }
}
