"""A process of one release starts processes of others: each gets the user's variables and its own, never its
parent's."""

from __future__ import annotations

import os

import pytest

from gainsay.campaign.seating import Room


def enter(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go on as the process that a room is made for."""
    inner = room.environment()
    for name in os.environ:
        if name not in inner:
            monkeypatch.delenv(name)
    for name, value in inner.items():
        monkeypatch.setenv(name, value)


def test_a_room_within_a_room_has_nothing_of_the_outer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/users/own")
    monkeypatch.setenv("KEPT", "yes")
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    alone = Room("", {"MODULE": ""}).environment()
    enter(Room("/old/release", {"LD_PRELOAD": "/old/lib.so", "KEPT": "no"}), monkeypatch)
    within = Room("", {"MODULE": ""}).environment()
    assert within == alone
    assert "/old/release" not in within["PYTHONPATH"]
    assert within["PYTHONPATH"].endswith("/users/own")


def test_a_third_room_is_as_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    second = Room("/b", {"LD_PRELOAD": "/b.so"})
    alone = second.environment()
    enter(Room("/a", {"LD_PRELOAD": "/a.so"}), monkeypatch)
    enter(second, monkeypatch)
    assert second.environment() == alone
    assert "LD_PRELOAD" not in Room("", {}).environment()
