//! Counters that prove what was done, and what was not.

/// What a navigator has done since it was made, and what it holds now. Taken by
/// [`Navigator::stats`](super::Navigator::stats).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NavigatorStats {
    /// Movements compiled for profiles seen for the first time.
    pub movements_compiled: u64,
    /// Movements taken anew because an edit reached the costs of their profile.
    pub movements_recompiled: u64,
    /// Integrations made from nothing.
    pub integrations_built: u64,
    /// Integrations made from an older one.
    pub integrations_repaired: u64,
    /// Directions extracted from nothing.
    pub directions_extracted: u64,
    /// Directions made from older ones.
    pub directions_repaired: u64,
    /// Bundles published, for whatever reason.
    pub bundles_published: u64,
    /// Bundles published without work: the same goals came back with all versions equal.
    pub bundles_restored: u64,
    /// Finished bundles that were not published, because the field had become right otherwise; they are cached.
    pub bundles_set_aside: u64,
    /// Builds that failed.
    pub builds_failed: u64,
    /// Failures told without work: the same goals came back with all versions equal.
    pub failures_restored: u64,
    /// Requests for a field that was there already.
    pub requests_coalesced: u64,
    /// Edits, as the versions of the map count them, that came to one change with an earlier one: all but the first between two
    /// updates.
    pub edits_coalesced: u64,
    /// Cells relaxed by integrations; a cell counts each time. Where builds use several threads it may differ from run to run.
    pub cells_expanded: u64,
    /// Searches for a single path.
    pub paths_searched: u64,
    /// Cells expanded by these searches.
    pub path_cells_expanded: u64,
    /// Answers about a single path without a search: from an earlier one, or by components.
    pub paths_remembered: u64,
    /// Labellings of components.
    pub components_labelled: u64,
    /// Jobs handed out.
    pub jobs_given: u64,
    /// Jobs that came back unfinished (dropped, or their field released); the work waits again.
    pub jobs_dropped: u64,
    /// Bundles evicted from the cache for want of room.
    pub bundles_evicted: u64,
    /// Fields there are.
    pub fields: usize,
    /// Bytes of the bundles published last.
    pub bytes_live: usize,
    /// Bytes of earlier bundles that readers still hold or nobody has freed yet.
    pub bytes_retired: usize,
    /// Bytes of bundles that are kept for goals that come back.
    pub bytes_cached: usize,
}

/// What one call of `update` did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct UpdateReport {
    /// Bundles published, restored ones included.
    pub published: usize,
    /// Bundles published without work.
    pub restored: usize,
    /// Fields that turned out not to be possible.
    pub failed: usize,
    /// Work spent by budget, in units (see [`Navigator::update_within`](super::Navigator::update_within)). What `update` makes
    /// in one go is not counted.
    pub spent: u64,
    /// Fields that still wait for their turn or are partly made.
    pub waiting: usize,
    /// Fields whose job is out.
    pub away: usize,
}
