"""Serves the page of a hunt, live: read-only, under a path that nobody can guess, to who names the right host."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from gainsay.errors import EnvironmentProblem
from gainsay.report.page.following import Following

LOOK_S = 0.5
BEAT_S = 15.0  # a word now and then, so that who listens knows that somebody is there
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Hosts:
    """Lets through only who asks for a host that is ours: another site's script can't, whatever name it resolves."""

    def __init__(self, app: Any, allowed: frozenset[str]) -> None:
        self._app, self._allowed = app, allowed

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        named = next((value.decode("latin-1") for key, value in scope["headers"] if key == b"host"), "")
        is_ours = named.rpartition(":")[0] in self._allowed or named in self._allowed
        answer: Any = self._app if is_ours else PlainTextResponse("This host is not served here.\n", 421, HEADERS)
        await answer(scope, receive, send)


def application(following: Following, token: str, hosts: frozenset[str]) -> Any:
    """The page, its sections, and the word that they changed. There is nothing else, and no file is ever served."""
    base = f"/{token}"

    async def whole(_: Request) -> Response:
        following.step()
        return HTMLResponse(following.page(base), headers=HEADERS)

    async def sections(_: Request) -> Response:
        return HTMLResponse(following.sections(), headers=HEADERS)

    async def events(request: Request) -> Response:
        return StreamingResponse(told(request, following), media_type="text/event-stream", headers=HEADERS)

    routes = [Route(f"{base}/", whole), Route(f"{base}/sections", sections), Route(f"{base}/events", events)]
    return Hosts(Starlette(routes=routes, lifespan=watching(following)), hosts)


def watching(following: Following) -> Callable[[Any], Any]:
    """Looks at the journal as long as the page is served."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        async def watch() -> None:
            while True:
                following.step()
                await asyncio.sleep(LOOK_S)

        task = asyncio.create_task(watch())
        yield
        task.cancel()

    return lifespan


async def told(request: Request, following: Following) -> AsyncIterator[str]:
    """Say when there is something new."""
    seen, silent_s = following.version, 0.0
    yield "retry: 2000\n\n"
    while not await request.is_disconnected():
        if following.version != seen:
            seen, silent_s = following.version, 0.0
            yield f"event: renew\ndata: {seen}\n\n"
        elif silent_s >= BEAT_S:
            silent_s = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(LOOK_S)
        silent_s += LOOK_S


def bound(host: str, port: int) -> socket.socket:
    """A socket at an address of this machine."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise EnvironmentProblem(
            f"Port {port} of {host} can't be had: {error.strerror}. Choose another one with --port, or leave it out."
        ) from None
    return made


def serve(
    following: Following, token: str, at: socket.socket, hosts: frozenset[str], ready: Callable[[], None]
) -> None:
    """Serve until somebody ends it."""
    settings = uvicorn.Config(
        application(following, token, hosts), log_level="error", access_log=False, server_header=False,
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(settings)

    async def run() -> None:
        task: Awaitable[None] = asyncio.create_task(server.serve(sockets=[at]))
        while not server.started:
            await asyncio.sleep(0.02)
        ready()
        await task

    asyncio.run(run())
