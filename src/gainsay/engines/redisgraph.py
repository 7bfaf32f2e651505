"""RedisGraph: a server of the user's, by host and port.

The project has ended; FalkorDB, its successor, speaks the same protocol.
"""

from __future__ import annotations

from collections.abc import Sequence

from gainsay.core.engine import Options
from gainsay.engines.redis_graph import RedisGraphEngine, Service


class RedisGraph(RedisGraphEngine):
    """Never started by us."""

    name = "redisgraph"
    needs_server = True
    title = "RedisGraph"

    def service(self, configs: Sequence[str], options: Options) -> Service:
        found = super().service(configs, options)
        if found.place is None:
            remedy = "Start a server and name it, as in redisgraph?host=localhost&port=6379."
            raise RuntimeError(f"RedisGraph comes in no package. {remedy}")
        return found
