"""Bring the code that docs/tailor.md measures on into a folder: real C files with drivers for Eva, and proof
obligations for Z3.

    python tools/tailor_corpus.py DEST

makes
    DEST/src/PACKAGE/...                  sources of Debian packages (.c and .h files, unchanged)
    DEST/src/PACKAGE-VERSION/...          sources of released versions from PyPI and crates.io
    DEST/units/NAME.c                     a driver with a closed main() for one real file
    DEST/versions/NAME/VERSION/NAME.c     the same driver for each version of one real file
DEST/obligations/NAME.smt2            regression tests of CVC4 that are stated to be unsat, where Z3 reads them without
an error

The drivers are kept in tailor_drivers/ beside this script. They include the real files by relative paths, so Frama-C
needs no option to find anything. Debian is needed, and apt, pip and cargo; nothing of the system's lists is changed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

DRIVERS = Path(__file__).resolve().parent / "tailor_drivers"
APT = Path("/etc/apt")

# Debian source packages that the units use, and the upstream version they were measured with.
DEBIAN = {
    "curl": "7.88.1",
    "giflib": "5.2.1",
    "git": "2.39.5",
    "libbsd": "0.11.7",
    "lua5.4": "5.4.4",
    "lz4": "1.9.4",
    "redis": "7.0.15",
    "zlib": "1.2.13.dfsg",
    "cvc4": "1.8",
}
OBLIGATION_SIZE = 200_000  # bytes; the few larger ones would take all the time


@dataclass(frozen=True)
class Series:
    """Released versions of one C file; `name` is the driver in drivers/versions."""

    name: str
    registry: str  # "pypi" or "crates"
    package: str
    folders: dict[str, str]  # version -> folder of the C file inside the package


SERIES = (
    Series(
        "lz4",
        "pypi",
        "lz4",
        dict.fromkeys(
            ("0.9.4", "0.10.1", "0.13.0", "0.21.6", "2.0.2", "2.1.6", "2.1.10", "2.2.1", "3.1.10", "4.3.3"),
            "lz4libs",
        ),
    ),
    Series(
        "ultrajsonenc",
        "pypi",
        "ujson",
        dict.fromkeys(
            ("1.35", "2.0.3", "3.0.0", "4.0.2", "4.1.0", "5.2.0", "5.3.0", "5.4.0", "5.5.0", "5.10.0"), "lib"
        )
        | dict.fromkeys(("5.12.0", "5.13.0"), "src/ujson/lib"),
    ),
    Series(
        "fse_decompress",
        "crates",
        "zstd-sys",
        dict.fromkeys(
            (
                "1.3.2", "1.4.3", "1.4.4", "1.4.15", "1.4.17", "1.4.18",
                "1.5.0", "1.6.1", "1.6.2", "2.0.7", "2.0.13", "2.0.16",
            ),
            "zstd/lib/common",
        ),
    ),
)  # fmt: skip


class CorpusError(Exception):
    """Something could not be fetched; the text says what, and what to do about it."""


def run(command: Sequence[str], cwd: Path, remedy: str) -> None:
    """Run a command quietly; if it fails, raise its last lines and the remedy."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace", check=False)
    except FileNotFoundError:
        raise CorpusError(f"{command[0]} is not installed. {remedy}") from None
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise CorpusError(f"{' '.join(command)}\nended with status {done.returncode}:\n{last}\n{remedy}")


def code_only(path: str) -> bool:
    """Tell whether the corpus keeps a file of this name."""
    return path.endswith((".c", ".h", ".smt2"))


def unpack(archive: Path, dest: Path) -> None:
    """Write the C files of a source archive to `dest`, without its top folder."""
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = Path(member.name).parts[1:]
            data = tar.extractfile(member) if member.isfile() and code_only(member.name) else None
            if data is None or not parts or ".." in parts:
                continue
            target = dest.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.read())


# Debian


def codename() -> str:
    """The name of this machine's Debian release, e.g. "bookworm"."""
    release = Path("/etc/os-release")
    for line in release.read_text().splitlines() if release.exists() else ():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip().strip('"')
    raise CorpusError("This machine does not say which Debian release it is. Run on Debian.")


