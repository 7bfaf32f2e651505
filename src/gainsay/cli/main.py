"""The command line: parses, calls, prints, and turns every known problem into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

import gainsay
from gainsay.errors import GainsayError, UsageError, near
from gainsay.limits import Stopped

EXITS = "Exit codes: 0 no findings, 1 at least one confirmed finding, 2 usage or environment, 3 internal error."


class Parser(argparse.ArgumentParser):
    """argparse, with one-line errors that say what was probably meant."""

    def error(self, message: str) -> NoReturn:
        unknown = re.search(r"unrecognized arguments: (\S+)", message)
        choice = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if unknown:
            below = [p for a in self._actions if isinstance(a.choices, dict) for p in a.choices.values()]
            options = {o for p in (self, *below) for a in p._actions for o in a.option_strings} - {unknown.group(1)}
            message = f"There is no option {unknown.group(1)}.{near(unknown.group(1), options)}"
        elif choice:
            listed = re.findall(r"[\w-]+", choice.group(2))
            message = f"There is no {choice.group(1)!r} here.{near(choice.group(1), listed)}"
        told = f"{message[:1].upper()}{message[1:]}"
        raise UsageError(f"{told if told[-1] in '.?' else told + '.'} Try: {self.prog} --help")


class Version(argparse.Action):
    """Prints gainsay's version and those of the engines that are installed, and ends."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, *_: object) -> NoReturn:
        print(f"gainsay {gainsay.__version__}", flush=True)
        from gainsay.cli import doctor

        for check in doctor.engine_checks():
            if check.is_there:
                print(f"{check.name} {check.said}", flush=True)
        raise SystemExit(0)


Command = Callable[[str, str], Parser]


def parser(chosen: str = "") -> Parser:
    """The parser of all commands; those that bring much code have their options only where they are chosen."""
    top = Parser(
        prog="gainsay",
        description="Finds wrong answers in query and reasoning engines.",
        epilog=EXITS,
        allow_abbrev=False,
    )
    top.add_argument("--version", action=Version, help="show gainsay's version, and the engines that are at hand")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)

    def command(name: str, text: str) -> Parser:
        made: Parser = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        return made

    hunting_command(command)
    plugin_commands(command)
    asking_command(command)
    looking_commands(command)
    measuring_commands(command)
    upkeep_commands(command)
    analyzer_commands(command, chosen)
    return top


def hunting_command(command: Command) -> None:
    """hunt"""
    hunt = command("hunt", "hunt for wrong answers in the targets (all installed embedded engines if none is named)")
    hunt.add_argument("targets", nargs="*", metavar="TARGET", help="engine[@version][:config[+config]][?key=value]")
    hunt.add_argument(
        "--oracle", action="append", default=[], metavar="NAME", help="only this oracle; may be given several times"
    )
    hunt.add_argument("--for", dest="for_s", metavar="TIME", help="how long: 60s, 5m, 1h (default 60s)")
    hunt.add_argument(
        "--checks", metavar="N", help="how many checks instead of how long; repeatable whatever --workers is"
    )
    hunt.add_argument("--seed", metavar="N", help="names the random choices (default: a new one)")
    hunt.add_argument("--workers", metavar="N", help="worker processes (default: one per core)")
    hunt.add_argument(
        "--out",
        metavar="DIR",
        help="where results go, also as ./DIR; the same folder goes on (default: gainsay-out/NAME-N)",
    )
    hunt.add_argument("--stop-after", metavar="N", help="stop after so many findings")
    hunt.add_argument(
        "--memory", default="2G", metavar="SIZE", help="memory above which an engine is ended, a finding (default 2G)"
    )
    hunt.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="NAME.KEY=VALUE",
        help="a parameter, such as sql.mix=small",
    )
    hunt.add_argument("--seeds", metavar="DIR", help="a folder of programs in the engine's own dialect to build on")
    hunt.add_argument(
        "--targets",
        dest="targets_file",
        metavar="FILE",
        help="targets on servers, in the form of GDsmith's config.json",
    )
    hunt.add_argument(
        "--wipe", action="store_true", help="a database on a server that is not empty and not ours may be emptied"
    )
    telling_options(hunt)


