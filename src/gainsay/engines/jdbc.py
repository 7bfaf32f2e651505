"""Databases in Java, in process: a jar that Maven brought, in a Java machine beside this Python, asked through JDBC.

There is one such machine in a process's life, so a process runs one release of one of them."""

from __future__ import annotations

import os
import re
import shutil
import sys
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

from gainsay.core.answer import Answer, GaveUp, Refused, Rows
from gainsay.core.engine import Engine, Options, Session

SOFT_S = 5
# -Xrs: signals stay Python's, so that SIGTERM ends a process by sys.exit. The quick compiler and one collector thread:
# sessions are short, and what is computed in other threads is not ours to count.
FLAGS = (
    "-Xrs", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ErrorFileToStderr", "-XX:-UsePerfData",
    "-Duser.timezone=UTC", "-Djava.util.logging.config.file=/dev/null",
)  # fmt: skip
NO_JAVA = "Install a Java, such as apt-get install default-jre-headless; JAVA_HOME may say where it is."
NO_JAR = "Maven brings it (apt-get install maven); or name a jar that you have: {name}?jar=PATH."
# What Java itself throws where a database did not look; it says what it refuses in an SQLException.
JAVAS = re.compile(
    r"NullPointer|ClassCast|IndexOutOfBounds|NegativeArraySize|ConcurrentModification|NoSuchElement|IllegalState"
    r"|IllegalArgument|ArrayStore|EmptyStack|AssertionError|NoClassDefFound|NoSuchMethod|StackOverflowError"
    r"|NumberFormat|UnsupportedOperation|java\.lang\.RuntimeException"
)
MEMORY = re.compile(r"OutOfMemoryError|[Oo]ut of memory|HY001")
Decode = Callable[[str], Any]


def boolean(text: str) -> bool:
    return text.lower() == "true"


def decimal(text: str) -> Any:
    """A sum of integers is a decimal without a fraction."""
    return int(text) if text.lstrip("-").isdigit() else Decimal(text)


# By the number in java.sql.Types; everything else as its text
DECODED: Mapping[int, Decode] = {
    -7: boolean, 16: boolean, -6: int, 5: int, 4: int, -5: int, 6: float, 7: float, 8: float, 2: decimal, 3: decimal,
    2015: decimal,
}  # fmt: skip
BYTES = frozenset({-2, -3, -4, 2004})


def rows(found: Any) -> list[tuple[Any, ...]]:
    """The rows of a result as tuples of plain values. A text is had with one call for each value, whatever its type."""
    told = found.getMetaData()
    kinds = [(n, int(told.getColumnType(n))) for n in range(1, told.getColumnCount() + 1)]
    read = [(n, kind in BYTES, DECODED.get(kind, str)) for n, kind in kinds]
    answer = []
    text, octets, more = found.getString, found.getBytes, found.next
    while more():
        row = [(octets if is_bytes else text)(n) for n, is_bytes, _ in read]
        answer.append(
            tuple(
                [
                    None if v is None else bytes(b % 256 for b in v) if is_bytes else decode(str(v))
                    for v, (_, is_bytes, decode) in zip(row, read, strict=True)
                ]
            )
        )
    return answer


def refusal(error: Any, kinds: Sequence[tuple[str, str]]) -> Answer:
    """What an exception means: by its SQLSTATE where a database refuses, by its name where Java threw it."""
    state = str(error.getSQLState() or "") if hasattr(error, "getSQLState") else ""
    message = str(error.getMessage() or error.toString()).partition("; SQL statement:")[0]
    if state in ("57014", "40502") or type(error).__name__.endswith("TimeoutException"):
        return GaveUp("timeout")
    if MEMORY.search(f"{state} {message} {type(error).__name__}"):
        return GaveUp("memory")
    kind = next((kind for start, kind in kinds if state.startswith(start)), "other") if state else "internal"
    if kind == "internal" or (kind == "other" and JAVAS.search(message)):
        return Refused("internal", " ".join(filter(None, (message, thrown_in(error)))))
    return Refused(kind, message)


def thrown_in(error: Any) -> str:
    """Where the first of the exceptions behind one was thrown: (in Class.method)."""
    while error.getCause() is not None:
        error = error.getCause()
    for frame in error.getStackTrace():
        name = str(frame.getClassName())
        if not name.startswith(("java.", "jdk.")) and "message" not in name.lower() and not name.endswith(".Error"):
            return f"(in {name.rpartition('.')[2]}.{frame.getMethodName()})"
    return ""


def machine(jar: str) -> Any:
    """JPype, with a Java machine that has this jar."""
    import jpype

    if jpype.isJVMStarted():
        jpype.addClassPath(jar)
        return jpype
    try:
        jpype.startJVM(*FLAGS, classpath=[jar], convertStrings=True)
    except jpype.JVMNotFoundException:
        raise RuntimeError(f"There is no Java here. {NO_JAVA}") from None
    return jpype


