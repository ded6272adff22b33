"""Our engines beside Python libraries with compiled cores, interleaved in one run.

    python3.11 -m venv VENV && VENV/bin/pip install -r benches/requirements.txt
    cargo build --release -p thalweg-benches
    VENV/bin/python benches/peers.py [--rounds N] [--side CELLS] [--json FILE]

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

None makes directions, so that our integration alone is the fair counterpart. Every peer's answer is compared with
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
import skimage.graph
import tcod.path

ROOT = pathlib.Path(__file__).resolve().parent.parent


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

    def prepare(self, grid):
        """Everything that a program would do once per map; not timed."""

    def run(self):
        """One field, as an array."""


class Tcod(Peer):
    name = "tcod"
    profile = {"corner": "always", "charge": "depart", "scale": "10/14"}

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
    profile = {"corner": "always", "charge": "depart", "scale": "1/1"}

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
    profile = {"corner": "always", "charge": "mean", "scale": "408/577"}
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


def check(peer, grid, ours):
    """The number of reached cells; ends the program if a cell differs."""
    reply = ours.ask(ask="field", map=grid.name, engine="dial", **peer.profile)
    # The unit of a scale of 1/1 or 10/14 is what the peer counts in, too; square roots are in cells.
    unit = reply["unit"] if peer.tolerance else 1
    own = np.array([np.nan if cost is None else cost / unit for cost in reply["costs"]]).reshape(grid.costs.shape)
    theirs = np.asarray(peer.run(), dtype=np.float64)
    reached = peer.reached(theirs) & ~grid.wall
    if (reached != np.isfinite(own)).any():
        sys.exit(f"peers.py: {peer.name} reaches other cells than we do on {grid.name}")
    error = np.abs(theirs[reached] - own[reached])
    if (error > peer.tolerance * own[reached]).any():
        sys.exit(f"peers.py: {peer.name} differs from us by up to {error.max()} on {grid.name}")
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
    turns = {peer.name: max(1, round(0.002 / timed(peer.run, 1))) for peer in peers}
    times = {peer.name: [] for peer in peers}
    own = {(peer.name, engine): [] for peer in peers for engine in ("dial", "pipeline")}
    for turn in range(rounds):
        for place in range(len(peers)):
            # Another one begins in each round: none always follows the same one.
            peer = peers[(turn + place) % len(peers)]
            # Ours runs right before and after, under the peer's own rules.
            for engine in ("dial", "pipeline"):
                seconds = ours.ask(ask="time", map=grid.name, engine=engine, turns=4, **peer.profile)
                own[peer.name, engine].append(seconds)
            times[peer.name].append(timed(peer.run, turns[peer.name]))
    for peer in peers:
        ratios = {
            engine: [o / t for o, t in zip(own[peer.name, engine], times[peer.name])]
            for engine in ("dial", "pipeline")
        }
        per_cell = 1e9 / cells[peer.name]
        rows.append(
            {
                "map": grid.name,
                "engine": peer.name,
                "profile": " ".join(peer.profile.values()),
                "cells": cells[peer.name],
                "ns_per_cell": statistics.median(times[peer.name]) * per_cell,
                "dial_ns_per_cell": statistics.median(own[peer.name, "dial"]) * per_cell,
                "ratio_to_dial": statistics.median(ratios["dial"]),
                "ratio_to_dial_max": max(ratios["dial"]),
                "ratio_to_dial_best": min(own[peer.name, "dial"]) / min(times[peer.name]),
                "ratio_to_pipeline": statistics.median(ratios["pipeline"]),
            }
        )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--side", type=int, default=200)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = target / "release" / "peers"
    if not program.exists():
        sys.exit(f"peers.py: {program} is missing; run `cargo build --release -p thalweg-benches` first")
    ours = Ours(program, arguments.side)
    peers = [Tcod(), Dijkstra3d(), ScikitImage(), ScikitImageMade()]
    rows = []
    print(f"{'map':<16} {'contestant':<26} {'cells':>7} {'ns/cell':>9} {'dial':>7}  {'dial is':>9} {'at least':>9} {'best by best':>12} {'pipeline is':>12}")
    for grid in map(Map, ours.ask(ask="maps")):
        for row in measure(grid, peers, ours, arguments.rounds):
            print(
                f"{row['map']:<16} {row['engine']:<26} {row['cells']:>7} {row['ns_per_cell']:>9.1f}"
                f" {row['dial_ns_per_cell']:>7.1f}  {1 / row['ratio_to_dial']:>7.2f} × {1 / row['ratio_to_dial_max']:>7.2f} × {1 / row['ratio_to_dial_best']:>10.2f} ×"
                f" {1 / row['ratio_to_pipeline']:>10.2f} ×"
            )
            rows.append(row)
    print("`dial is 5 ×`: our buckets take a fifth of the contestant's time on the same graph (median; at least: worst round)")
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
