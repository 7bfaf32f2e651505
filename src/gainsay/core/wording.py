"""Words for people that several reports need."""

from __future__ import annotations


def counted(count: int, noun: str, zero: str = "") -> str:
    """'1 row', '2 rows', '1,024 rows'; `zero`: what stands for 0."""
    return f"{zero if not count and zero else format(count, ',')} {noun}{'' if count == 1 else 's'}"
