"""Oracles for tests of ourselves only: one asks nothing, one asks and claims nothing, one claims without asking. They
are found as any third-party oracle is."""

from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.model import Step
from gainsay.oracles.sql_norec import Norec


class Silent(Norec):
    name = "silent"
    about = "asks nothing"

    def converse(self, scene, recipe, seats):
        return iter(())


class Curious(Norec):
    name = "curious"
    about = "asks, and claims nothing"

    def converse(self, scene, recipe, seats):
        yield Step("question", recipe.query)


class Knowing(Norec):
    name = "knowing"
    about = "claims, and asks nothing"

    def converse(self, scene, recipe, seats):
        yield Claim("sum", Side(value=((1,),)), Relation.SAME_BAG, Side(value=((1,),)), "One is one.")
