import pytest

from gainsay.core.model import Target
from gainsay.errors import UsageError


@pytest.mark.parametrize(
    "text",
    [
        "sqlite",
        "sqlite@3.46.1",
        "duckdb:no-optimizer",
        "duckdb@1.2.2:no-optimizer+verify",
        "sqlite?lib=/a/b.so.0",
        "x@1:a+b?k=v&l=w",
    ],
)
def test_a_target_reads_back_as_it_was_written(text):
    assert str(Target.parse(text)) == text


def test_a_target_never_shows_a_secret():
    assert "geheim" not in str(Target.parse("neo4j?url=bolt://h&password=geheim"))


@pytest.mark.parametrize("text", ["", "SQLITE", "sqlite@", "sqlite?lib", "?lib=x", "-x"])
def test_what_is_no_target_gets_a_remedy(text):
    with pytest.raises(UsageError, match="key=value"):
        Target.parse(text)
