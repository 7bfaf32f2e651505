from gainsay.core import graph


def parts(edges):
    return [sorted(part) for part in graph.components(edges)]


def test_a_graph_without_nodes_has_no_components():
    assert graph.components({}) == []


def test_a_component_comes_after_all_that_it_points_to():
    assert parts({"a": ["b"], "b": ["c"], "c": []}) == [["c"], ["b"], ["a"]]


def test_a_circle_is_one_component():
    assert parts({"a": ["b"], "b": ["c"], "c": ["a"]}) == [["a", "b", "c"]]


def test_a_node_that_points_to_itself_is_a_component_of_one():
    assert parts({"a": ["a"], "b": ["a"]}) == [["a"], ["b"]]


def test_two_circles_that_share_a_node_are_one_component():
    assert parts({"a": ["b"], "b": ["a", "c"], "c": ["b", "d"], "d": []}) == [["d"], ["a", "b", "c"]]


def test_two_circles_with_a_way_in_one_direction_are_two_components():
    assert parts({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": ["c"]}) == [["c", "d"], ["a", "b"]]


def test_a_way_across_to_a_finished_component_does_not_join_it():
    assert parts({"a": ["b", "c"], "b": [], "c": ["b"]}) == [["b"], ["c"], ["a"]]


def test_nodes_that_are_only_pointed_to_are_components_too():
    assert parts({1: [2, 3]}) == [[2], [3], [1]]


def test_a_long_chain_needs_no_deep_stack():
    chain = {n: [n + 1] for n in range(20_000)}
    assert graph.components(chain)[0] == [20_000]


def test_the_order_depends_on_the_order_of_the_mapping_only():
    edges = {f"n{i}": [f"n{(i * 7 + 3) % 50}", f"n{(i * 3) % 50}"] for i in range(50)}
    assert graph.components(edges) == graph.components({k: list(v) for k, v in edges.items()})


def test_components_are_those_of_mutual_reach():
    edges = {i: [(i * i + 1) % 23, (i * 5) % 23] for i in range(23)}
    component = {node: number for number, part in enumerate(graph.components(edges)) for node in part}
    for one in edges:
        for two in edges:
            is_mutual = two in graph.reach(edges, [one]) and one in graph.reach(edges, [two])
            assert (component[one] == component[two]) == is_mutual


def test_reach_includes_its_starts():
    assert graph.reach({}, ["a"]) == {"a"}


def test_reach_follows_every_way_and_ends_in_circles():
    assert graph.reach({"a": ["b", "c"], "b": ["a"], "d": ["a"]}, ["a"]) == {"a", "b", "c"}


def test_nothing_is_reached_from_nowhere():
    assert graph.reach({"a": ["b"]}, []) == set()
