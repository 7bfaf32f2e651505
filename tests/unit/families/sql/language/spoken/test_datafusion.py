"""DataFusion's dialect: what it spells otherwise."""

from gainsay.families.sql.language.spoken.datafusion import DATAFUSION
from sql_cases import A1, ONE, T0, op, select, text


def test_columns_of_a_select_list_have_different_names():
    assert text(select(T0, A1, T0), DATAFUSION) == "SELECT t0.c0, a1.c0, t0.c0 AS y2 FROM t0"
    assert text(select(T0, ONE), DATAFUSION) == "SELECT t0.c0, 1 FROM t0"


def test_nothing_is_divided_by_zero():
    assert text(op("div", T0, ONE), DATAFUSION) == "(t0.c0 / NULLIF(1, 0))"
    assert text(op("%", T0, ONE), DATAFUSION) == "(t0.c0 % NULLIF(1, 0))"


def test_every_switch_can_be_turned_back_by_a_setting_of_the_same_names():
    for name, switch in DATAFUSION.switches.items():
        turned, back = ([each.split()[1] for each in t.split("; ")] for t in (switch.turn, switch.back))
        assert turned == back, name
