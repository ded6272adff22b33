"""Our crowd beside crowd libraries with compiled cores, one thread each, in turns.

    python3.11 -m venv VENV && VENV/bin/pip install -r benches/crowd_requirements.txt
    cargo build --release -p thalweg-cli
    VENV/bin/python benches/crowd_peers.py [--rounds N] [--agents N…] [--json FILE]

Our side is `thalweg bench crowd --json --threads 1`: agents that read their way from four flow fields over a map of
1024 x 1024 cells of half a metre with scattered walls, keep apart by separation, and are swept so that nobody enters a
wall. The peers get the same crowd on open ground without any wall, which is cheaper for them: the same number of agents
at the same density in a square block, radius 0.25 m, four groups mixed at random that go four ways at 1 to 1.5 m/s, the
same tick, and as many ticks before any is timed.

- RVO2 (wheel `pyrvo`): optimal reciprocal collision avoidance, a k-d tree in each step. Preferred velocities are set once,
  so that Python has no part in a step.
- JuPedSim (wheel `jupedsim`): its collision-free speed model. Agents steer straight to a far point (direct steering), so that
  no way is searched. Its neighbours are all within a distance of its own, so that the cap does not apply.

Neighbours are the same in two ways, and both are told:

- *reach*: RVO2 looks as far as our agents do by default: both bodies' radii and 0.2 m.
- *minded*: ours looks as far as RVO2 is given here (`--reach`, 1.5 m between centres), where both find as many as the cap
  allows.

All are timed by the processor time of the thread, which other programs lengthen less than the time of the clock. Where the
system does not tell it for ours (other than Linux), the median tick by the clock counts.
"""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

# Before the libraries are loaded: each may use one thread.
os.environ["OMP_NUM_THREADS"] = "1"

import jupedsim
import pyrvo

ROOT = pathlib.Path(__file__).resolve().parent.parent
RADIUS = 0.25
SPEEDS = (1.0, 1.5)
DIRECTIONS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
# What our agents look beyond contact by default: 0.4 cells of half a metre.
LOOK_AHEAD = 0.2
HORIZON = 2.0


def places(agents, density):
    """Places, directions and speeds: a square lattice, each up to a tenth of the distance off its place."""
    draw = random.Random(1)
    apart = 1.0 / math.sqrt(density)
    shake = min(0.1 * apart, max(0.0, 0.5 * apart - RADIUS))
    columns = math.ceil(math.sqrt(agents))
    for agent in range(agents):
        row, column = divmod(agent, columns)
        place = [(index + 0.5) * apart + draw.uniform(-shake, shake) for index in (column, row)]
        yield place, draw.choice(DIRECTIONS), draw.uniform(*SPEEDS)


class Rvo2:
    name = "RVO2"

    def __init__(self, agents, density, neighbours, reach, dt):
        self.simulator = pyrvo.RVOSimulator()
        self.simulator.set_time_step(dt)
        self.simulator.set_agent_defaults(reach, neighbours, HORIZON, HORIZON, RADIUS, SPEEDS[1], (0.0, 0.0))
        crowd = list(places(agents, density))
        for place, _, _ in crowd:
            self.simulator.add_agent(tuple(place))
        for agent, (_, (x, y), speed) in enumerate(crowd):
            self.simulator.set_agent_pref_velocity(agent, (x * speed, y * speed))
        self.agents = agents

    def step(self):
        self.simulator.do_step()

    def minded(self):
        """How many others an agent minds."""
        counts = (self.simulator.get_agent_num_agent_neighbors(agent) for agent in range(self.agents))
        return sum(counts) / self.agents


class JuPedSim:
    name = "JuPedSim"

    def __init__(self, agents, density, dt):
        side = math.ceil(math.sqrt(agents)) / math.sqrt(density)
        margin = 50.0
        low, high = -margin, side + margin
        self.simulation = jupedsim.Simulation(
            model=jupedsim.CollisionFreeSpeedModel(),
            geometry=[(low, low), (high, low), (high, high), (low, high)],
            dt=dt,
        )
        stage = self.simulation.add_direct_steering_stage()
        journey = self.simulation.add_journey(jupedsim.JourneyDescription([stage]))
        for place, (x, y), speed in places(agents, density):
            agent = self.simulation.add_agent(
                jupedsim.CollisionFreeSpeedModelAgentParameters(
                    position=tuple(place), journey_id=journey, stage_id=stage, radius=RADIUS, desired_speed=speed
                )
            )
            # Inside the area, at its rim, straight ahead.
            ahead = [
                high - 1.0 if way > 0.0 else low + 1.0 if way < 0.0 else along for way, along in zip((x, y), place)
            ]
            self.simulation.agent(agent).target = tuple(ahead)

    def step(self):
        self.simulation.iterate(1)

    def minded(self):
        return None


class Ours:
    """`thalweg bench crowd`, one row."""

    def __init__(self, program, arguments):
        self.program = program
        self.arguments = arguments

    def measure(self, agents, neighbours, look_ahead):
        given = self.arguments
        words = ["bench", "crowd", "--json", "--threads", "1", "--rounds", "1", "--scenes", given.scene]
        words += ["--agents", agents, "--ticks", given.ticks, "--warm", given.warm, "--density", given.density]
        words += ["--neighbours", neighbours, "--dt", given.dt, "--avoidance", given.avoidance]
        if look_ahead is not None:
            words += ["--look-ahead", look_ahead]
        run = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"crowd_peers.py: {run.stderr.strip()}")
        return json.loads(run.stdout)["rows"][0]


