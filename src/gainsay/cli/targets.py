"""Reads the targets of a file in the form of GDsmith's config.json: "name@label" -> host, port, username, password,
restart-command; and database, which SQL servers have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.errors import UsageError, near

# A key of the file -> the option of a target.
KEYS: Mapping[str, str] = {
    "host": "host",
    "port": "port",
    "username": "username",
    "password": "password",
    "restart-command": "restart",
    "database": "database",
}
FORM = (
    'It has the form of GDsmith\'s config.json: {"neo4j@any label": {"host": "localhost", "port": 7687, "username": '
    '"...", "password": "..."}}.'
)


def targets(path: str) -> list[Target]:
    """The targets that a file names, in its order.
    What a message shows of it is never a value: those may be secrets."""
    try:
        text = Path(path).read_text("utf-8")
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}. {FORM}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} can't be read as text: {getattr(error, 'strerror', None) or 'it is not UTF-8'}. {FORM}"
        ) from None
    try:
        found = json.loads(text, object_pairs_hook=lambda pairs: once(path, pairs))
    except json.JSONDecodeError as error:
        raise UsageError(f"{path} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}.") from None
    if not isinstance(found, dict) or not found:
        raise UsageError(f"{path} names no targets. {FORM}")
    return [target(path, key, entry) for key, entry in found.items()]


def once(path: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(
            f"{path} has {twice!r} twice. Give each target a label of its own, as in neo4j@first and neo4j@second."
        )
    return dict(pairs)


def target(path: str, key: str, entry: Any) -> Target:
    """One entry. What stands behind the @ is free text, and no version: the server is asked for that."""
    name, _, label = key.partition("@")
    where = f"{path}: {key!r}"
    known = registry.table("gainsay.engines")
    if name not in known:
        servers = [engine for engine in known if "host" in registry.engine(engine).options]
        raise UsageError(
            f"{where} names no engine.{near(name, servers)} GDsmith's names are neo4j, redisgraph and memgraph."
        )
    if "host" not in registry.engine(name).options:
        raise UsageError(
            f"{where}: {name} has no server to connect to. Name it on the command line instead, as a target of its own."
        )
    if not isinstance(entry, dict):
        raise UsageError(f"{where} must be an object with host, port, username and password. {FORM}")
    for word in entry:
        if word not in KEYS:
            raise UsageError(f"{where} has a key {word!r} that means nothing.{near(word, KEYS)}")
    values = {word: spelled(where, word, value) for word, value in entry.items() if value is not None}
    options = {
        "host": values.get("host") or "localhost",
        **{KEYS[word]: value for word, value in values.items() if value},
    }
    return Target(name, options=(*([("name", label)] if label else []), *options.items()))


def spelled(where: str, word: str, value: Any) -> str:
    """A value as text. Only a port may be a number."""
    if word == "port":
        number = str(value).strip()
        if isinstance(value, (bool, float)) or not number.isdecimal() or not 0 < int(number) < 65536:
            raise UsageError(f"{where}: the port must be a number from 1 to 65535.")
        return str(int(number))
    if not isinstance(value, str):
        raise UsageError(f"{where}: the value of {word!r} must be text in quotes.")
    return value
