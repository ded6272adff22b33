//! The few letters that legends need, five dots high. Rejected: a font; a picture of a map needs digits and compass
//! points, not typography.

use super::canvas::{Paint, Picture};

/// The rows of dots of a letter, `#` set; blank for letters that have none.
const fn rows(letter: char) -> [&'static str; 5] {
    match letter {
        '0' => ["###", "#.#", "#.#", "#.#", "###"],
        '1' => [".#.", "##.", ".#.", ".#.", "###"],
        '2' => ["###", "..#", "###", "#..", "###"],
        '3' => ["###", "..#", ".##", "..#", "###"],
        '4' => ["#.#", "#.#", "###", "..#", "..#"],
        '5' => ["###", "#..", "###", "..#", "###"],
        '6' => ["###", "#..", "###", "#.#", "###"],
        '7' => ["###", "..#", "..#", ".#.", ".#."],
        '8' => ["###", "#.#", "###", "#.#", "###"],
        '9' => ["###", "#.#", "###", "..#", "###"],
        '.' => [".", ".", ".", ".", "#"],
        'N' => ["#..#", "##.#", "#.##", "#..#", "#..#"],
        'E' => ["###", "#..", "##.", "#..", "###"],
        'S' => ["###", "#..", "###", "..#", "###"],
        'W' => ["#...#", "#...#", "#.#.#", "#.#.#", ".#.#."],
        _ => ["..."; 5],
    }
}

/// Dots from the left edge of a letter to that of the next.
fn advance(letter: char) -> f32 {
    rows(letter)[0].len() as f32 + 1.0
}

/// How wide a text is, in pixels.
pub(super) fn width(text: &str, dot: f32) -> f32 {
    (text.chars().map(advance).sum::<f32>() - 1.0).max(0.0) * dot
}

/// Writes a text with its top left corner at a pixel; every dot is a square of `dot` pixels.
pub(super) fn write(picture: &mut Picture, [x, y]: [f32; 2], text: &str, dot: f32, paint: Paint) {
    let mut left = x;
    for letter in text.chars() {
        for (row, dots) in rows(letter).into_iter().enumerate() {
            for (column, _) in dots.bytes().enumerate().filter(|&(_, dot)| dot == b'#') {
                let (x, y) = (left + column as f32 * dot, y + row as f32 * dot);
                let corners = [[x, y], [x + dot, y], [x + dot, y + dot], [x, y + dot]];
                picture.convex(corners, paint);
            }
        }
        left += advance(letter) * dot;
    }
}
