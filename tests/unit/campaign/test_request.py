"""What is wrong with a request is told before anything is started."""

import pytest

from gainsay.campaign.request import Request, check_request
from gainsay.core.model import Target
from gainsay.errors import UsageError


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"settings": {"sqk.mix": "small"}}, "nothing here is called 'sqk'. Did you mean sql"),
        ({"settings": {"cq.depth": "4"}}, "'cq' is of datalog, and these targets are of sql."),
        ({"settings": {"sql.mixx": "small"}}, "sql has no parameter 'mixx'. Did you mean mix"),
        ({"settings": {"sql.mix": "large"}}, "no mix 'large'"),
        ({"oracles": ("storm",)}, "none of these targets has that oracle"),
        ({"oracles": ("nrec",)}, "norec"),
        ({"oracles": ("differential",)}, "name two or more of one family"),
        ({"targets": (Target("sqlite"), Target("sqlite"))}, "named twice"),
        ({"targets": (Target.parse("sqlite?bin=x"),)}, "has no option 'bin'"),
        ({"targets": (Target.parse("duckdb:noopt"),)}, "has no configuration 'noopt'"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_started(request_, said):
    asked = {"targets": (Target("sqlite"),), "oracles": (), "settings": {}} | request_
    with pytest.raises(UsageError) as told:
        check_request(Request(**asked))
    assert said in str(told.value)


def test_a_sound_request_is_taken():
    check_request(Request((Target("sqlite"), Target("duckdb")), ("differential", "tlp"), {"sql.mix": "small"}))
    check_request(Request((), ("storm",), {}))
