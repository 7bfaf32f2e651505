"""An engine for tests of ourselves only: our own evaluator in a process that dies on one word and breaks on another.
Found through an entry point."""

import os
import signal
import time

from cypher_standin import Standin
from gainsay.core.answer import Refused, Rows
from gainsay.core.engine import Engine, Session


class FaultySession(Standin, Session):
    def __init__(self, options):
        super().__init__()
        self.options = options

    def ask(self, text):
        time.sleep(int(self.options.get("slow", 0)) / 1000)
        words = {how: word for how, word in self.options.items() if word in text and " RETURN " in text}
        if "dies" in words:
            os.kill(os.getpid(), signal.SIGSEGV)
            time.sleep(5)
        if "breaks" in words:
            return Refused("internal", "internal error: broken invariant 42")
        answer = super().ask(text)
        return Rows(answer.rows[1:]) if "lies" in words and isinstance(answer, Rows) else answer


class Grafty(Engine):
    name = "grafty"
    family = "cypher"
    dialect = "neo4j"
    options = {
        "dies": "a word in a query over which it dies",
        "breaks": "a word over which it breaks inside",
        "lies": "a word over which it loses a row",
        "slow": "how many milliseconds it takes its time",
    }
    repro_open = "import cypher_faulty\nsession = cypher_faulty.FaultySession($options)"
    repro_ask = "return session.ask(text).rows"
    repro_version = "'1.2.3'"

    def open_session(self, configs, options):
        return FaultySession(options)

    def version(self):
        return "1.2.3"

    def repro_words(self, version, options, configs):
        return {"options": repr(dict(options))}
