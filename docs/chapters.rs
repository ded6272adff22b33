//! The code of the book, compiled and run as documentation tests: `cargo test -p thalweg-book`.
//!
//! One item per chapter, so that a failing test names it. A chapter that is in the summary and not here is found by
//! `tests/summary.rs`.

#![forbid(unsafe_code)]

macro_rules! chapters {
    ($($chapter:ident = $file:literal),* $(,)?) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("src/", $file))]
            pub struct $chapter;
        )*
    };
}

chapters! {
    Introduction = "introduction.md",
    FirstField = "first-field.md",
    FirstCrowd = "first-crowd.md",
    Crowds = "crowds.md",
    Strict = "strict.md",
    Worlds = "worlds.md",
    Terrain = "terrain.md",
    Overlays = "overlays.md",
    BodiesAndFloors = "bodies-and-floors.md",
    LivingFields = "living-fields.md",
    Measuring = "measuring.md",
    TurnsAndTime = "turns-and-time.md",
    Headings = "headings.md",
    Components = "components.md",
    Pedestrians = "pedestrians.md",
    Determinism = "determinism.md",
    Replay = "replay.md",
    Performance = "performance.md",
    Files = "files.md",
    Scenes = "scenes.md",
    Faq = "faq.md",
}
