"""How long a user waits: `gainsay engines`, and the first check of a hunt, with an empty and a warm probe cache.

python tools/first_minutes.py [--source DIR]...    # sources of gainsay to compare, in turn; this checkout by default

The first check is there when the journal has its first line of progress. Clock and CPU seconds, of all processes.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gainsay.limits import own_cpu_seconds, tree

HERE = Path(__file__).resolve().parent.parent / "src"
HUNTS = ((), ("sqlite",), ("duckdb",))
PROGRESS = b'"type":"progress"'
PATIENCE_S = 300.0


def spent(pid: int, seen: dict[int, float]) -> float:
    """CPU seconds of a process and of all that it started, those that are gone as far as they were seen."""
    for each in tree(pid):
        try:
            seen[each] = own_cpu_seconds(each)
        except OSError:
            continue
    return sum(seen.values())


def journal_says(out: Path) -> bool:
    return any(PROGRESS in journal.read_bytes() for journal in out.rglob("journal*.jsonl"))


def waited(source: Path, cache: Path, words: tuple[str, ...], out: Path | None) -> tuple[float, float]:
    """Clock and CPU seconds until a command is over or, of a hunt into `out`, until its first check."""
    environment = dict(os.environ, PYTHONPATH=str(source), GAINSAY_CACHE=str(cache))
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "gainsay.cli.main", *words, *(("--out", str(out)) if out else ())],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    seen: dict[int, float] = {}
    while process.poll() is None and time.monotonic() - begun < PATIENCE_S:
        cpu = spent(process.pid, seen)
        if out and journal_says(out):
            break
        time.sleep(0.02)
    clock = time.monotonic() - begun
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        process.wait()
    return clock, cpu


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--source", type=Path, action="append", help="a folder that holds the package gainsay")
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        for round_ in range(given.rounds):
            for at, source in enumerate(given.source or [HERE]):
                cache = Path(room) / f"cache-{round_}-{at}"
                for state in ("empty", "warm"):
                    clock, cpu = waited(source, cache, ("engines",), None)
                    print(f"{source} {state:5}  engines            {clock:6.1f} s, CPU {cpu:6.1f} s", flush=True)
                    for targets in HUNTS:
                        out = Path(room) / f"{round_}-{at}-{state}-{'-'.join(targets) or 'all'}"
                        clock, cpu = waited(source, cache, ("hunt", *targets, "--for", "60s"), out)
                        name = f"hunt {' '.join(targets)}"
                        print(f"{source} {state:5}  {name:18} {clock:6.1f} s, CPU {cpu:6.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
