"""Who does the work: the processes of a Dask cluster, our own or the user's. A worker that dies loses no task: it is run again, elsewhere."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gainsay import __version__
from gainsay.errors import EnvironmentProblem, GainsayError
from gainsay.split import node

TRIES = 25  # a task is given up after so many workers died over it
ALONE_S = 60.0  # how long a cluster may have no worker at all
CONNECT_S = 15
FAILURES = 5  # for each worker, before we say that none can be started


def version() -> str:
    return __version__


class Crew:
    """Tasks out, outcomes back, in whatever order they come."""

    def __init__(self, client: Any, wanted: int, hands: Hands | None = None) -> None:
        self._client, self._hands = client, hands
        self.wanted = wanted  # workers that are there, or soon will be
        self._futures: dict[Any, tuple[str, node.Task]] = {}
        self._tries: dict[str, int] = {}
        self._count = 0
        self._alone_since: float | None = None

    @property
    def workers(self) -> int:
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    @property
    def running(self) -> int:
        return len(self._futures)

    def submit(self, name: str, task: node.Task) -> None:
        self._count += 1
        # The task travels whole to the scheduler, which hands it to another worker if the first one dies. Scattered data would die with its worker.
        future = self._client.submit(node.analyze, task, key=f"gainsay-{name}-{self._count}", pure=False)
        self._futures[future] = name, task

    def wait(self, seconds: float) -> Iterator[tuple[str, node.Outcome]]:
        """What has ended by now, or within so many seconds."""
        import distributed

        try:
            done = distributed.wait(list(self._futures), timeout=seconds, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            done = set()
        for future in done:
            name, task = self._futures.pop(future)
            outcome = self._outcome(future, name, task)
            if outcome is not None:
                yield name, outcome
        self._look()

    def _outcome(self, future: Any, name: str, task: node.Task) -> node.Outcome | None:
        """The outcome of a task; None if it was handed out again."""
        import distributed

        if future.status == "finished":
            try:
                found: node.Outcome = future.result(timeout=CONNECT_S)
                return found
            except (TimeoutError, distributed.client.FutureCancelledError):
                pass  # the worker died with the outcome
        elif future.status == "error":
            problem = future.exception()
            if isinstance(problem, GainsayError):
                raise problem
            if not isinstance(problem, distributed.KilledWorker):
                raise EnvironmentProblem(
                    f"A node of the cluster can't do its work: {type(problem).__name__}: {problem}. Is gainsay {__version__} installed there?"
                )
        self._tries[name] = self._tries.get(name, 0) + 1
        if self._tries[name] >= TRIES:
            return node.Outcome("crash", f"{TRIES} workers died over it", 0.0, 0.0, 0, [])
        self.submit(name, task)
        return None

    def _look(self) -> None:
        """Our own workers are replaced when they die. A cluster without workers would keep us waiting for ever."""
        if self._hands is not None:
            self._hands.replace_dead()
        if self._client.status != "running" or self.workers:
            self._alone_since = None
            if self._client.status == "closed":
                raise EnvironmentProblem("The cluster's scheduler is gone. What was done is kept: run the same command again.")
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > ALONE_S:
            raise EnvironmentProblem("The cluster has no worker any more. What was done is kept: start workers, then run the same command again.")


class Hands:
    """Worker processes of our own. They end with us, and whoever is killed is replaced."""

    def __init__(self, address: str, count: int) -> None:
        self._command = [
            *(sys.executable, "-I", "-S", "-c", node.LEASH, str(os.getpid())),
            *(sys.executable, "-m", "distributed.cli.dask_worker", address),
            *("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--death-timeout", "60"),
        ]
        self._failures = 0
        self._room = tempfile.TemporaryDirectory(prefix="gainsay-crew-")
        self._processes = [self._start() for _ in range(count)]

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*self._command, "--local-directory", self._room.name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def replace_dead(self) -> None:
        for n, process in enumerate(self._processes):
            if process.poll() is not None:
                self._failures += process.returncode >= 0  # by itself: nobody killed it
                if self._failures > FAILURES * len(self._processes):
                    raise EnvironmentProblem(
                        f"Workers of the local cluster end with code {process.returncode}. Is Dask whole? Try: pip install 'gainsay[split]'"
                    )
                self._processes[n] = self._start()

    def end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        self._room.cleanup()


@contextmanager
def hired(workers: int, address: str) -> Iterator[Crew]:
    """A local cluster of so many processes, or the user's cluster at an address."""
    try:
        import dask
        import distributed
    except ImportError:
        raise EnvironmentProblem("Dask is not installed, and it runs the parts. Install it: pip install 'gainsay[split]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set({"distributed.scheduler.allowed-failures": TRIES, "distributed.admin.large-graph-warning-threshold": "1TB"}):
        if address:
            with joined(address, distributed) as client:
                yield Crew(client, len(client.scheduler_info(n_workers=-1)["workers"]))
            return
        # Only the scheduler is Dask's own cluster: its nannies give up on a worker that is killed while it starts.
        with (
            distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL) as cluster,
            distributed.Client(cluster) as client,
        ):
            hands = Hands(cluster.scheduler_address, workers)
            try:
                yield Crew(client, workers, hands)
            finally:
                hands.end()


@contextmanager
def joined(address: str, distributed: Any) -> Iterator[Any]:
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
            others = {worker: found for worker, found in client.run(version, on_error="return").items() if found != __version__}
        except Exception as error:  # Dask hands on whatever a worker could not import
            others = {"a worker": error}
        if others:
            worker, found = next(iter(others.items()))
            raise EnvironmentProblem(f"{worker} has not gainsay {__version__} but {found}. Install it on every node: pip install 'gainsay[split]'")
        yield client
