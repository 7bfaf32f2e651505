"""Write a suite of small web programs into a folder, of which it is known which ones let a request's data reach a
dangerous call.

    python tools/taint_suite.py DEST [--tests 240] [--helpers 24] [--seed 0]

makes
    DEST/cases/case_001.py ...            one request handler each, with one dangerous call (the sink)
DEST/helpers/helper_01.py ...         what the cases share: functions that read a request, pass a value on, or hold a
sink
DEST/expected.json                    case -> whether it is vulnerable, Pysa's rule and the CWE, the sink's line, the
helpers' depth

In the manner of OWASP's Benchmark: what is right is known by construction. A case is a chain of a source, functions
that a value goes through, and a sink. It is vulnerable, that is, what the client sent reaches the dangerous argument,
unless one link of the chain is clean: a function that returns a constant, a sink that does not use the value, and so
on. Sources and sinks are ones that Pysa's own models know. The first half of the helpers stands alone (depth 1); each
function of the others calls one of them (depth 2), so an analyzer that lacks a file lacks a link. The same arguments
write the same bytes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

VULNERABLE = 0.6  # of the cases
ALONE = 0.1  # of the cases use no helper


@dataclass(frozen=True)
class Sink:
    """A dangerous call with a str in {0}."""

    rule: int
    cwe: int
    module: str  # to import; empty for a builtin
    call: str


@dataclass(frozen=True)
class Link:
    """A helper's function. {0} of its body is the one argument, or the call of another link with it."""

    role: str  # "source", "through" or "sink"
    is_clean: bool  # what goes in does not come out, or does no harm
    module: str
    name: str
    depth: int
    sink: Sink | None = None


SINKS = (
    Sink(5001, 78, "os", "os.system({0})"),
    Sink(5001, 78, "os", "os.popen({0})"),
    Sink(5001, 78, "subprocess", "subprocess.getoutput({0})"),
    Sink(5001, 95, "", "eval({0})"),
    Sink(6065, 88, "subprocess", "subprocess.run({0}, check=False)"),
    Sink(6065, 88, "subprocess", 'subprocess.check_output(["ls", {0}])'),
    Sink(5005, 89, "sqlite3", 'sqlite3.connect(":memory:").execute({0})'),
    Sink(5011, 22, "", "open({0})"),
    Sink(5011, 22, "gzip", "gzip.open({0})"),
    Sink(6066, 502, "pickle", "pickle.loads({0}.encode())"),
    Sink(5007, 611, "xml.dom.minidom", "xml.dom.minidom.parseString({0})"),
    Sink(6064, 470, "importlib", "importlib.import_module({0})"),
)
SAFE_SINKS = (
    Sink(5005, 89, "sqlite3", 'sqlite3.connect(":memory:").execute("SELECT ?", ({0},))'),
    Sink(6065, 88, "subprocess", 'subprocess.run(["date"], check=False, timeout=len({0}))'),
    Sink(5001, 78, "os", 'os.system("true") if {0} else None'),
)

# Of a request that a handler, {0}, has at hand: what the client sent, and what it did not.
SOURCES = (
    "{0}.path",
    "{0}.requestline",
    '{0}.headers["Referer"]',
    '{0}.headers["User-Agent"]',
    "{0}.rfile.readline().decode()",
)
SAFE_SOURCES = ('"index.html"', "{0}.server_version", "str(len({0}.path))")

