"""Targets that are asked side by side, and an end that comes while one is being started."""

import threading

from gainsay.campaign import gathering
from gainsay.core.model import Target


class Host:
    """A host that is told to end, or not."""

    killed = False

    def kill(self):
        self.killed = True


def test_a_host_that_is_being_started_when_the_gathering_ends_is_ended_too(monkeypatch):
    host, begun, go_on = Host(), threading.Event(), threading.Event()

    def starting(target):
        begun.set()
        go_on.wait(10)
        return host

    monkeypatch.setattr(gathering, "HostedPlayer", starting)
    asking = gathering.Gathering([Target("sqlite")], lambda target, gathered: gathered.start(target))
    assert begun.wait(10)
    threading.Timer(0.2, go_on.set).start()
    asking.close()
    assert host.killed
    ((_, said),) = asking.all()
    assert "nobody waits" in str(said)
