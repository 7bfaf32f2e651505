"""How a solver's replies are read. A reply is never guessed at: what is not a verdict where one is due is a refusal."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gainsay.core.answer import Answer, Decision, Died, GaveUp, Refused, Rows

SOFT_S = 0.5  # asked of the solver itself, where it has such an option
WORDS: Mapping[str, str] = {"sat": "sat", "unsat": "unsat", "unknown": "unknown", "timeout": "unknown"}
TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|[()]')
INQUIRY = re.compile(r"\((get-[a-z-]+)")
OUT_OF_MEMORY = re.compile(
    r"out of memory|bad_alloc|memory (?:exhausted|limit|allocation)|max\. memory|memout|can ?not allocate|MemoryError",
    re.I,
)
OUT_OF_TIME = re.compile(r"\b(?:canceled|cancelled|timeout|timed out|interrupted|resource limit)\b", re.I)
INTERNAL = re.compile(
    r"assertion (?:violation|fail)|Assertion `|unexpected code|unreachable|internal (?:error|failure|bug)|fatal "
    r"failure|unhandled|segfault|"
    r"segmentation|invalid model|should (?:not|never) happen|terminate called|core dumped|please report",
    re.I,
)
UNSUPPORTED = re.compile(
    r"unsupported|not support|unimplemented|not (?:yet )?implemented|not enabled|not allowed|doesn't "
    r"include|unknown|undefined|undeclared|"
    r"not declared|not recogni[sz]ed|expected command|non-?linear|incremental",
    re.I,
)


class Ended(NamedTuple):
    """How a process ended, and what it had printed for the question it had before it."""

    code: int
    said: bytes
    is_late: bool


def how_ended(code: int) -> str:
    number = -code if code < 0 else code - 128
    try:
        return signal.Signals(number).name if number > 0 else f"exit status {code}"
    except ValueError:
        return f"exit status {code}"


def closing(said: str, start: int) -> int:
    """Where the list that begins here has its end; -1 if it has none."""
    depth = 0
    for token in TOKEN.finditer(said, start):
        if token[0] == "(":
            depth += 1
        elif token[0] == ")":
            depth -= 1
            if depth == 0:
                return token.end()
    return -1


def items(said: str) -> list[str]:
    """Verdicts, lists and `unsupported`, in their order; other lines are noise."""
    found, at = [], 0
    while at < len(said):
        line_end = said.find("\n", at)
        line_end = len(said) if line_end < 0 else line_end
        line = said[at:line_end].strip()
        if line.startswith("unknown ("):  # cvc5 adds the reason
            found.append("timeout" if OUT_OF_TIME.search(line) or "RESOURCEOUT" in line else "unknown")
        elif line in WORDS or line == "unsupported":
            found.append(line)
        elif line.startswith("("):
            start = said.index("(", at)
            end = closing(said, start)
            if end > 0:
                found.append(said[start:end])
                at = end
                continue
            if line.startswith("(error"):
                found.append(line)
        at = line_end + 1
    return found


def refusal(error: str) -> Answer:
    message = error.removeprefix("(error").strip().removesuffix(")").strip().removeprefix('"').removesuffix('"').strip()
    if OUT_OF_MEMORY.search(message):
        return GaveUp("memory")
    if INTERNAL.search(message):
        return Refused("internal", message)
    if OUT_OF_TIME.search(message):
        return GaveUp("timeout")
    return Refused("unsupported" if UNSUPPORTED.search(message) else "script", message)


def attached(text: str, verdict: str, after: Sequence[str]) -> tuple[str, str] | Answer:
    """Model and core: the replies to what was inquired after the last verdict.
    An error is no fault where there is nothing to tell."""
    inquiries = INQUIRY.findall(text, text.rindex("(check-sat"))
    model: list[str] = []
    core: list[str] = []
    for name, reply in zip(inquiries, after, strict=False):
        is_model = name in ("get-model", "get-value")
        is_due = verdict == ("sat" if is_model else "unsat")
        if reply.startswith("(error"):
            found = refusal(reply)
            if (
                isinstance(found, Refused)
                and found.kind != "internal"
                and not (is_due and (is_model or name == "get-unsat-core"))
            ):
                continue
            return found
        if is_due and (is_model or name == "get-unsat-core"):
            (model if is_model else core).append(reply)
    stray = next((r for r in after[len(inquiries) :] if r.startswith("(error")), None)
    return refusal(stray) if stray else ("\n".join(model), "\n".join(core))


def reading(text: str, reply: bytes, seconds: float) -> Answer:
    """What a reply means."""
    due = text.count("(check-sat")
    if due == 1 and reply in (b"sat\n", b"unsat\n") and "(get-" not in text:
        return Decision(reply[:-1].decode())
    if not due and not reply:
        return Rows([])
    said = reply.decode("utf-8", "replace")
    found = items(said)
    at = [i for i, item in enumerate(found) if item in WORDS]
    before = found[: at[-1]] if len(at) >= due > 0 else found
    error = next((item for item in before if item.startswith("(error")), None)
    if error is not None:
        return refusal(error)
    if before.count("unsupported") > text.count("(set-info"):
        return Refused("unsupported", "unsupported: a command or an option of the script")
    if not due:
        return Rows([])
    if len(at) != due:
        return missing(said, len(at), due)
    verdicts = [WORDS[found[i]] for i in at]
    if verdicts == ["unknown"]:
        return GaveUp("timeout" if seconds >= SOFT_S / 2 or found[at[0]] == "timeout" else "unknown")
    extra = attached(text, verdicts[-1], [item for item in found[at[-1] + 1 :] if item != "unsupported"])
    return Decision(" ".join(verdicts), *extra) if isinstance(extra, tuple) else extra


def missing(said: str, count: int, due: int) -> Answer:
    if OUT_OF_MEMORY.search(said):
        return GaveUp("memory")
    return Refused(
        "internal" if INTERNAL.search(said) else "script", f"{count} verdicts to {due} questions: {said.strip()[:300]}"
    )


def obituary(text: str, ended: Ended) -> Answer:
    """What it means that a process ended while it had this text before it."""
    said = ended.said.decode("utf-8", "replace")
    if ended.is_late:
        return GaveUp("timeout")
    if OUT_OF_MEMORY.search(said):
        return GaveUp("memory")
    # One that said what is wrong and then fell over it has refused.
    if any(item.startswith("(error") for item in items(said)) or (ended.code == 0 and "(exit)" in text):
        return reading(text, ended.said, 0.0)
    return Died("crash", how_ended(ended.code), said[-2000:])


def is_whole(text: str) -> bool:
    """Whether every list, text and quoted symbol has its end: else a solver would wait for more."""
    if text.count("(") == text.count(")") and not text.count('"') % 2 and not text.count("|") % 2:
        return True
    depth = 0
    for token in TOKEN.finditer(text):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth < 0:
            return False
    rest = TOKEN.sub("", text)
    return depth == 0 and '"' not in rest and "|" not in rest
