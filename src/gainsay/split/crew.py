"""Who does the work: the processes of a Dask cluster, our own or the user's.
A worker that dies loses no task: it is run again, elsewhere."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gainsay import __version__
from gainsay.errors import EnvironmentProblem, GainsayError
from gainsay.split import node

TRIES = 25  # a task is given up after so many workers died over it
ALONE_S = 60.0  # how long a cluster may have no scheduler or no worker
LOOK_S = 0.05
HERE = "127.0.0.1"  # our own cluster is nobody else's
CONNECT_S = 15
FAILURES = 5  # for each worker, before we say that none can be started

# A worker dies with us, whatever becomes of us.
LEASH = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""


def version() -> str:
    return __version__


class Crew:
    """Tasks out, outcomes back, in whatever order they come."""

    def __init__(self, client: Any, wanted: int = 0, hands: Hands | None = None) -> None:
        self._client, self._hands = client, hands
        self._wanted = wanted
        self._futures: dict[Any, tuple[str, node.Task, int]] = {}
        self._mine = uuid.uuid4().hex[:12]  # names of tasks are the scheduler's, and it may have other users
        self._count = 0
        self._bad_since: float | None = None

    @property
    def wanted(self) -> int:
        """Tasks that can run at once: workers that are there, or soon will be. None while the scheduler is away."""
        if not self._is_up:
            return 0
        return self._wanted or max(1, sum(worker["nthreads"] for worker in self._workers.values()))

    @property
    def _is_up(self) -> bool:
        return bool(self._client.status == "running")

    @property
    def _workers(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError, RuntimeError):
            return {}  # the connection has just broken; the next look will tell
        return found

    @property
    def memory(self) -> int:
        """What each task may use of the worker that has least; 0 if no worker says."""
        limits = [worker.get("memory_limit") or 0 for worker in self._workers.values()]
        shares = [
            limit // worker["nthreads"] for limit, worker in zip(limits, self._workers.values(), strict=False) if limit
        ]
        return min(shares, default=0)

    @property
    def running(self) -> int:
        return len(self._futures)

    def submit(self, name: str, task: node.Task, tries: int = 0) -> None:
        self._count += 1
        # The task travels whole to the scheduler, which hands it to another worker if the first one dies. Scattered
        # data would die with its worker.
        future = self._client.submit(node.analyze, task, key=f"gainsay-{self._mine}-{self._count}-{name}", pure=False)
        self._futures[future] = name, task, tries
        if self._hands is not None:
            self._hands.grow(len(self._futures))

    def wait(self, seconds: float) -> Iterator[tuple[str, node.Outcome]]:
        """What has ended by now, or within so many seconds."""
        deadline = time.monotonic() + seconds
        done: list[Any] = []
        while not done and time.monotonic() < deadline:
            done = [future for future in self._futures if future.status != "pending"]
            if not done:
                time.sleep(LOOK_S)
        self._look()
        for future in done if self._is_up else ():
            name, task, tries = self._futures.pop(future)
            outcome = self._outcome(future)
            if outcome is not None:
                yield name, outcome
            elif tries + 1 >= TRIES:
                yield name, node.Outcome("crash", f"{TRIES} workers died over it", 0.0, 0.0, 0, [])
            else:
                self.submit(name, task, tries + 1)

    def _outcome(self, future: Any) -> node.Outcome | None:
        """The outcome of a task; None if its worker died, or somebody cancelled it."""
        import distributed

        if future.status == "error":
            problem = future.exception()
            if isinstance(problem, GainsayError):
                raise problem
            if not isinstance(problem, distributed.KilledWorker):
                raise EnvironmentProblem(
                    f"A node of the cluster can't do its work: {type(problem).__name__}: {problem}. Is gainsay "
                    f"{__version__} installed there?"
                )
        if future.status != "finished":
            return None
        try:
            found: node.Outcome = future.result(timeout=CONNECT_S)
            return found
        except (TimeoutError, OSError, distributed.client.FutureCancelledError):
            return None  # the worker died with the outcome

    def _look(self) -> None:
        """Our own workers are replaced when they die. Without a scheduler or a worker we would wait for ever."""
        if self._hands is not None:
            self._hands.replace_dead()
        gone = "its scheduler is gone" if not self._is_up else "" if self._workers else "it has no worker"
        if not gone:
            self._bad_since = None
        elif self._bad_since is None:
            self._bad_since = time.monotonic()
        elif time.monotonic() - self._bad_since > ALONE_S:
            raise EnvironmentProblem(
                f"The cluster can't go on: {gone}. Parts that are done are kept: run the same command again."
            )


class Hands:
    """Worker processes of our own, as many as there are tasks and the user allows.
    They end with us, and whoever is killed is replaced."""

    def __init__(self, address: str, most: int) -> None:
        self._command = [
            *(sys.executable, "-I", "-S", "-c", LEASH, str(os.getpid())),
            # -P: the folder in which the user stands may have a package of any name.
            *(
                sys.executable,
                "-P",
                "-m",
                "distributed.cli.dask_worker",
                address,
                "--host",
                HERE,
                "--dashboard-address",
                f"{HERE}:0",
            ),
            *("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--death-timeout", "60"),
        ]
        self._failures = 0
        self._room = tempfile.TemporaryDirectory(prefix="gainsay-crew-")
        self._most = most
        self._processes: list[subprocess.Popen[bytes]] = []

    def grow(self, tasks: int) -> None:
        """Have a process for each task, up to the most."""
        while len(self._processes) < min(self._most, tasks):
            self._processes.append(self._start())

    def _start(self) -> subprocess.Popen[bytes]:
        command = [*self._command, "--local-directory", self._room.name]
        room = {**os.environ, "TMPDIR": self._room.name}  # parts lie there, so that nothing is left behind
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=room
        )

    def replace_dead(self) -> None:
        for n, process in enumerate(self._processes):
            if process.poll() is not None:
                self._failures += process.returncode >= 0  # by itself: nobody killed it
                if self._failures > FAILURES * len(self._processes):
                    raise EnvironmentProblem(
                        f"Workers of the local cluster end with code {process.returncode}. Is Dask whole? Try: pip "
                        "install 'gainsay[split]'"
                    )
                self._processes[n] = self._start()

    def end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        self._room.cleanup()


@contextmanager
def quiet() -> Iterator[None]:
    """Dask logs each connection that breaks. What counts of it, we say ourselves."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def hired(workers: int, address: str) -> Iterator[Crew]:
    """A local cluster of so many processes, or the user's cluster at an address."""
    try:
        import dask
        import distributed
    except ImportError:
        raise EnvironmentProblem(
            "Dask is not installed, and it runs the parts. Install it: pip install 'gainsay[split]'"
        ) from None
    with (
        quiet(),
        dask.config.set(
            {"distributed.scheduler.allowed-failures": TRIES, "distributed.admin.large-graph-warning-threshold": "1TB"}
        ),
    ):
        if address:
            with joined(address, distributed) as client:
                yield Crew(client)
            return
        # Only the scheduler is Dask's own cluster: its nannies give up on a worker that is killed while it starts.
        with (
            distributed.LocalCluster(
                n_workers=0, host=HERE, dashboard_address=f"{HERE}:0", silence_logs=logging.CRITICAL
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            hands = Hands(cluster.scheduler_address, workers)
            try:
                yield Crew(client, workers, hands)
            finally:
                hands.end()


@contextmanager
def joined(address: str, distributed: Any) -> Iterator[Any]:
    """A client of the user's own cluster, whose workers must have gainsay in our version."""
    try:
        client = distributed.Client(address, timeout=CONNECT_S)
    except (OSError, ValueError, TimeoutError, TypeError, RuntimeError) as error:
        raise EnvironmentProblem(
            f"No cluster answers at {address}: {str(error).splitlines()[0] if str(error) else type(error).__name__}. "
            "Write the scheduler's address, such as tcp://HOST:8786, or leave --cluster out."
        ) from None
    with client:
        if not client.scheduler_info(n_workers=-1)["workers"]:
            raise EnvironmentProblem(f"The cluster at {address} has no workers. Start some: dask worker {address}")
        try:
            others = {
                worker: found
                for worker, found in client.run(version, on_error="return").items()
                if found != __version__
            }
        except Exception as error:  # Dask hands on whatever a worker could not import
            others = {"a worker": error}
        if others:
            worker, found = next(iter(others.items()))
            raise EnvironmentProblem(
                f"{worker} has not gainsay {__version__} but {found}. Install it on every node: pip install "
                "'gainsay[split]'"
            )
        yield client
