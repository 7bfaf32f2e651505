"""GDsmith's config.json is read as it is, and what is wrong with it is said without its secrets."""

import json

import pytest

from gainsay.cli.targets import targets
from gainsay.core.model import Target
from gainsay.errors import UsageError

SECRET = "s3cr3t-word"


def written(tmp_path, content):
    path = tmp_path / "config.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def test_the_example_of_gdsmith_is_read(tmp_path):
    command = 'docker run -d -e REDISGRAPH_ARGS="TIMEOUT=1000" -p 6379:6379 -it --rm redislabs/redisgraph:2.8.20'
    content = {
        "memgraph@2.4.0": {"port": 7687, "host": "localhost", "username": "neo4j", "password": SECRET},
        "redisgraph@2.8.17": {
            "port": 6379,
            "host": "10.0.0.1",
            "username": "neo4j",
            "password": SECRET,
            "restart-command": command,
        },
    }
    memgraph, redisgraph = targets(written(tmp_path, content))
    assert memgraph.engine == "memgraph" and memgraph.version == ""
    assert dict(memgraph.options) == {
        "name": "2.4.0",
        "host": "localhost",
        "port": "7687",
        "username": "neo4j",
        "password": SECRET,
    }
    assert dict(redisgraph.options)["restart"] == command
    assert SECRET not in str(redisgraph) and SECRET not in repr(redisgraph.public())


def test_labels_are_free_text_and_hosts_may_be_left_out(tmp_path):
    first, second = targets(written(tmp_path, {"neo4j@my optimization #2": {}, "neo4j": {"port": "10101"}}))
    assert first == Target("neo4j", options=(("name", "my optimization #2"), ("host", "localhost")))
    assert dict(second.options) == {"host": "localhost", "port": "10101"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"neo4j@1": {"port": 7687,}}', "line 1, column"),
        ('{\n "neo4j@1": {"port" 7687}}', "line 2, column"),
        ("[]", "names no targets"),
        ("{}", "names no targets"),
        ('"neo4j"', "names no targets"),
        ({"neo4g@1": {}}, "Did you mean neo4j"),
        ({"janusgraph@1": {}}, "neo4j, redisgraph and memgraph"),
        ({"duckdb@1": {}}, "has no server"),
        ({"neo4j@1": []}, "must be an object"),
        ({"neo4j@1": {"pasword": SECRET}}, "Did you mean password"),
        ({"neo4j@1": {"port": 0}}, "from 1 to 65535"),
        ({"neo4j@1": {"port": 65536}}, "from 1 to 65535"),
        ({"neo4j@1": {"port": "x"}}, "from 1 to 65535"),
        ({"neo4j@1": {"port": True}}, "from 1 to 65535"),
        ({"neo4j@1": {"port": 7687.5}}, "from 1 to 65535"),
        ({"neo4j@1": {"password": 12345}}, "text in quotes"),
        ('{"neo4j@1": {}, "neo4j@1": {}}', "twice"),
    ],
)
def test_what_is_wrong_is_said_with_the_remedy(tmp_path, content, words):
    with pytest.raises(UsageError) as error:
        targets(written(tmp_path, content))
    assert words in str(error.value)
    assert SECRET not in str(error.value) and "12345" not in str(error.value)


def test_a_file_that_is_not_there_or_not_text(tmp_path):
    with pytest.raises(UsageError, match="There is no file"):
        targets(str(tmp_path / "none.json"))
    path = tmp_path / "binary"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8"):
        targets(str(path))
    with pytest.raises(UsageError, match="can't be read"):
        targets(str(tmp_path))
