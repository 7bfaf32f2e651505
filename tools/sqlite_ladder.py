"""Builds old SQLite releases as shared libraries, from the amalgamations inside npm packages, into gainsay's cache.

Afterwards sqlite@3.28.0 and the others are targets like any release that a wheel brings. Needs npm, cc and tar.
"""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from gainsay.engines.releases import cache_dir

# SQLite's release -> the npm package and version that carries its source.
LADDER = {
    "3.25.2": ("better-sqlite3", "5.0.1"),
    "3.26.0": ("better-sqlite3", "5.2.0"),
    "3.28.0": ("sqlite3", "4.1.0"),
    "3.29.0": ("better-sqlite3", "5.4.3"),
    "3.30.1": ("sqlite3", "4.1.1"),
    "3.31.1": ("sqlite3", "5.0.0"),
    "3.32.0": ("better-sqlite3", "7.1.0"),
    "3.34.0": ("sqlite3", "5.0.2"),
    "3.38.2": ("sqlite3", "5.0.3"),
}
FLAGS = [
    "-DSQLITE_ENABLE_FTS5",
    "-DSQLITE_ENABLE_RTREE",
    "-DSQLITE_ENABLE_COLUMN_METADATA",
    "-DSQLITE_ENABLE_DESERIALIZE",
]


def build(version: str, package: str, release: str) -> None:
    home = cache_dir() / "sqlite" / version
    library = home / "libsqlite3.so.0"
    if library.exists():
        print(f"sqlite@{version}: there already")
        return
    with tempfile.TemporaryDirectory() as room:
        packed = subprocess.run(
            ["npm", "pack", "--silent", f"{package}@{release}"], cwd=room, capture_output=True, text=True, check=True
        )
        with tarfile.open(Path(room) / packed.stdout.strip().splitlines()[-1]) as outer:
            outer.extractall(room, filter="data")
        inner = next(p for p in (Path(room) / "package" / "deps").glob("sqlite*.tar.gz"))
        with tarfile.open(inner) as source:
            source.extractall(Path(room) / "source", filter="data")
        amalgamation = next((Path(room) / "source").rglob("sqlite3.c"))
        home.mkdir(parents=True, exist_ok=True)
        made = Path(room) / library.name
        command = [
            "cc",
            "-O1",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libsqlite3.so.0",
            *FLAGS,
            str(amalgamation),
            "-o",
            str(made),
        ]
        subprocess.run([*command, "-lm", "-lpthread", "-ldl"], check=True)
        library.write_bytes(made.read_bytes())
    print(f"sqlite@{version}: built from {package} {release}")


def main() -> int:
    for version in sys.argv[1:] or LADDER:
        if version not in LADDER:
            print(f"There is no recipe for {version}. There are: {', '.join(LADDER)}.", file=sys.stderr)
            return 2
        build(version, *LADDER[version])
    return 0


if __name__ == "__main__":
    sys.exit(main())