PASSING = (
    ("return {0}",),
    ("return {0}.strip()",),
    ('return f"[{{{0}}}]"',),
    ('return " ".join(["--", {0}])',),
    ("first = {0}", 'return first + "/"'),
    ('kept = {{"value": {0}, "other": "x"}}', 'return kept["value"]'),
    ('pair = ("x", {0})', "return pair[1]"),
    ("parts = []", "parts.append({0})", 'return ",".join(parts)'),
    ("for letter in {0}.split():", "    return letter", 'return "none"'),
    ("return Box({0}).content",),
)
CLEANING = (
    ("value = {0}", 'return "fixed"'),
    ("return str(len({0}))",),
    ("value = {0}", 'return "long" if len(value) > 9 else "short"'),
    ('return KNOWN.get({0}, "none")',),
    ('kept = {{"value": {0}, "other": "x"}}', 'return kept["other"]'),
    ('pair = ("x", {0})', "return pair[0]"),
    ("value = {0}", "value = str(len(value))", "return value"),
    ("box = Box({0})", 'box.content = "empty"', "return box.content"),
)
# Clean too, but only for one who follows values, not taint: these make the false alarms that every taint analysis has.
HARD = (
    ("value = {0}", 'return value if value in KNOWN else "none"'),
    ("return str(int({0}))",),
    ('parts = ["x", {0}]', "parts.reverse()", "return parts[1]"),
)
HARD_SHARE = 0.1  # of what cleans

HELPER_HEAD = '''"""Shared by the cases."""

from __future__ import annotations

{imports}

KNOWN = {{"a": "alpha", "b": "beta"}}


class Box:
    def __init__(self, content: str) -> None:
        self.content = content
'''
CASE = '''"""{name}"""

from __future__ import annotations

{imports}


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
{body}
        self.send_response(200)
'''
HANDLER = "from http.server import BaseHTTPRequestHandler"


def indented(lines: Sequence[str], depth: int) -> str:
    return "\n".join("    " * depth + line for line in lines)


def importing(modules: Sequence[str], links: Sequence[Link], *more: str) -> str:
    plain = {f"import {module}" for module in modules if module}
    return "\n".join(
        [*sorted(plain), *sorted({f"from helpers.{link.module} import {link.name}" for link in links} | set(more))]
    )


def inner(random: Random, role: str, is_clean: bool, module: str, number: int) -> tuple[Link, str, list[str]]:
    """A function that calls no other helper: what it is, its text, and what it imports."""
    name = f"{role}_{number:02}"
    if role == "source":
        expression = random.choice(SAFE_SOURCES if is_clean else SOURCES).format("page")
        text = f"def {name}(page: BaseHTTPRequestHandler) -> str:\n    return {expression}\n"
        return Link(role, is_clean, module, name, 1), text, []
    if role == "through":
        choices = PASSING if not is_clean else HARD if random.random() < HARD_SHARE else CLEANING
        body = [line.format("given") for line in random.choice(choices)]
        return Link(role, is_clean, module, name, 1), f"def {name}(given: str) -> str:\n{indented(body, 1)}\n", []
    sink = random.choice(SAFE_SINKS if is_clean else SINKS)
    text = f"def {name}(given: str) -> None:\n    {sink.call.format('given')}\n"
    return Link(role, is_clean, module, name, 1, sink), text, [sink.module]


def outer(random: Random, link: Link, module: str, number: int) -> tuple[Link, str]:
    """A function that calls another helper's, and is therefore as clean as that one."""
    name = f"{link.role}_{number:02}"
    argument = "page: BaseHTTPRequestHandler" if link.role == "source" else "given: str"
    call = f"{link.name}({argument.partition(':')[0]})"
    body = (
        [call]
        if link.role == "sink"
        else [line.format("value") for line in ("value = " + call, *random.choice(PASSING))]
    )
    text = f"def {name}({argument}) -> {'None' if link.role == 'sink' else 'str'}:\n{indented(body, 1)}\n"
    return Link(link.role, link.is_clean, module, name, 2, link.sink), text


