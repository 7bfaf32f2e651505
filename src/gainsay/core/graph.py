"""Directed graphs as {node: successors}: strongly connected parts, layers and reach, for whatever is hashable."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def components(graph: Mapping[N, Iterable[N]]) -> list[list[N]]:
    """Strongly connected components (Tarjan), each after all that it points to.
    The order depends on the mapping's order only."""
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    stack: list[N] = []
    waiting: set[N] = set()
    found: list[list[N]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        while work:
            node, rest = work[-1]
            for after in rest:
                if after not in index:
                    index[after] = low[after] = len(index)
                    stack.append(after)
                    waiting.add(after)
                    work.append((after, iter(graph.get(after, ()))))
                    break
                if after in waiting and index[after] < low[node]:
                    low[node] = index[after]
            else:
                work.pop()
                if work and low[node] < low[work[-1][0]]:
                    low[work[-1][0]] = low[node]
                if low[node] == index[node]:
                    part = []
                    while True:
                        last = stack.pop()
                        waiting.discard(last)
                        part.append(last)
                        if last == node:
                            break
                    found.append(part[::-1])
    return found


def reach(graph: Mapping[N, Iterable[N]], starts: Iterable[N]) -> set[N]:
    """All that can be reached from `starts`, these included."""
    seen = set(starts)
    work = list(seen)
    while work:
        for after in graph.get(work.pop(), ()):
            if after not in seen:
                seen.add(after)
                work.append(after)
    return seen
