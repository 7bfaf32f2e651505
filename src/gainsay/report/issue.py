"""A finding as the text of an issue, ready for the tracker of an engine: what happens, what should, how to see it."""

from __future__ import annotations

from gainsay.campaign.events import Finding
from gainsay.core import registry
from gainsay.report import script
from gainsay.report.markdown import is_ordered, side_by_side, sides
from gainsay.report.repro import blamed_seat


def title(finding: Finding) -> str:
    """What goes into the tracker's title."""
    _, _, rest = finding.called().partition(": ")
    kind, _, about = rest.partition(": ")
    words = {"logic": "Wrong result", "crash": "Crash", "hang": "Hang", "memory": "Runaway memory"}
    return f"{words.get(kind, kind.capitalize())}: {about}" if about else words.get(kind, kind.capitalize())


def text(finding: Finding, code: str | None = None) -> str:
    """Markdown as trackers take it. `code` stands in the script's place, where that is put there later."""
    code = script.text(finding).strip() if code is None else code
    seat = blamed_seat(finding)
    engine = registry.engine(finding.engine)
    said = script.outcome(finding)
    name = engine.title or engine.name
    lines = [f"### {title(finding)}", ""]
    lines += [f"{name} {finding.version}: the last question below {said}." if said else f"{finding.words}.", ""]
    lines += ["**To reproduce**", "", f"```{script.extension(finding)}", code, "```", ""]
    if finding.sides:
        names, left, right = sides(finding)
        both = side_by_side(left, right, names, is_ordered(finding))
        lines += ["**Both sides**", "", "```", *(row[4:] for row in both), "```", ""]
    if finding.detail:
        lines += ["**What it said**", "", "```", finding.detail[-1500:].strip(), "```", ""]
    lines += [f"**Why it must hold.** {finding.why}", ""]
    build = f", built with {', '.join(seat.build)}" if seat.build else ""
    lines += [f"**Version.** {name} {finding.version}{build}"]
    if finding.interval is not None and finding.interval.introduced:
        lines += [f"Seen {finding.interval.told()}."]
    if finding.opinion:
        lines += ["", f"{finding.opinion}."]
    return "\n".join(lines) + "\n"