def helpers(random: Random, count: int) -> tuple[dict[str, str], list[Link]]:
    """Helper modules and their functions. Each module has every role, clean and not."""
    texts: dict[str, str] = {}
    links: list[Link] = []
    roles = [(role, is_clean) for role in ("source", "through", "through", "sink") for is_clean in (False, True)]
    for place in range(count):
        module = f"helper_{place + 1:02}"
        functions, imports, called = [], [], []
        below = [link for link in links if link.depth == 1]
        for number, (role, is_clean) in enumerate(roles, place * len(roles) + 1):
            if place < (count + 1) // 2:
                link, text, modules = inner(random, role, is_clean, module, number)
                imports += modules
            else:
                under = random.choice([link for link in below if (link.role, link.is_clean) == (role, is_clean)])
                link, text = outer(random, under, module, number)
                called.append(under)
            functions.append(text)
            links.append(link)
        head = HELPER_HEAD.format(imports=importing(imports, called, HANDLER))
        texts[f"helpers/{module}.py"] = "\n\n".join([head, *functions])
    return texts, links


def case(random: Random, name: str, links: Sequence[Link], is_vulnerable: bool) -> tuple[str, dict[str, object]]:
    """One handler: its text, and what is right."""
    roles = ["through"] if random.random() >= ALONE else []
    roles += [role for role in ("source", "sink") if roles and random.random() < 0.25]
    clean = random.choice(roles) if roles and not is_vulnerable else ""
    picked = {
        role: random.choice([link for link in links if link.role == role and link.is_clean == (role == clean)])
        for role in roles
    }
    is_shut = not is_vulnerable and not roles
    source = (
        f"{picked['source'].name}(self)"
        if "source" in picked
        else random.choice(SAFE_SOURCES if is_shut else SOURCES).format("self")
    )
    body = [f"value = {source}"]
    if "through" in picked:
        body.append(f"value = {picked['through'].name}(value)")
    sink = (picked["sink"].sink if "sink" in picked else None) or random.choice(SINKS)
    body.append(f"{picked['sink'].name}(value)" if "sink" in picked else sink.call.format("value"))
    imports = importing(["" if "sink" in picked else sink.module], list(picked.values()), HANDLER)
    text = CASE.format(name=name, imports=imports, body=indented(body, 2))
    line = text[: text.index("        " + body[-1])].count("\n") + 1
    depth = max((link.depth for link in picked.values()), default=0)
    return text, {"vulnerable": is_vulnerable, "rule": str(sink.rule), "cwe": sink.cwe, "line": line, "depth": depth}


def suite(tests: int, count: int, seed: int) -> dict[str, str]:
    """All files of the suite: name -> text."""
    random = Random(seed)
    files, links = helpers(random, count)
    truths = [number < round(tests * VULNERABLE) for number in range(tests)]
    random.shuffle(truths)
    expected = {}
    for number, is_vulnerable in enumerate(truths, 1):
        name = f"cases/case_{number:03}.py"
        files[name], expected[name] = case(random, f"Case {number}.", links, is_vulnerable)
    files["expected.json"] = json.dumps(expected, indent=1) + "\n"
    return files


def main(argv: Sequence[str] | None = None) -> int:
    """Write the suite and say what is in it."""
    parser = argparse.ArgumentParser(
        description="Write a suite of small web programs of which it is known which ones are vulnerable."
    )
    parser.add_argument("dest", type=Path, metavar="DEST", help="folder to fill (made if missing)")
    parser.add_argument("--tests", type=int, default=240, help="how many cases (%(default)s)")
    parser.add_argument("--helpers", type=int, default=24, help="how many shared modules, at least 2 (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="another suite of the same kind (%(default)s)")
    given = parser.parse_args(argv)
    if given.tests < 1 or given.helpers < 2:
        parser.error("a suite has at least 1 test and 2 helpers")
    if given.dest.exists() and any(given.dest.iterdir()):
        parser.error(f"{given.dest} is not empty; name a new folder, so that no other code is analyzed with the suite")
    for name, text in suite(given.tests, given.helpers, given.seed).items():
        path = given.dest / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    print(
        f"{given.tests} cases, {round(given.tests * VULNERABLE)} of them vulnerable, and {given.helpers} helpers in "
        f"{given.dest}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