def telling_options(hunt: Parser) -> None:
    """Of hunt: how findings are told apart, and how they are told."""
    told = (
        "a release or build that causes are told apart by, oldest first, the target among them (default: what is "
        "installed and in the cache)"
    )
    hunt.add_argument("--sibling", action="append", default=[], metavar="TARGET", help=told)
    hunt.add_argument(
        "--baseline", metavar="FILE", help="findings that are known: counted, shown last, and no reason for exit code 1"
    )
    hunt.add_argument(
        "--bisect", action="store_true", help="find the releases between which each finding came and went"
    )
    hunt.add_argument("--page", action="store_true", help="serve a page of the hunt meanwhile, and print its address")
    hunt.add_argument("--json", action="store_true", help="end with one JSON object on the last line")


def plugin_commands(command: Command) -> None:
    """engines, oracles, new"""
    engines = command(
        "engines",
        "list the engines; 'engines NAME' shows one, 'engines check TARGET' what it takes, 'engines conform TARGET' "
        "tests its adapter",
    )
    engines.add_argument(
        "action",
        nargs="?",
        metavar="NAME",
        help="an engine to show; or check, to start a target and probe it; or conform, to test it",
    )
    engines.add_argument("target", nargs="?", metavar="TARGET")
    engines.add_argument(
        "--refused",
        action="store_true",
        help="with check: each statement that was refused, and all that the target said",
    )
    engines.add_argument("--json", action="store_true")

    oracles = command("oracles", "list the oracles; 'oracles conform FAMILY/NAME' tests one")
    oracles.add_argument("action", nargs="?", choices=["conform"], help="conform: test an oracle")
    oracles.add_argument("name", nargs="?", metavar="FAMILY/NAME")
    oracles.add_argument("--on", default="", metavar="TARGET", help="an engine that is right, to test the oracle on")
    oracles.add_argument("--json", action="store_true")

    new = command(
        "new", "write a package for an engine or an oracle of your own, which works at once and is there to be changed"
    )
    new.add_argument("what", choices=["engine", "oracle"])
    new.add_argument("name", metavar="NAME")
    new.add_argument(
        "--family", metavar="FAMILY", help="its language, such as datalog, smt or a plugin's (default sql)"
    )
    new.add_argument("--out", metavar="DIR", help="the folder of the package (default ./gainsay-NAME)")


def folder(made: Parser) -> None:
    """The folder of a hunt, said in either way."""
    made.add_argument(
        "dir", nargs="?", metavar="DIR", help="the folder of a hunt, or of several (default ./gainsay-out)"
    )
    made.add_argument("--out", metavar="DIR", help="the same")


def asking_command(command: Command) -> None:
    """ask"""
    asks = command("ask", "put your own statements to targets, and show their answers beside those of our semantics")
    asks.add_argument("text", metavar="TEXT", help="statements, the last of which asks something; - reads them")
    asks.add_argument("--scene", metavar="FILE", help="statements that come first")
    asks.add_argument(
        "--on", action="append", default=[], metavar="TARGET", help="a target; may be given several times"
    )
    asks.add_argument("--json", action="store_true")


def looking_commands(command: Command) -> None:
    """findings, show, replay, mute"""
    findings = command("findings", "list the findings of a hunt")
    findings.add_argument("--json", action="store_true")
    folder(findings)

    for name, text in (
        ("show", "show a finding's report"),
        ("replay", "hold a finding's conversation again: exit 1 if the contradiction is still there, 0 if not"),
        ("mute", "skip a finding's shape in later hunts beside this one, and count it"),
    ):
        made = command(name, text)
        made.add_argument("id", metavar="ID")
        folder(made)
        if name == "show":
            made.add_argument("--open", action="store_true", help="open the page of the hunt in a browser, at this one")
        if name == "replay":
            made.add_argument("--on", metavar="TARGET", help="another target, such as another version")

    bisecting_command(command)
    reducing_command(command)
    reporting_commands(command)


