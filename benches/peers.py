"""Our engines beside Python libraries with compiled cores, interleaved in one run.

    python3.11 -m venv VENV && VENV/bin/pip install -r benches/requirements.txt
    cargo build --release -p thalweg-benches
    VENV/bin/python benches/peers.py [--rounds N] [--side CELLS] [--only MAP…] [--json FILE]

Our side is the program `peers --serve`, which times itself and is asked over a pipe: neither starting a process nor
the pipe counts. The maps are ours, handed over through the same pipe.

What each peer can and cannot express, and what our engine is given so that both solve the same graph:

- tcod `path.dijkstra2d`: 8 neighbours, whole numbers, any straight and diagonal factor, charged by the cell farther
  from the goal (our Depart). No corner rule: diagonals are never checked (our Always). Same costs, cell by cell.
- dijkstra3d `distance_field`: 8 neighbours (26 in three dimensions), `float32`, charged by the cell entered on the way
  out (our Depart). Diagonals cost as much as straight steps and are never checked: our scale is 1/1 with Always.
- scikit-image `MCP_Geometric.find_costs`: 8 neighbours, `float64`, the mean of both cells (our Mean), exact square
  roots. Diagonals are never checked (Always). Our scale is 408/577, so costs agree to a relative 1e-4. The object is
  made anew in each run, as one call needs it; making it is also timed by itself (`MCP_Geometric, made before`).

- scikit-fmm `travel_time`: not a graph but the eikonal equation |grad T| = cost, from a point, by fast marching on the 4
  neighbours, walls masked out; its cheaper first-order scheme. Its numbers are no costs of a graph, so that only times
  compare. What is checked is what follows from its scheme: with D the cost-to-goal over 4 neighbours charged on
  departure, D / sqrt(2) <= T <= D in every cell, the same cells reached; and on open ground T lies within 0.3 cells +
  12 % of the straight distance (its discretisation error there is one-sided and shrinks with the distance). Ours is
  timed with its usual 8 neighbours, both side cells free, which reaches the same cells.

None makes directions, so that our integration alone is the fair counterpart. Every graph peer's answer is compared with
ours in every cell before anything is timed.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import dijkstra3d
import numpy as np
import skfmm
import skimage.graph
import tcod.path

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Our contestants, with the runs of one turn: Auto and buckets integrate alone, the pipeline goes from costs to all
# directions. Four runs, because the first finds the caches full of what the peer left there; buckets, a side column,
# make do with one.
OURS = {"auto": 4, "dial": 1, "pipeline": 4}


class Ours:
    """The program `peers --serve`."""

    def __init__(self, program, side):
        self.process = subprocess.Popen(
            [program, "--serve", "--side", str(side)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("peers.py: our program has ended; what it said stands above")
        return json.loads(line)


class Map:
    def __init__(self, raw):
        self.name = raw["name"]
        self.costs = np.array(raw["costs"], dtype=np.uint8).reshape(raw["height"], raw["width"])
        self.wall = self.costs == 255
        column, row = raw["goal"]
        self.goal = (row, column)


class Peer:
    """A library with the profile under which our graph is its graph."""

    tolerance = 0.0

    @property
    def rules(self):
        """The profile under which our answer is compared with the peer's; the same as the one that is timed."""
        return self.profile

    def prepare(self, grid):
        """Everything that a program would do once per map; not timed."""

    def run(self):
        """One field."""

    def array(self, field):
        """The field as a plain array."""
        return np.asarray(field)

    def differing(self, grid, own, theirs):
        """Which of the reached cells (given as lists) have an answer that ours does not allow."""
        return np.abs(theirs - own) > self.tolerance * own