def stanzas(text: str) -> Iterator[dict[str, str]]:
    """The stanzas of a .sources file, as dictionaries with lower-case keys."""
    for block in text.split("\n\n"):
        fields: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            if line[:1].isspace() and key:
                fields[key] += " " + line.strip()
            elif ":" in line:
                key, _, value = line.partition(":")
                key = key.strip().lower()
                fields[key] = value.strip()
        if fields:
            yield fields


def sources_lines(text: str) -> Iterator[tuple[str, str, str, str]]:
    """(options, address, suite, components) of each binary archive in a .sources file."""
    for fields in stanzas(text):
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").lower() == "no":
            continue
        key = fields.get("signed-by", "")
        options = f"[signed-by={key}] " if key.startswith("/") else ""
        for address in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                yield options, address, suite, fields.get("components", "")


def list_lines(text: str) -> Iterator[tuple[str, str, str, str]]:
    """(options, address, suite, components) of each binary archive in a .list file."""
    for line in text.splitlines():
        rest = line.partition("#")[0].strip()
        if not rest.startswith(("deb ", "deb\t")):
            continue
        rest, options = rest[3:].strip(), ""
        if rest.startswith("["):
            options, _, rest = rest.partition("]")
            options, rest = options + "] ", rest.strip()
        words = rest.split()
        if len(words) >= 3:
            yield options, words[0], words[1], " ".join(words[2:])


def source_list() -> str:
    """deb-src lines for the archives of this machine's own Debian release."""
    release = codename()
    found = []
    files = [APT / "sources.list", *sorted((APT / "sources.list.d").glob("*"))]
    for file in files:
        if not file.is_file() or file.suffix not in {".list", ".sources"}:
            continue
        read = sources_lines if file.suffix == ".sources" else list_lines
        for options, address, suite, components in read(file.read_text()):
            if suite == release or suite.startswith(release + "-"):
                found.append(f"deb-src {options}{address} {suite} {components}\n")
    if not found:
        raise CorpusError(f"No archive of Debian {release} in {APT}. Add one, as apt on this machine needs it too.")
    return "".join(dict.fromkeys(found))


def apt_options(work: Path) -> list[str]:
    """Options that make apt use its own lists and caches below `work`, not the system's."""
    for folder in ("lists/partial", "cache/archives/partial"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    (work / "src.list").write_text(source_list())
    settings = {
        "Dir::Etc::sourcelist": work / "src.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": work / "lists",
        "Dir::Cache": work / "cache",
    }
    return [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]


def fetch_debian(src: Path, work: Path) -> None:
    """Fetch the upstream archives of all Debian source packages and unpack them."""
    options = apt_options(work)
    run(["apt-get", *options, "update"], work, "Check that apt can reach its archives.")
    for package, measured in DEBIAN.items():
        if (src / package).exists():
            continue
        folder = work / package
        folder.mkdir()
        run(
            ["apt-get", *options, "source", "--download-only", package],
            folder,
            "If a file is not found, the archive has just changed: run again later.",
        )
        archives = [file for file in folder.glob("*.orig.tar.*") if file.suffix != ".asc"]
        if len(archives) != 1:
            raise CorpusError(f"{package}: expected one upstream archive, found {len(archives)}.")
        version = archives[0].name.partition("_")[2].partition(".orig.tar")[0]
        note = "" if version == measured else f" (measured with {measured}: figures may differ)"
        print(f"{package} {version}{note}", flush=True)
        unpack_whole(src / package, partial(unpack, archives[0]))


# Registries


def fetch_pypi(package: str, version: str, work: Path, dest: Path) -> None:
    """Download the source archive of one version from PyPI and unpack it."""
    folder = work / f"{package}-{version}"
    folder.mkdir()
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    run([*command, f"{package}=={version}"], folder, "Check that pip can reach its index.")
    archives = list(folder.glob("*.tar.*"))
    if len(archives) != 1:
        raise CorpusError(f"{package} {version}: expected one source archive, found {len(archives)}.")
    unpack(archives[0], dest)


def fetch_crate(package: str, version: str, work: Path, dest: Path) -> None:
    """Let cargo vendor one version of a crate and copy its C files."""
    folder = work / f"{package}-{version}"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "corpus"\nversion = "0.0.0"\nedition = "2018"\n[workspace]\n'
        f'[dependencies]\n{package} = {{ version = "={version}", default-features = false }}\n'
    )
    run(
        ["cargo", "vendor", "--quiet", "--versioned-dirs", "vendor"],
        folder,
        "Install Rust's cargo, and check that it can reach its registry.",
    )
    found = list((folder / "vendor").glob(f"{package}-{version}*"))
    if len(found) != 1:
        raise CorpusError(f"{package} {version}: cargo did not bring this version.")
    for file in found[0].rglob("*"):
        if file.is_file() and code_only(file.name):
            target = dest / file.relative_to(found[0])
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


