"""Workers and triage processes that are none: children whose part is played in the process of the tests."""

import os
from pathlib import Path

import msgspec

from gainsay.campaign import events
from gainsay.campaign.config import checks_per_episode
from gainsay.campaign.process import Child
from gainsay.campaign.recorder import Recorder


class Played(Child):
    """A child without a process: what it is sent, its actor hears, and what the actor says, it sends."""

    def __init__(self, log):
        self.fd, self._mouth = os.pipe()
        os.set_blocking(self.fd, False)
        self.log = log
        self.log.write_text("")
        self._rest = b""
        self.is_open, self.is_killed = True, False
        self.used_memory, self.used_cpu, self.code = 0, 0.0, -11

    def send(self, data):
        for line in data.splitlines():
            self.hear(line)

    def hear(self, line):
        raise NotImplementedError

    def say(self, *said):
        for event in said:
            os.write(self._mouth, events.encode(event))

    def die(self, said=""):
        self.log.write_text(said)
        os.close(self._mouth)

    def cpu(self):
        return self.used_cpu

    def memory(self):
        return self.used_memory

    def kill(self):
        self.is_killed = True
        self.close()
        return -9

    def end(self):
        self.close()
        return self.code

    def close(self):
        os.close(self.fd)
        self.fd = -1


class PlayedWorker(Played):
    """A worker that holds all checks of a lease at once. Tests override `work`."""

    def __init__(self, log, number):
        super().__init__(log)
        self.number = number  # which of all workers it is
        self.setup = None
        self.leases = []

    def hear(self, line):
        if self.setup is None:
            self.setup = msgspec.json.decode(line)
            self.say(events.Ready())
        else:
            self.leases.append(events.DECODER.decode(line))
            self.work(self.leases[-1].episodes)

    def work(self, stints):
        for stint in stints:
            self.hold(stint)
        self.say(events.Ready())

    def hold(self, stint, **counted):
        """Tell of an episode that was held to its end."""
        made = stint.checks - stint.start + stint.uncounted - len(stint.skip)
        counts = events.Counts(**{"checks": made, "answered": made, **counted})
        group = self.setup["group"]
        if stint.checks == checks_per_episode(group["family"]):
            self.say(events.Progress(group["key"], counts, done=(stint.episode,)))
        else:
            self.say(events.Progress(group["key"], counts, partial={stint.episode: stint.checks}))

    def record(self, episode, check, phase, text):
        """Note in the flight recorder what it does."""
        recorder = Recorder(Path(self.setup["recorder"]))
        recorder.at(episode, check, phase)
        recorder.stamp(check, text)
        recorder.close()


class PlayedTriage(Played):
    """A triage process that finds nothing in what it is given. Tests override `look`."""

    def __init__(self, log):
        super().__init__(log)
        self.jobs = []

    def hear(self, line):
        self.jobs.append(msgspec.json.decode(line))
        raw = msgspec.convert(self.jobs[-1]["raw"], events.Raw)
        self.look(self.jobs[-1], raw)

    def look(self, job, raw):
        self.say(events.Settled(raw.name, raw.claim, "", "nothing"))