def reducing_command(command: Command) -> None:
    """reduce"""
    reduce = command(
        "reduce", "reduce a finding further, or a script of yours over which an engine is wrong: --case FILE"
    )
    reduce.add_argument("id", nargs="?", metavar="ID")
    folder(reduce)
    reduce.add_argument("--case", metavar="FILE", help="a script; its last statement asks what is answered wrongly")
    reduce.add_argument(
        "--on", action="append", default=[], metavar="TARGET", help="with --case: the target that is wrong, and others"
    )
    told = "with --case: the oracle that sees it, or crash, hang, memory, internal-error (default: whatever sees it)"
    reduce.add_argument("--expect", metavar="WHAT", help=told)


def reporting_commands(command: Command) -> None:
    """baseline, regress, serve, report"""
    baseline = command("baseline", "write down the findings there are, for hunt --baseline")
    folder(baseline)
    baseline.add_argument("--output", metavar="FILE", default="gainsay-baseline.json", help="where to")

    regress = command(
        "regress", "ask the findings of earlier hunts, or a corpus of them, again: exit 1 if one is there"
    )
    regress.add_argument(
        "folders", nargs="*", metavar="FOLDER", help="hunts, or folders of hunts or findings (default ./gainsay-out)"
    )
    regress.add_argument("--out", action="append", default=[], metavar="FOLDER", help="the same")
    regress.add_argument("--on", metavar="TARGET", help="whom to ask (default: each one's engine as it is installed)")
    regress.add_argument("--format", choices=["text", "json", "junit"], default="text")
    regress.add_argument("--output", metavar="FILE", help="where to (default: standard output)")

    serve = command("serve", "show the page of a hunt in a browser, live while it runs")
    folder(serve)
    serve.add_argument("--port", metavar="N", help="of this machine (default: a free one)")
    serve.add_argument("--host", metavar="ADDRESS", help="another address than 127.0.0.1, with a --token")
    serve.add_argument("--token", metavar="TEXT", help="what stands in the address, for others (default: a new one)")

    report = command("report", "write a report of a whole hunt")
    folder(report)
    report.add_argument("--format", choices=["html", "md", "json", "sarif", "junit"], default="md")
    report.add_argument("--output", metavar="FILE", help="where to (default: standard output)")


def bisecting_command(command: Command) -> None:
    """bisect"""
    made = command("bisect", "find the release, or the commit, that broke it, and the one that mended it")
    made.add_argument("id", metavar="ID")
    folder(made)
    made.add_argument("--from", dest="first", metavar="V", help="the oldest release to ask")
    made.add_argument("--to", dest="last", metavar="V", help="the newest release to ask")
    made.add_argument("--on", metavar="TARGET", help="another engine or configuration; with --repo: what is built")
    made.add_argument("--repo", metavar="DIR", help="a checkout of the engine: search its commits")
    made.add_argument("--build", metavar="CMD", help="with --repo: the shell command that builds a commit")
    made.add_argument("--good", metavar="REV", help="with --repo: a commit that is right")
    made.add_argument("--bad", metavar="REV", help="with --repo: a commit that is wrong")
    made.add_argument("--json", action="store_true")


def upkeep_commands(command: Command) -> None:
    """doctor, cache, completion"""
    doctor = command("doctor", "say what is installed, what is missing and what brings it, and whether hunts can run")
    doctor.add_argument("--json", action="store_true")
    cache = command("cache", "list what is kept of releases, or remove it")
    cache.add_argument("action", choices=["list", "clean"])
    cache.add_argument("names", nargs="*", metavar="ENGINE[@VERSION]", help="only these (default: everything)")
    completion = command("completion", "print what makes a shell complete targets, oracles and findings")
    completion.add_argument("shell", choices=["bash", "zsh", "fish"])