def unpack_whole(dest: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder under another name first, so that `dest` is whole when it exists."""
    half = dest.with_name(dest.name + ".part")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    fill(half)
    half.rename(dest)


def fetch_series(src: Path, work: Path) -> None:
    """Fetch all versions of all series that are not there yet."""
    getters = {"pypi": fetch_pypi, "crates": fetch_crate}
    for series in SERIES:
        for version, folder in series.folders.items():
            dest = src / f"{series.package}-{version}"
            if dest.exists():
                continue
            get = getters[series.registry]
            unpack_whole(dest, partial(get, series.package, version, work))
            if not (dest / folder).is_dir():
                raise CorpusError(f"{series.package} {version} has no folder {folder}. Correct SERIES in this script.")
            print(f"{series.package} {version}", flush=True)


# Obligations


def copy_obligations(src: Path, dest: Path) -> int:
    """Copy what is stated to be unsat, has one check, and is read by Z3 without an error; return how many."""
    z3 = shutil.which("z3", path=str(Path(sys.executable).parent)) or shutil.which("z3")
    if z3 is None:
        raise CorpusError("There is no z3, which sorts out the obligations. Install it with: pip install z3-solver")
    root, target = src / "cvc4" / "test" / "regress", dest / "obligations"
    target.mkdir(parents=True, exist_ok=True)
    count = 0
    for file in sorted(root.rglob("*.smt2")):
        text = file.read_text("utf-8", "replace")
        if (
            ":status unsat" not in text
            or len(re.findall(r"\(check-sat", text)) != 1
            or file.stat().st_size > OBLIGATION_SIZE
        ):
            continue
        read = subprocess.run(
            [z3, "-T:2", "tactic.default_tactic=skip", str(file)], capture_output=True, text=True, check=False
        )
        if "(error" not in read.stdout:
            shutil.copyfile(file, target / "-".join(file.relative_to(root).parts))
            count += 1
    return count


# Drivers


def copy_units(dest: Path) -> int:
    """Copy the drivers of the units; return how many."""
    target = dest / "units"
    target.mkdir(parents=True, exist_ok=True)
    drivers = sorted((DRIVERS / "units").glob("*.c"))
    for driver in drivers:
        shutil.copyfile(driver, target / driver.name)
    return len(drivers)


def write_versions(dest: Path) -> int:
    """Write one driver for each version: @SRC@ stands for the folder of the real file."""
    count = 0
    for series in SERIES:
        text = (DRIVERS / "versions" / f"{series.name}.c").read_text()
        for version, folder in series.folders.items():
            target = dest / "versions" / series.name / version / f"{series.name}.c"
            target.parent.mkdir(parents=True, exist_ok=True)
            real = f"../../../src/{series.package}-{version}/{folder}"
            target.write_text(text.replace("@SRC@", real))
            count += 1
    return count


def main(argv: Sequence[str] | None = None) -> int:
    """Fetch what is missing, write the drivers, and say what is there."""
    parser = argparse.ArgumentParser(description="Fetch real C files and write closed drivers for them.")
    parser.add_argument("dest", type=Path, metavar="DEST", help="folder to fill (made if missing)")
    dest: Path = parser.parse_args(argv).dest.resolve()
    src = dest / "src"
    src.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as work:
            fetch_debian(src, Path(work))
            fetch_series(src, Path(work))
        units, versions, obligations = copy_units(dest), write_versions(dest), copy_obligations(src, dest)
    except CorpusError as error:
        print(f"tailor_corpus: {error}", file=sys.stderr)
        return 1
    print(f"{units} units, {versions} drivers of versions and {obligations} obligations in {dest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
