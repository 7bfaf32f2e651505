"""MySQL's kin: what a reproducer says where it can't come by a server."""

import os
import subprocess
import sys

import pytest

from gainsay.core import registry


@pytest.mark.parametrize(("hidden", "said"), [("pymysql", "pip install PyMySQL"), ("gainsay", "No module named")])
def test_a_reproducer_says_what_it_needs(tmp_path, hidden, said):
    (tmp_path / f"{hidden}.py").write_text(f"raise ImportError(\"No module named '{hidden}'\")")
    text = registry.engine("tidb").repro("", {}, ())
    kept = {k: v for k, v in os.environ.items() if not k.startswith("MYSQL_")}
    result = subprocess.run(
        [sys.executable, "-c", text],
        env={**kept, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = result.stderr.strip().splitlines()[-1]
    assert said in told and "set MYSQL_HOST" in told and "GAINSAY_TIDB_PASSWORD" in told and "repro.sql" in told
