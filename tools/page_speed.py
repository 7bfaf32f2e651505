"""How fast the page of a hunt is in a real browser: first paint, and filtering by a word.

    python tools/page_speed.py PAGE.html [--browser /usr/bin/chromium] [--rounds 5]

Needs `pip install playwright`, and a Chromium or Chrome that is installed already."""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
from pathlib import Path

# Until the browser has painted once more, after each letter that is typed
FILTER = """async (word) => {
  const search = document.getElementById("search"), painted = () => new Promise(
    (done) => requestAnimationFrame(() => setTimeout(done)));
  const took = [];
  for (let i = 1; i <= word.length; i++) {
    search.value = word.slice(0, i);
    const begun = performance.now();
    search.dispatchEvent(new Event("input", {bubbles: true}));
    await painted();
    took.push(performance.now() - begun);
  }
  return [Math.max(...took), document.querySelectorAll(".finding:not([hidden])").length];
}"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
FOUND = "document.querySelectorAll('.finding').length"


def measured(page: str, browser: str, word: str, rounds: int) -> list[tuple[float, float, int, int]]:
    """For each round, in a fresh browser: first paint and the slowest filtering in ms, findings, and those left."""
    from playwright.sync_api import sync_playwright

    rows = []
    with sync_playwright() as playwright:
        for _ in range(rounds):
            chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            tab = chromium.new_page()
            tab.goto(page)
            tab.wait_for_function(f"() => {PAINT.replace('.startTime', '')}")
            slowest, left = tab.evaluate(FILTER, word)
            rows.append((tab.evaluate(PAINT), slowest, tab.evaluate(FOUND), left))
            chromium.close()
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--browser", default=shutil.which("chromium") or shutil.which("google-chrome"))
    parser.add_argument("--word", default="outer join")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    if not given.browser:
        print("A browser is not here: apt-get install chromium, or name one with --browser.", file=sys.stderr)
        return 2
    rows = measured(given.page.resolve().as_uri(), given.browser, given.word, given.rounds)
    paint, filtered = (statistics.median(row[i] for row in rows) for i in (0, 1))
    print(
        f"{given.page.stat().st_size / 1000:,.0f} KB, {rows[0][2]} findings: first paint {paint:.0f} ms, a letter "
        f"typed into the search {filtered:.0f} ms at most ({rows[0][3]} left); medians of {given.rounds}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
