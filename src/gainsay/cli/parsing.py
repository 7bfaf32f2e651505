"""Reads durations, sizes and numbers from the command line."""

from __future__ import annotations

import re

from gainsay.errors import UsageError

UNITS_S = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "ms": 0.001}
SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def duration(text: str, name: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|)", text.strip())
    seconds = float(match.group(1)) * UNITS_S[match.group(2)] if match else 0.0
    if seconds <= 0:
        raise UsageError(f"{name} {text}: not a duration. Write a positive number with s, m or h, such as {name} 60s.")
    return seconds


def number(text: str | None, name: str, least: int = 1, most: int = 1 << 62) -> int:
    """A whole number from `least` to `most`; 0 if nothing was given."""
    if text is None:
        return 0
    try:
        value = int(text)
    except ValueError:
        raise UsageError(f"{name} {text}: not a whole number.") from None
    if value < least:
        raise UsageError(f"{name} {text}: it must be {least} or more.")
    if value > most:
        raise UsageError(f"{name} {text}: it must be {most} or less.")
    return value


def size(text: str, name: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    found = int(float(match.group(1)) * SIZES[match.group(2).upper()]) if match else 0
    if found < 64 << 20:
        raise UsageError(f"{name} {text}: write a size of at least 64M, such as {name} 2G.")
    return found


def settings(pairs: list[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or "." not in key:
            raise UsageError(f"--set {pair}: write it as NAME.KEY=VALUE, such as --set sql.mix=small.")
        found[key] = value
    return found
