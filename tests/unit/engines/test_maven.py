"""What Maven brings, without Maven: archives are unpacked, what it says is heard."""

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from gainsay.engines import maven
from gainsay.errors import EnvironmentProblem


def tar_with(name, content):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as made:
        told = tarfile.TarInfo(name)
        told.size = len(content)
        made.addfile(told, io.BytesIO(content))
    return packed.getvalue()


def test_programs_in_an_archive_in_a_jar_can_be_run(tmp_path, monkeypatch):
    monkeypatch.setattr(maven, "SMALLEST", 0)
    jar = tmp_path / "x.jar"
    with zipfile.ZipFile(jar, "w") as made:
        made.writestr("linux.txz", tar_with("bin/server", maven.ELF + b"..."))
        made.writestr("Mac_OS_X.txz", tar_with("bin/server", b"for another platform"))
        made.writestr("share/words", "words")
    maven.unpack(jar, tmp_path)
    program = tmp_path / "bin" / "server"
    assert program.read_bytes().startswith(maven.ELF) and program.stat().st_mode & 0o111
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["server", "words"]


def test_without_maven_the_remedy_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentProblem, match=r"Maven, which is not here\. .*apt-get install maven"):
        maven.bring("mvn:g:a:1", tmp_path / "x", True)
    assert maven.versions("mvn:g:a") == []


def test_without_java_the_remedy_is_told(tmp_path, monkeypatch):
    (tmp_path / "mvn").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(EnvironmentProblem, match=r"needs a Java, and there is none\. .*apt-get install maven"):
        maven.bring("mvn:g:a:1", tmp_path / "x", True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").touch()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert maven.is_there()


def test_what_maven_refuses_is_told_in_its_words(tmp_path, monkeypatch):
    said = "\x1b[0m[ERROR] no such artifact\n[ERROR] \n[ERROR] Help\n"
    monkeypatch.setattr(maven, "lacking", lambda: "")
    monkeypatch.setattr(maven, "mvn", lambda *_: subprocess.CompletedProcess([], 1, said, ""))
    assert maven.bring("mvn:g:a:1", tmp_path / "x", True) == "no such artifact"


def test_versions_are_those_of_the_metadata(tmp_path, monkeypatch):
    monkeypatch.setattr(maven, "is_there", lambda: True)
    monkeypatch.setattr(maven, "mvn", lambda *_: None)
    monkeypatch.setattr(maven, "repository", lambda: tmp_path)
    home = tmp_path / "g" / "h" / "a"
    home.mkdir(parents=True)
    Path(home / "maven-metadata-x.xml").write_text("<version>1.0</version><version>1.1</version>")
    assert maven.versions("mvn:g.h:a") == ["1.0", "1.1"]
