"""A seat in another process: opens sessions of one engine and answers over a pipe. Started as a script.

Frames are a length and a pickle. The pipe has file descriptors of its own: whatever an engine prints goes elsewhere.
"""

from __future__ import annotations

import functools
import os
import pickle
import struct
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.core.answer import Decision, Rows
from gainsay.core.engine import Engine, Session
from gainsay.core.plugins import complaints, loaded


def send(fd: int, message: object) -> None:
    data = pickle.dumps(message, protocol=4)
    data = struct.pack("<I", len(data)) + data
    while data:
        data = data[os.write(fd, data) :]


def exactly(fd: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(fd, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def receive(fd: int) -> Any:
    return pickle.loads(exactly(fd, struct.unpack("<I", exactly(fd, 4))[0]))


def packed(answer: Any) -> tuple[Any, ...]:
    """An answer as a tuple of its class's name and its fields."""
    return (type(answer).__name__, *(getattr(answer, name) for name in sorted(type(answer).__slots__)))


def described(engine: Engine, options: dict[str, str], is_brief: bool = False) -> tuple[Any, ...]:
    """What an engine is; briefly, its version only."""
    try:
        engine.prove(options)
        version = engine.version()
        if is_brief:
            return ("ok", version)
        build = tuple(engine.build())
        facts = dict(engine.facts(version, build))
        return ("ok", version, build, facts, unproved(engine, options, facts))
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        return ("error", type(error).__name__, str(error))


def unproved(engine: Engine, options: dict[str, str], facts: dict[str, tuple[str, str]]) -> dict[str, str]:
    """Documented facts that the engine itself denies: fact -> what it answers instead."""
    session = renewed(engine, None, (), options)
    denied = {}
    for name, (texts, expected) in engine.proofs.items():
        if not isinstance(texts, str):  # in an empty place, after some statements
            session = renewed(engine, session, (), options)
            for text in texts[:-1]:
                session.ask(text)
        answer = session.ask(texts if isinstance(texts, str) else texts[-1])
        said = repr(answer.rows) if isinstance(answer, (Rows, Decision)) else "refused"
        value = facts[name][0] if name in facts else ""
        # Then nothing that depends on it is drawn either
        is_missing = said == "refused" and "refused" not in expected.values()
        if value in expected and said != expected[value] and not is_missing:
            denied[name] = said
    session.close()
    return denied


def renewed(engine: Engine, session: Session | None, configs: Sequence[str], options: Mapping[str, str]) -> Session:
    """A fresh, empty session; a solver's process, which is dear, is emptied instead of ended where its session can do
    so."""
    if session is not None:
        if session.renew():
            return session
        session.close()
    opened = engine.open_session(configs, options)
    for said in wrong_with(type(opened)):
        raise RuntimeError(f"what open_session gives, {type(opened).__name__}, {said}.")
    return opened


@functools.cache
def wrong_with(session: type) -> tuple[str, ...]:
    """What is wrong with the class of a session."""
    return tuple(complaints(Session, session))


def serve(engine: Engine, source: int, sink: int) -> None:
    """Answer messages until the pipe ends: describe the engine, open a session, ask it."""
    session: Session | None = None
    while True:
        try:
            verb, *rest = receive(source)
        except EOFError:
            if session is not None:
                session.close()  # an engine's own processes end with us, and their CPU time is counted
            return
        if verb == "ask":
            assert session is not None, "who asks has opened a session"
            send(sink, packed(session.ask(rest[0])))
        elif verb == "open":
            try:
                session = renewed(engine, session, rest[0], rest[1])
                send(sink, ("ok",))
            except RuntimeError as error:  # a server that is gone, say
                send(sink, ("error", str(error)))
        elif verb == "sweep":
            try:
                engine.sweep(rest[0])
                send(sink, ("ok",))
            except (ImportError, OSError, RuntimeError) as error:
                send(sink, ("error", type(error).__name__, str(error)))
        elif verb in ("describe", "version"):
            send(sink, described(engine, rest[0], verb == "version"))


def main() -> None:
    name, source, sink, root, engine_dir = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
    # The engine's own folder first, then ours: an installed gainsay may stand beside other releases of the same engine.
    sys.path[:0] = [p for p in (engine_dir, root) if p]
    serve(loaded(name)(), source, sink)


if __name__ == "__main__":
    main()
