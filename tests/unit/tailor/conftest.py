from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gainsay.tailor.cache import Cache
from gainsay.tailor.evaluate import Laboratory, Tally
from tailor_standin import Standin


@pytest.fixture
def laboratory(tmp_path: Path) -> Callable[..., Laboratory]:
    def make(analyzer: Standin, folder: Path = tmp_path, workers: int = 1) -> Laboratory:
        stop = threading.Event()
        code = analyzer.prepare(Path("x.c"), folder, stop)
        return Laboratory(analyzer, "1", code, Cache(folder), threading.Semaphore(workers), stop, Tally())

    return make