class JdbcSession(Session):
    """An empty database in memory, of which nobody else knows."""

    kinds: ClassVar[Sequence[tuple[str, str]]]  # SQLSTATE, or the beginning of it -> the kind of refusal
    driver: ClassVar[str]
    begins: ClassVar[Sequence[str]] = ()  # statements that make an empty database what its facts say

    def __init__(self, jar: str, options: Sequence[str]) -> None:
        self._jpype = machine(jar)
        self._error: type[Exception] = self._jpype.JException
        self._options = tuple(options)
        self._driver: Any = self._jpype.JClass(self.driver)()
        self._open()

    @staticmethod
    @abstractmethod
    def url(options: Sequence[str]) -> str:
        """The address of a database that is not there yet."""

    def _open(self) -> None:
        nothing = self._jpype.JClass("java.util.Properties")()
        self._connection: Any = self._driver.connect(self.url(self._options), nothing)
        self._statement: Any = self._connection.createStatement()
        self._statement.setQueryTimeout(SOFT_S)
        self._execute = self._statement.execute
        for text in self.begins:
            self._execute(text)

    def ask(self, text: str) -> Answer:
        try:
            return Rows(rows(self._statement.getResultSet()) if self._execute(text) else [])
        except self._error as error:
            return self._again() or refusal(error, self.kinds)

    def _again(self) -> Answer | None:
        """A database that an error closed is a death: there is another one, and it is empty."""
        if not self._connection.isClosed():
            return None
        self._open()
        return Refused("internal", "The database closed itself.")

    def renew(self) -> bool:
        self.close()
        self._open()
        return True

    def close(self) -> None:
        self._connection.close()


class JarEngine(Engine):
    """A database whose jar Maven brings, or that ?jar= names."""

    family = "sql"
    package = "JPype1"
    module = "jpype"
    artifact: ClassVar[str]  # GROUP:NAME of Maven
    session: ClassVar[type[JdbcSession]]
    options = {"jar": "the path of a jar that you have"}
    configs_are_statements = False
    carried = (boolean, decimal, rows)
    repro_open = """
# It needs a Java, JPype1 and the jar: $variable says where it is; Maven's own copy is found.
import glob, os, sys
import jpype
from decimal import Decimal
DECODED, BYTES = $decoded, $bytes
places = [os.environ.get("$variable", ""), *(p + "/$jar-[0-9]*.jar" for p in sys.path if p), "$kept"]
jars = [jar for place in places if place for jar in sorted(glob.glob(os.path.expanduser(place)))]
if not jars:
    sys.exit("There is no jar. Maven brings it: mvn dependency:get -Dartifact=$artifact")
jpype.startJVM(*$flags, classpath=jars[:1], convertStrings=True)
db = jpype.JClass("$driver")().connect("$url", jpype.JClass("java.util.Properties")())
said = db.createStatement()
for text in $begins:
    said.execute(text)
"""
    repro_ask = "return rows(said.getResultSet()) if said.execute(text) else []"
    repro_version = "str(db.getMetaData().getDatabaseProductVersion()).split()[0]"

    def _variable(self) -> str:
        return f"GAINSAY_{self.name.upper()}_JAR"

    def _jar(self) -> str:
        """The jar of this process: the one that was named, or that of the release for which it was started."""
        named = os.environ.get(self._variable(), "")
        if named:
            if not Path(named).is_file():
                raise RuntimeError(f"There is no jar {named}. {NO_JAR.format(name=self.name)}")
            return named
        pattern = f"{self.artifact.partition(':')[2]}-[0-9]*.jar"
        for place in filter(None, sys.path):
            for path in sorted(Path(place).glob(pattern)):
                return str(path)
        said = "Maven is not here." if shutil.which("mvn") is None else "No release was brought."
        raise RuntimeError(f"There is no jar of {self.title} here. {said} {NO_JAR.format(name=self.name)}")

    def open_session(self, configs: Sequence[str], options: Options) -> JdbcSession:
        return self.session(self._jar(), self.texts(configs))

    def version(self) -> str:
        session = self.open_session((), {})
        try:
            told = str(session._connection.getMetaData().getDatabaseProductVersion())
        except session._error as error:
            raise RuntimeError(f"{self._jar()} does not say its version: {error}") from None
        finally:
            session.close()
        found = re.search(r"\d+(\.\d+)+", told)
        return found[0] if found else "unknown"

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {self._variable(): os.path.abspath(options["jar"])} if "jar" in options else {}

    def requirements(self, version: str) -> Sequence[str]:
        return [f"mvn:{self.artifact}:{version}"]

    def available(self) -> Mapping[str, str]:
        return {f"mvn:{self.artifact}": r"^(\d+\.\d+\.\d+)$"}

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        group, _, name = self.artifact.partition(":")
        decoded = ", ".join(f"{number}: {decode.__name__}" for number, decode in DECODED.items())
        return {
            "variable": f"{self.name.upper()}_JAR",
            "jar": name,
            "kept": f"~/.m2/repository/{group.replace('.', '/')}/{name}/{version}/{name}-{version}.jar",
            "artifact": f"{self.artifact}:{version}",
            "driver": self.session.driver,
            "url": self.session.url(self.texts(configs)),
            "flags": repr(FLAGS[1:4]),
            "begins": repr(self.session.begins),
            "decoded": f"{{{decoded}}}",
            "bytes": repr(set(BYTES)),
        }
