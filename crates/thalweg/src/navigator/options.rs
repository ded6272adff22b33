//! How a navigator works.

use crate::bundle::BuildOptions;

/// How a navigator works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NavigatorOptions {
    /// How its fields are made, unless a request says otherwise; default as [`BuildOptions::new`].
    pub build: BuildOptions,
    /// Bytes of bundles that are kept for goals that come back; default 64 MiB, 0 keeps none. A bundle takes about
    /// 5.25 bytes a cell. The movements they were made from are the map's and not counted.
    pub cache_bytes: usize,
    /// Cells that the search for a single path may expand before it is given up, where agents
    /// [go on by themselves](super::WhileMaking::SinglePath); default no limit. It bounds the time of one call.
    pub path_cells: usize,
}

impl Default for NavigatorOptions {
    fn default() -> Self {
        Self {
            build: BuildOptions::new(),
            cache_bytes: 64 << 20,
            path_cells: usize::MAX,
        }
    }
}

impl NavigatorOptions {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with another way to make fields.
    #[must_use]
    pub const fn with_build(mut self, build: BuildOptions) -> Self {
        self.build = build;
        self
    }

    /// The options with another limit for the cache, in bytes.
    #[must_use]
    pub const fn with_cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// The options with a limit for the search of single paths, in cells.
    #[must_use]
    pub const fn with_path_cells(mut self, cells: usize) -> Self {
        self.path_cells = cells;
        self
    }
}
