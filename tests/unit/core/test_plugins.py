"""Whether a class is what a port wants: what it lacks, what does not fit, and what is nearly a hook."""

from abc import ABC, abstractmethod
from functools import cache
from types import ModuleType
from typing import ClassVar

import pytest

from gainsay.core import plugins
from gainsay.core.engine import Engine
from gainsay.core.family import Family
from gainsay.core.oracle import Recipe
from gainsay.core.plugins import complaints
from gainsay.core.split_analyzer import SplitAnalyzer


class Port(ABC):
    name: ClassVar[str]
    is_strict: ClassVar[bool] = False

    @abstractmethod
    def ask(self, text, seats):
        """Required."""

    def tidy(self, scene):
        return scene


class Sound(Port):
    name = "sound"

    def ask(self, text, seats):
        return text


PLACE = f"{Port.__module__}.Port"


def made(**members):
    return type("Made", (Sound,), members)


def test_a_sound_plugin_has_nothing_to_be_said_of():
    assert complaints(Port, Sound) == []
    assert complaints(Port, made(helper=lambda self: 1, tidy=lambda self, scene: scene, _is_strickt=1)) == []


@pytest.mark.parametrize("plugin", [ModuleType("mine"), Sound(), int, type("Alike", (), dict(vars(Sound)))])
def test_what_is_no_class_derived_from_the_port_is_refused(plugin):
    assert complaints(Port, plugin) == [f"is no class derived from {PLACE}"]


def test_all_that_is_missing_is_named():
    assert complaints(Port, type("Partial", (Port,), {})) == [f"has no name, ask ({PLACE} says what each is)"]


@pytest.mark.parametrize("name", ["is_strickt", "IS_STRICT", "isstrict", "strict", "has_strict"])
def test_a_name_that_is_nearly_a_hooks_is_refused_with_that(name):
    remedy = "Did you mean is_strict? If not, give it another name or begin it with _"
    assert complaints(Port, made(**{name: True})) == [f"has {name}, which is no hook. {remedy}"]


@pytest.mark.parametrize("name", ["restricted", "naming", "tidied"])
def test_a_name_that_is_further_off_is_the_plugins_own(name):
    assert complaints(Port, made(**{name: True})) == []


@pytest.mark.parametrize(
    ("port", "name", "meant"),
    [
        (Family, "strict", "is_strict"),
        (Family, "readonly", "is_readonly"),
        (Family, "legal", "is_legal"),
        (Family, "barren", "is_barren"),
        (Family, "noisy", "is_noisy"),
        (Recipe, "alone", "is_alone"),
        (SplitAnalyzer, "per_file", "is_per_file"),
        (Engine, "prooves", "prove"),
    ],
)
def test_a_slip_of_a_real_port_is_refused(port, name, meant):
    (told,) = plugins.slips(port, type("Mine", (port,), {name: True}))
    assert told.startswith(f"has {name}, which is no hook. Did you mean {meant}?")


def test_a_name_that_is_only_annotated_is_looked_at_too():
    assert "Did you mean is_strict?" in complaints(Port, made(__annotations__={"is_strickt": bool}))[0]


def test_a_name_of_a_class_in_between_is_looked_at_too():
    class Between(Sound):
        is_strickt = True

    assert "Did you mean is_strict?" in complaints(Port, type("Last", (Between,), {}))[0]


def test_a_name_that_is_nearly_one_of_a_class_in_between_is_refused_once():
    class Between(Sound):
        programs = ()

    class Next(Between):
        program = ()

    told = "has program, which is no hook. Did you mean programs? If not, give it another name or begin it with _"
    assert complaints(Port, type("Last", (Next,), {"program": 1})) == [told]


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"ask": lambda self, text: text}, "has ask(text), which must be ask(text, seats)"),
        ({"ask": lambda self, seats, text: text}, "has ask(seats, text), which must be ask(text, seats)"),
        ({"tidy": lambda self, scene, more=1: scene}, "has tidy(scene, more), which must be tidy(scene)"),
        ({"tidy": staticmethod(lambda: 1)}, "has tidy(), which must be tidy(scene)"),
        ({"tidy": 1}, "has tidy as a value, which must be a method"),
        ({"is_strict": lambda self: True}, "has is_strict as a method, which must be a value"),
    ],
)
def test_a_hook_that_can_not_be_called_as_the_port_calls_it_is_refused(members, told):
    assert complaints(Port, made(**members)) == [told]


@pytest.mark.parametrize(
    "members",
    [
        {"tidy": staticmethod(lambda scene: scene)},
        {"tidy": classmethod(lambda cls, scene: scene)},
        {"tidy": cache(lambda self, scene: scene)},
        {"is_strict": property(lambda self: True)},
    ],
)
def test_a_hook_may_be_made_in_other_ways(members):
    assert complaints(Port, made(**members)) == []


def test_a_plugin_is_found_by_module_and_attribute():
    assert plugins.loaded("gainsay.core.plugins:complaints") is complaints
    assert plugins.loaded("gainsay.core.plugins") is plugins
    assert plugins.file_of(Sound) == __file__


def test_the_fields_that_recipes_have_are_no_slips():
    fields = ("question", "query", "condition", "mode", "ways", "rule", "tactic", "index", "table")
    assert list(plugins.slips(Recipe, type("Mine", (Recipe,), {"__annotations__": dict.fromkeys(fields, str)}))) == []


def test_what_is_not_one_of_ours_is_named_by_its_module():
    ours = {"mine": 1}
    assert plugins.among(ours, "mine") == 1 and plugins.among(ours, "functools:cache") is cache
    with pytest.raises(KeyError):
        plugins.among(ours, "functools")
