"""Which SQL touches files, loads code or goes to another machine.

Statements and functions are known by their words, outside of literals and comments. Where a text could be read in two
ways (a backslash in a literal, a comment that some engines execute, dollar quotes), all of it is searched."""

from __future__ import annotations

import itertools
import re

from gainsay.core import reaching
from gainsay.families.sql.language import tokens

# What a statement may not begin with
STATEMENTS = (
    "ATTACH", "DETACH", "COPY", "EXPORT", "IMPORT", "INSTALL", "LOAD", "UNLOAD", "DO", "CALL", "BACKUP", "RESTORE",
    "RUNSCRIPT", "SCRIPT", "SOURCE", "SYSTEM", "SHUTDOWN", "HANDLER", "CHECKPOINT",
)  # fmt: skip
# What may stand nowhere as a word: it is followed by a name of a file, of code, or of another machine
WORDS = reaching.words(
    r"VACUUM\s+INTO", r"VACUUM\s+\w+\s+INTO", r"INTO\s+(?:OUTFILE|DUMPFILE)", r"LOAD\s+DATA", r"ALTER\s+SYSTEM",
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:EXTENSION|FUNCTION|AGGREGATE|PROCEDURE|LANGUAGE|SERVER|FOREIGN|TABLESPACE|ALIAS|"
    r"SUBSCRIPTION|SECRET|EXTERNAL|LINKED)", r"SET\s+GLOBAL", r"\w+_directory", r"\w+_libraries", r"INSTALL\s+PLUGIN",
    r"(?:FROM|JOIN)\s+glob\s*(?=\()",
    r"(?:DATA|INDEX)\s+DIRECTORY",
    r"ENGINE\s*=?\s*(?:CONNECT|FEDERATED|CSV|File|URL|S3|HDFS|MySQL|PostgreSQL|JDBC|ODBC)",
)  # fmt: skip
FUNCTIONS = re.compile(
    r"(?<!\w)(load_extension|readfile|writefile|edit|fts3_tokenizer|sqlite_scan\w*|postgres_scan\w*|mysql_scan\w*"
    r"|read_\w+|\w*parquet\w*|sniff_csv|query_table|getenv|which_secret|pg_read\w*|pg_ls\w*|pg_stat_file|pg_reload\w*"
    r"|lo_import|lo_export|dblink\w*|load_file|sys_exec|sys_eval|file_read|file_write|csvread|csvwrite|link_schema"
    r"|file|url|s3|hdfs|remote|remoteSecure|executable|jdbc|odbc|mysql|postgresql|mongodb|sqlite|input"
    r"|xp_cmdshell)\s*\(",
    re.IGNORECASE,
)
DOUBTFUL = re.compile(r"\\|/\*M?!|\$\w*\$")
COMMAND = re.compile(r"(?m)^\s*[.\\]\s*\w+")


def out(text: str) -> str:
    """What in a text reaches out of an engine; empty where nothing does."""
    command = COMMAND.search(text)
    if command:
        return command.group().strip()
    try:
        found = tokens.tokens(text)
    except tokens.Unread as why:
        return f"{why}, which is no SQL that can be looked through"
    if DOUBTFUL.search(text):
        return reaching.found(text, (reaching.words(*STATEMENTS), WORDS, FUNCTIONS)).rstrip(" (")
    plain = " ".join(t.text for t in found if t.kind not in ("text", "blob"))
    return begun(found) or file_read(found) or reaching.found(plain, (WORDS, FUNCTIONS)).rstrip(" (")


def begun(found: list[tokens.Token]) -> str:
    """A word that a statement begins with and that reaches out."""
    is_first = True
    for token in found:
        if is_first and token.key in STATEMENTS and token.kind == "word":
            return token.text
        is_first = token.key == ";" or (is_first and token.key in ("EXPLAIN", "ANALYZE", "QUERY", "PLAN", "PROFILE"))
    return ""


def file_read(found: list[tokens.Token]) -> str:
    """FROM 'file': where a relation is a text, it is the name of a file."""
    for before, token in itertools.pairwise(found):
        if token.kind == "text" and before.kind == "word" and before.key in ("FROM", "JOIN", "INTO"):
            return f"{before.text} {token.text}"
    return ""