def measuring_commands(command: Command) -> None:
    """bench"""
    bench = command(
        "bench",
        "measure: 'bench speed', 'bench known FILE', 'bench datalog', 'bench smt', 'bench cypher', 'bench sql', "
        "'bench reduction DIR', 'bench causes DIR'",
    )
    bench.add_argument("what", choices=["speed", "known", "datalog", "smt", "cypher", "sql", "reduction", "causes"])
    bench.add_argument("file", nargs="?", metavar="FILE", help="a file of known bugs, or the folder of a hunt")
    bench.add_argument(
        "--on", action="append", default=[], metavar="TARGET", help="a target to use; may be given several times"
    )
    bench.add_argument(
        "--for", dest="for_s", default="5s", metavar="TIME", help="CPU time for each figure of 'bench speed'"
    )
    bench.add_argument(
        "--oracle", action="append", default=[], metavar="NAME", help="only this one, for 'bench speed'; several times"
    )
    bench.add_argument("--out", metavar="DIR", help="the folder of a hunt, as FILE")
    bench.add_argument("--seed", metavar="N", default="1", help="names the random choices of 'bench sql'")
    bench.add_argument("--json", action="store_true")


def analyzer_commands(command: Command, chosen: str) -> None:
    """tailor, split"""
    tailor = command(
        "tailor",
        "tune an analyzer to code and a time limit: 'tailor run', 'tailor check', 'tailor show', 'tailor bench'",
    )
    if chosen == "tailor":
        from gainsay.cli import tailor_options

        tailor_options.declare(tailor, Parser)
    split = command(
        "split", "cut a code base so that an analyzer scales out: 'split plan', 'split run', 'split compare'"
    )
    if chosen == "split":
        from gainsay.cli import split_options

        split_options.declare(split, Parser)


def tell_left_out() -> None:
    """Name the plugins that can't be used; everything else goes on without them."""
    from gainsay.core import registry

    for plugin in registry.left_out("gainsay.families", "gainsay.engines", "gainsay.oracles"):
        print(f"gainsay: {plugin}", file=sys.stderr)


# Command -> the module that has a function of its name; the others are in `looking`
MODULES: Mapping[str, str] = {
    "hunt": "hunting",
    "ask": "asking",
    "reduce": "reducing",
    "replay": "replaying",
    "report": "reporting",
    "serve": "serving",
    "baseline": "reporting",
    "regress": "regressing",
    "bisect": "bisecting",
    "new": "new",
    "doctor": "doctor",
    "cache": "cache",
    "completion": "completing",
    "conform": "conforming",
    "bench": "bench",
    "tailor": "tailor",
    "split": "split",
}


def run(arguments: argparse.Namespace) -> int:
    """Run the command that was named. Its module is loaded only now, so that others start fast."""
    if arguments.command in ("hunt", "engines", "oracles"):
        tell_left_out()
    name = "conform" if getattr(arguments, "action", None) == "conform" else arguments.command
    module = importlib.import_module(f"gainsay.cli.{MODULES.get(name, 'looking')}")
    code: int = getattr(module, name)(arguments)
    return code


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line. Words that stand behind an option belong to those before it: argparse leaves them over."""
    words = sys.argv[1:] if argv is None else argv
    top = parser(next((word for word in words if not word.startswith("-")), ""))
    if "_ARGCOMPLETE" in os.environ:
        from gainsay.cli import completing

        completing.offer(top)
    arguments, rest = top.parse_known_args(words)
    if arguments.command == "hunt" and not any(word.startswith("-") for word in rest):
        arguments.targets += rest
    elif len(rest) == 1 and not rest[0].startswith("-") and getattr(arguments, "dir", "") is None:
        arguments.dir = rest[0]
    elif rest:
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of a command line. A mistake of the user's is a message, never a traceback."""
    try:
        return run(parsed(argv))
    except GainsayError as error:
        print(f"gainsay: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        return 0
    except (KeyboardInterrupt, Stopped):
        print("gainsay: interrupted.", file=sys.stderr)
        return 130
    except Exception:  # the command line's boundary
        traceback.print_exc()
        print("gainsay: this is a mistake in gainsay; please report it with the lines above.", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
