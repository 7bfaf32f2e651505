"""`gainsay serve`: the page of a hunt that runs or is over, live, in a browser."""

from __future__ import annotations

import argparse
import contextlib
import re
import secrets
import subprocess
import sys
from pathlib import Path

from gainsay.cli import folders, parsing
from gainsay.cli.looking import hunts
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.triage import known

LOOPBACK = "127.0.0.1"
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,}")


def serve(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    host = arguments.host or LOOPBACK
    token = checked(arguments.token, host)
    try:
        from gainsay.report.page import server
    except ImportError as error:
        raise EnvironmentProblem(
            f"The package {error.name} is not installed. Run: pip install 'gainsay[serve]'"
        ) from None
    from gainsay.report.page.following import Following  # what it imports would make every hunt start later

    out = hunts(arguments)[0]
    following = Following(out, known.read(Path(known.FILE), folders.muted(out)))
    at = server.bound(host, parsing.number(arguments.port, "--port", least=0, most=65535))
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{at.getsockname()[1]}/{token}/"
    hosts = frozenset({host, shown, "localhost"})

    def ready() -> None:
        print(f"{out} is shown at {address}", flush=True)
        if sys.stdout.isatty():
            print("Ctrl-C ends this.", flush=True)

    with contextlib.suppress(KeyboardInterrupt):
        server.serve(following, token, at, hosts, ready)
    return 0


def checked(token: str | None, host: str) -> str:
    """The token in the address: one of ours, or one that the user made for others."""
    is_open = host not in (LOOPBACK, "::1", "localhost")
    if is_open and not token:
        raise UsageError(
            f"--host {host} shows the hunt to others: name a --token that they can't guess, of at least 16 letters and "
            "digits."
        )
    if token and not TOKEN.fullmatch(token):
        raise UsageError("--token: 16 letters, digits, - and _ at least.")
    return token or secrets.token_urlsafe(18)


class Page:
    """A page that is served by a process of its own while a hunt runs."""

    def __init__(self, out: Path) -> None:
        command = [sys.executable, "-m", "gainsay.cli.main", "serve", "--out", str(out)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def address(self) -> str:
        """What it says when it is there; why it is not, as an error."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            said = self._process.stderr.read().strip().removeprefix("gainsay: ")
            raise EnvironmentProblem(said or "The page can't be served.")
        return line.strip()

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