class Tcod(Peer):
    name = "tcod"
    profile = {"neighbours": "8", "corner": "always", "charge": "depart", "scale": "10/14"}

    def prepare(self, grid):
        # 0 is a wall there.
        self.costs = np.where(grid.wall, 0, grid.costs).astype(np.int32)
        self.start = tcod.path.maxarray(grid.costs.shape, dtype=np.int32)
        self.start[grid.goal] = 0
        self.out = np.empty_like(self.start)

    def run(self):
        tcod.path.dijkstra2d(self.start, self.costs, 10, 14, out=self.out)
        return self.out

    def reached(self, field):
        return field != np.iinfo(np.int32).max


class Dijkstra3d(Peer):
    name = "dijkstra3d"
    profile = {"neighbours": "8", "corner": "always", "charge": "depart", "scale": "1/1"}

    def prepare(self, grid):
        costs = np.where(grid.wall, np.inf, grid.costs)
        # Its own order of memory, so that it need not copy.
        self.costs = np.asfortranarray(costs.astype(np.float32))
        self.goal = grid.goal

    def run(self):
        return dijkstra3d.distance_field(self.costs, source=self.goal, connectivity=26)

    def reached(self, field):
        return np.isfinite(field)


class ScikitImage(Peer):
    name = "scikit-image"
    profile = {"neighbours": "8", "corner": "always", "charge": "mean", "scale": "408/577"}
    tolerance = 1e-4

    def prepare(self, grid):
        self.costs = np.where(grid.wall, np.inf, grid.costs).astype(np.float64)
        self.goal = grid.goal

    def run(self):
        mcp = skimage.graph.MCP_Geometric(self.costs, fully_connected=True)
        return mcp.find_costs([self.goal])[0]

    def reached(self, field):
        return np.isfinite(field)


class ScikitImageMade(ScikitImage):
    name = "scikit-image, made before"

    def prepare(self, grid):
        super().prepare(grid)
        self.mcp = skimage.graph.MCP_Geometric(self.costs, fully_connected=True)

    def run(self):
        return self.mcp.find_costs([self.goal])[0]


class ScikitFmm(Peer):
    name = "scikit-fmm"
    profile = {"neighbours": "8", "corner": "both", "charge": "depart", "scale": "10/14"}
    rules = {"neighbours": "4", "corner": "both", "charge": "depart", "scale": "1/1"}

    def prepare(self, grid):
        start = np.ones(grid.costs.shape)
        # A zero is a point where T is 0.
        start[grid.goal] = 0.0
        self.start = np.ma.MaskedArray(start, grid.wall)
        self.speed = 1.0 / grid.costs

    def run(self):
        return skfmm.travel_time(self.start, self.speed, order=1)

    def array(self, field):
        return np.ma.filled(field, np.inf)

    def reached(self, field):
        return np.isfinite(field)

    def differing(self, grid, own, theirs):
        rounding = 1e-9 * (1.0 + own)
        wrong = (theirs > own + rounding) | (theirs < own / np.sqrt(2.0) - rounding)
        if (grid.costs == 1).all():
            rows, columns = np.indices(grid.costs.shape)
            # No walls, so that every cell is reached: lists and indices agree.
            straight = np.hypot(rows - grid.goal[0], columns - grid.goal[1]).ravel()
            wrong |= (theirs > 1.12 * straight + 0.3) | (theirs < straight - rounding)
        return wrong


def check(peer, grid, ours):
    """The number of reached cells; ends the program if a cell differs."""
    reply = ours.ask(ask="field", map=grid.name, engine="auto", **peer.rules)
    # The unit of a scale of 1/1 or 10/14 is what the peer counts in, too; square roots are in cells.
    unit = reply["unit"] if peer.tolerance else 1
    own = np.array([np.nan if cost is None else cost / unit for cost in reply["costs"]]).reshape(grid.costs.shape)
    theirs = peer.array(peer.run())
    reached = peer.reached(theirs) & ~grid.wall
    if (reached != np.isfinite(own)).any():
        sys.exit(f"peers.py: {peer.name} reaches other cells than we do on {grid.name}")
    theirs, own = theirs[reached].astype(np.float64), own[reached]
    wrong = peer.differing(grid, own, theirs)
    if wrong.any():
        worst = np.abs(theirs - own)[wrong].max()
        sys.exit(f"peers.py: {peer.name} differs from us by up to {worst} in {wrong.sum()} cells of {grid.name}")
    return int(reached.sum())


