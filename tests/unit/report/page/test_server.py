"""What is served: the page and its news, to who names this host and the unguessable path, and nothing else."""

import asyncio

import pytest

import hostile
from gainsay.campaign import config, events
from gainsay.errors import EnvironmentProblem
from gainsay.report.page import server
from gainsay.report.page.following import Following

TOKEN = "a-token-of-some-length"
HOSTS = frozenset({"127.0.0.1", "localhost"})


@pytest.fixture
def following(tmp_path):
    campaign, _ = hostile.hunt()
    config.save(campaign, tmp_path)
    journal = [events.Started("0", 1), hostile.finding()]
    (tmp_path / "journal.jsonl").write_bytes(b"".join(map(events.encode, journal)))
    (tmp_path / "secret.txt").write_text("a secret")
    return Following(tmp_path, [])


def get(following, path, host="127.0.0.1:80", method="GET"):
    """Status, headers and body of one request, by the server's own interface."""
    app = server.application(following, TOKEN, HOSTS)
    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(b"host", host.encode())], "scheme": "http", "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 9), "root_path": "", "http_version": "1.1", "asgi": {"version": "3.0"},
    }  # fmt: skip
    said = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        said.append(message)

    asyncio.run(app(scope, receive, send))
    headers = {key.decode(): value.decode() for key, value in said[0]["headers"]}
    return said[0]["status"], headers, b"".join(m.get("body", b"") for m in said[1:]).decode("utf-8", "replace")


def test_the_page_is_there_under_its_token_only(following):
    status, headers, body = get(following, f"/{TOKEN}/")
    assert status == 200 and "What was not tested" in body
    assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
    assert get(following, f"/{TOKEN}/sections")[0] == 200
    for path in ("/", "/sections", "/another-token/", f"/{TOKEN}/../secret.txt", f"/{TOKEN}/secret.txt"):
        assert get(following, path)[0] == 404, path
        assert "a secret" not in get(following, path)[2]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example"])
def test_another_host_is_not_served(following, host):
    status, _, body = get(following, f"/{TOKEN}/", host=host)
    assert status == 421
    assert "What was not tested" not in body


def test_nothing_can_be_changed(following):
    for method in ("POST", "PUT", "DELETE"):
        assert get(following, f"/{TOKEN}/", method=method)[0] == 405


def test_what_an_engine_says_is_escaped_in_what_is_renewed(following):
    body = get(following, f"/{TOKEN}/sections")[2]
    assert "<script" not in body
    assert "&lt;script&gt;alert(1)" in body


def test_news_are_told(following):
    class Request:
        asked = 0

        async def is_disconnected(self):
            self.asked += 1
            following.version += self.asked == 2
            return self.asked > 3

    async def told():
        return [text async for text in server.told(Request(), following)]

    said = asyncio.run(told())
    assert said[0].startswith("retry")
    assert [text for text in said if "event: renew" in text] == [f"event: renew\ndata: {following.version}\n\n"]


def test_a_port_in_use_is_told_with_the_remedy():
    taken = server.bound("127.0.0.1", 0)
    try:
        taken.listen()
        with pytest.raises(EnvironmentProblem, match="--port"):
            server.bound("127.0.0.1", taken.getsockname()[1])
    finally:
        taken.close()
