"""Asks for the password of a server of the user's, where it wants one, none was given and somebody is there to type it.

It goes into the target's options, in memory: these are left out of all that is written or shown."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable
from urllib.parse import quote

import msgspec

from gainsay.campaign import probing
from gainsay.campaign.seating import HostedPlayer, check
from gainsay.core.model import Target
from gainsay.errors import EnvironmentProblem, NotLetIn

TRIES = 3
Prompt = Callable[[str], str]


def is_somebody_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def unlocked(target: Target, prompt: Prompt = getpass.getpass) -> Target:
    """The target, with the password that its server wants."""
    has_one = any(key == "password" for key, _ in target.options)
    if has_one or not probing.is_served(target) or "password" not in check(target).options or not is_somebody_there():
        return target
    found = target
    for _ in range(TRIES):
        why = refusal(found)
        if why is None:
            return found
        try:
            typed = prompt(f"The password for {target}: ")
        except EOFError:
            raise why from None
        if not typed:
            raise why
        found = msgspec.structs.replace(target, options=(*target.options, ("password", typed)))
    return found


def spelled(text: str, target: Target) -> str:
    """A target as the user wrote it, with the password that was typed: for what reads it again."""
    typed = dict(target.options).get("password", "")
    return text if "password=" in text or not typed else f"{text}&password={quote(typed, safe='')}"


def refusal(target: Target) -> NotLetIn | None:
    """Why the server does not let us in. What else is wrong with it is told by who starts it."""
    player = HostedPlayer(target)
    try:
        player.version()
    except NotLetIn as error:
        return error
    except EnvironmentProblem:
        return None
    finally:
        player.close()
    return None