def timed(peer, agents, ticks):
    """Nanoseconds of the processor per agent and step, over so many ticks."""
    start = time.process_time()
    for _ in range(ticks):
        peer.step()
    return (time.process_time() - start) * 1e9 / agents / ticks


def compare(make, agents, neighbours, look_ahead, pairing, ours, arguments):
    peer = make()
    for _ in range(arguments.warm):
        peer.step()
    theirs, own = [], []
    minded = None
    for _ in range(arguments.rounds):
        row = ours.measure(agents, neighbours, look_ahead)
        own.append(row.get("processor_ns_per_agent_step", row["ns_per_agent_step"]))
        minded = row["neighbours_mean"]
        theirs.append(timed(peer, agents, arguments.peer_ticks))
    ratios = [peers / ns for peers, ns in zip(theirs, own)]
    return {
        "peer": peer.name,
        "agents": agents,
        "neighbours": neighbours,
        "pairing": pairing,
        "minded": minded,
        "peer_minded": peer.minded(),
        "ns_per_agent_step": statistics.median(own),
        "ns_per_agent_step_min": min(own),
        "peer_ns_per_agent_step": statistics.median(theirs),
        "peer_ns_per_agent_step_min": min(theirs),
        "ratio_to_ours": statistics.median(ratios),
        "ratio_to_ours_least": min(ratios),
        "ratio_to_ours_best": min(theirs) / min(own),
    }


def line(row):
    minded = "-" if row["peer_minded"] is None else f"{row['peer_minded']:.2f}"
    figures = ("ratio_to_ours", "ratio_to_ours_least", "ratio_to_ours_best")
    ratios = ", ".join(f"{row[figure]:.2f}" for figure in figures)
    return (
        f"{row['peer']:<9} {row['agents']:>7} {row['neighbours']:>4} {row['pairing']:<7} {row['minded']:>6.2f} {minded:>6}"
        f" {row['ns_per_agent_step']:>8.0f} {row['ns_per_agent_step_min']:>8.0f}"
        f" {row['peer_ns_per_agent_step']:>8.0f} {row['peer_ns_per_agent_step_min']:>8.0f}  {ratios:>20}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--agents", type=int, nargs="+", default=[20_000, 100_000], metavar="N", help="beside RVO2")
    parser.add_argument(
        "--jupedsim-agents", type=int, nargs="*", default=[2_000, 20_000], metavar="N", help="beside JuPedSim; may be none"
    )
    parser.add_argument("--neighbours", type=int, nargs="+", default=[8, 10], metavar="N", help="caps on neighbours")
    parser.add_argument("--reach", type=float, default=1.5, metavar="METRES", help="between centres, in the pairing minded")
    parser.add_argument("--density", type=float, default=2.0, metavar="D", help="agents per square metre")
    parser.add_argument("--dt", type=float, default=1.0 / 60.0, metavar="SECONDS")
    parser.add_argument("--warm", type=int, default=60, metavar="N", help="ticks before any is timed")
    parser.add_argument("--ticks", type=int, default=30, metavar="N", help="our ticks of a turn")
    parser.add_argument("--peer-ticks", type=int, default=5, metavar="N", help="a peer's ticks of a turn")
    parser.add_argument("--scene", default="open", help="our scene: open or dense")
    parser.add_argument("--avoidance", default="separation", help="ours: separation or velocity-obstacles")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = target / "release" / "thalweg"
    if not program.exists():
        sys.exit(f"crowd_peers.py: {program} is missing; run `cargo build --release -p thalweg-cli` first")
    ours = Ours(program, arguments)
    density, dt = arguments.density, arguments.dt
    look_aheads = {"reach": LOOK_AHEAD, "minded": arguments.reach - 2.0 * RADIUS}

    print(
        f"{'peer':<9} {'agents':>7} {'cap':>4} {'pairing':<7} {'minded':>6} {'peer':>6}"
        f" {'ours ns':>8} {'least':>8} {'peer ns':>8} {'least':>8}  {'ratio, least, best':>20}"
    )
    rows = []

    def tell(row):
        print(line(row), flush=True)
        rows.append(row)

    for agents in arguments.agents:
        for neighbours in arguments.neighbours:
            for pairing, look_ahead in look_aheads.items():
                reach = 2.0 * RADIUS + look_ahead
                make = lambda: Rvo2(agents, density, neighbours, reach, dt)
                tell(compare(make, agents, neighbours, look_ahead, pairing, ours, arguments))
    for agents in arguments.jupedsim_agents:
        for pairing, look_ahead in look_aheads.items():
            make = lambda: JuPedSim(agents, density, dt)
            tell(compare(make, agents, arguments.neighbours[0], look_ahead, pairing, ours, arguments))
    print(
        "a ratio of 5: the peer takes five times as long per agent and step; median of the rounds, the least of them, best by best"
    )
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
