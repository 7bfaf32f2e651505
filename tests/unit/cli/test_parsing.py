import pytest

from gainsay.cli import parsing
from gainsay.errors import UsageError


def test_durations_and_sizes():
    assert [parsing.duration(t, "--for") for t in ("60s", "2m", "1h", "90", "500ms")] == [60, 120, 3600, 90, 0.5]
    assert parsing.size("2G", "--memory") == 2 << 30
    assert parsing.size("512M", "--memory") == 512 << 20


@pytest.mark.parametrize("text", ["0", "0s", "-1s", "soon", "", "5 parsecs"])
def test_a_bad_duration_names_the_option(text):
    with pytest.raises(UsageError, match="--for"):
        parsing.duration(text, "--for")


@pytest.mark.parametrize("text", ["0", "-3", "x", "1.5"])
def test_a_bad_number_names_the_option(text):
    with pytest.raises(UsageError, match="--checks"):
        parsing.number(text, "--checks")