def timed(run, turns):
    start = time.perf_counter()
    for _ in range(turns):
        run()
    return (time.perf_counter() - start) / turns


def measure(grid, peers, ours, rounds):
    rows = []
    for peer in peers:
        peer.prepare(grid)
    cells = {peer.name: check(peer, grid, ours) for peer in peers}
    turns = {peer.name: max(1, round(0.02 / timed(peer.run, 1))) for peer in peers}
    times = {peer.name: [] for peer in peers}
    own = {(peer.name, engine): [] for peer in peers for engine in OURS}
    for turn in range(rounds):
        for place in range(len(peers)):
            # Another one begins in each round: none always follows the same one.
            peer = peers[(turn + place) % len(peers)]
            # Ours runs right before, under the peer's own rules.
            for engine, runs in OURS.items():
                seconds = ours.ask(ask="time", map=grid.name, engine=engine, turns=runs, **peer.profile)
                own[peer.name, engine].append(seconds)
            times[peer.name].append(timed(peer.run, turns[peer.name]))
    for peer in peers:
        per_cell = 1e9 / cells[peer.name]
        row = {
            "map": grid.name,
            "engine": peer.name,
            "profile": " ".join(peer.profile.values()),
            "cells": cells[peer.name],
            "ns_per_cell": statistics.median(times[peer.name]) * per_cell,
        }
        for engine in OURS:
            seconds = own[peer.name, engine]
            ratios = [o / t for o, t in zip(seconds, times[peer.name])]
            row[f"{engine}_ns_per_cell"] = statistics.median(seconds) * per_cell
            row[f"ratio_to_{engine}"] = statistics.median(ratios)
            row[f"ratio_to_{engine}_max"] = max(ratios)
            row[f"ratio_to_{engine}_best"] = min(seconds) / min(times[peer.name])
        rows.append(row)
    return rows


def line(row):
    text = f"{row['map']:<16} {row['engine']:<26} {row['cells']:>8} {row['ns_per_cell']:>9.1f} {row['auto_ns_per_cell']:>7.2f}"
    for engine in OURS:
        figures = (1 / row[f"ratio_to_{engine}{kind}"] for kind in ("", "_max", "_best"))
        text += f"  {', '.join(f'{figure:.2f}' for figure in figures):>30}"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("--only", nargs="+", metavar="MAP", help="names of maps, such as open-1024; all if not given")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = target / "release" / "peers"
    if not program.exists():
        sys.exit(f"peers.py: {program} is missing; run `cargo build --release -p thalweg-benches` first")
    ours = Ours(program, arguments.side)
    peers = [Tcod(), Dijkstra3d(), ScikitImage(), ScikitImageMade(), ScikitFmm()]
    grids = [Map(raw) for raw in ours.ask(ask="maps")]
    if arguments.only:
        missing = set(arguments.only) - {grid.name for grid in grids}
        if missing:
            sys.exit(f"peers.py: there is no map {', '.join(sorted(missing))} among {', '.join(grid.name for grid in grids)}")
        grids = [grid for grid in grids if grid.name in arguments.only]
    rows = []
    print(
        f"{'map':<16} {'contestant':<26} {'cells':>8} {'ns/cell':>9} {'auto':>7}"
        + "".join(f"  {'÷ ' + engine + ': median, least, best':>30}" for engine in OURS)
    )
    for grid in grids:
        for row in measure(grid, peers, ours, arguments.rounds):
            print(line(row), flush=True)
            rows.append(row)
    print(
        "a figure of 5: the contestant takes five times as long as ours under its own rules; auto and dial: integration alone,"
        " pipeline: from costs to all directions; median of the rounds, the least of them, best by best"
    )
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
