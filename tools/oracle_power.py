"""What sets of oracles find in the same CPU time of one worker, counted by causes.

python tools/oracle_power.py sqlite@3.28.0 --seed 201 --out /tmp/power --set reference --set norec+tlp

Each set is hunted with for --cpu seconds of its worker, all that it met is looked at, and `gainsay bench causes` holds
it on the releases of the ladder.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gainsay.limits import cpu_seconds, tree

LADDERS = {
    "sqlite": "3.25.2 3.26.0 3.28.0 3.29.0 3.30.1 3.31.1 3.32.0 3.34.0 3.38.2 3.46.1",
    "duckdb": "0.7.1 0.8.1 0.9.2 0.10.3 1.0.0 1.1.3 1.2.2 1.3.2 1.4.4",
}
SETS = ("norec+tlp", "plans", "twin", "norec+tlp+plans+twin")
ALL = "all"  # the oracles that a hunt chooses by itself
ENDLESS = "5000000"  # checks
GAINSAY = (sys.executable, "-m", "gainsay.cli.main")
WORKER = b"gainsay.campaign.worker"


def worker_s(pid: int, seen: dict[int, float]) -> float:
    """CPU seconds of all workers that a hunt had."""
    for each in tree(pid):
        try:
            if WORKER in Path(f"/proc/{each}/cmdline").read_bytes():
                seen[each] = cpu_seconds(each)
        except OSError:
            continue
    return sum(seen.values())


def last(text: str) -> Any:
    return json.loads(text.strip().splitlines()[-1])


def silent(*command: str) -> str:
    """What a command prints, without what it says on its way."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout


def hunted(words: Sequence[str], cpu_s: float) -> tuple[dict[str, Any], float, float]:
    """The summary of a hunt of so many CPU seconds, and those of its worker and of looking at what it met."""
    command = [*GAINSAY, *words, "--json", "--checks"]
    process = subprocess.Popen(
        [*command, ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, text=True
    )
    seen: dict[int, float] = {}
    while process.poll() is None and worker_s(process.pid, seen) < cpu_s:
        time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    first = last(process.communicate()[0])
    # Counted hunts look at everything that waits
    rest = last(silent(*command, "1"))
    return rest, sum(seen.values()), first["triage_s"] + rest["triage_s"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", help="sqlite@VERSION or duckdb@VERSION, one of the ladder's")
    parser.add_argument("--seed", type=int, default=201)
    parser.add_argument("--cpu", type=float, default=60.0)
    parser.add_argument("--set", action="append", metavar="NAME+NAME", help=f"oracles; '{ALL}' is what a hunt chooses")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    engine = given.target.partition("@")[0]
    ladder = [f"{engine}@{version}" for version in LADDERS[engine].split()]
    for names in given.set or SETS:
        out = given.out / f"{given.target}-{names}-{given.seed}"
        words = ["hunt", given.target, "--workers", "1", "--seed", str(given.seed), "--out", str(out)]
        words += [word for name in names.split("+") if name != ALL for word in ("--oracle", name)]
        words += [word for sibling in ladder for word in ("--sibling", sibling)]
        told, spent_s, triage_s = hunted(words, given.cpu)
        on = [word for each in ladder for word in ("--on", each)]
        causes = last(silent(*GAINSAY, "bench", "causes", str(out), "--json", *on))
        print(
            f"{given.target} {names}, seed {given.seed}: {told['checks']:,} checks in {spent_s:.0f} s, {told['raw']} "
            f"contradictions, {len(told['findings'])} findings ({triage_s:.0f} s); {causes['causes_met']} causes met, "
            f"{causes['causes_reported']} reported",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
