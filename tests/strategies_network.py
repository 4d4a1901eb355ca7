"""Hypothesis generators of whole networks: any names, any labels, any shape, tables down to the last bit."""

from __future__ import annotations

from hypothesis import strategies as st

from strategies_structure import dags
from treebound import BayesianNetwork, Schema, Variable

NASTY = [
    "a b", " a", "a ", "a\tb", "a\nb", '"', "a\"b", "'", ",", "a,b", "a|b", "(", ")", "{x}", "a;",
    "<=3", ">3", "[0, 1)", "[1]", "&amp;", "<b>", "]]>", "%", "%20", "~", "~20", "#1", "//x", "/* x */",
    "\\", "\\n", "é", "中", "\u200b", "\ud800", "\0", "\x85", "table", "default", "Table", "property",
    "node", "net", "x_", "x__3", "_3", "_", "__", "1", "01", "1.0", "1e-3", "-1", "+1", "nan", "inf",
    "true", "True", "None", "treebound_name", "=", "a=b", ":", "a", "A", "x_1", "x_1_2",
]  # fmt: skip

any_texts = st.sampled_from(NASTY) | st.text(max_size=6)
names = st.sampled_from(NASTY) | st.text(min_size=1, max_size=6)
words = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_]{0,5}\Z")


@st.composite
def distributions(draw, size):
    """Weights over their sum; zeros among them, and numbers with as many digits as doubles have."""
    weights = draw(
        st.lists(st.sampled_from([0, 1, 1, 2, 3, 7, 1e-9]) | st.floats(0, 1), min_size=size, max_size=size)
    )
    total = sum(weights)
    return [weight / total for weight in weights] if total > 1e-200 else [1.0] + [0.0] * (size - 1)


@st.composite
def networks(draw, names=names, labels=any_texts, max_variables=4, max_states=3):
    """A network over few variables of 1 to 3 states, in no particular order, with or without a witness."""
    parents = draw(dags(max_variables=max_variables, max_parents=3))
    n = len(parents)
    called = draw(st.lists(names, min_size=n, max_size=n, unique=True))
    states = [draw(st.lists(labels, min_size=1, max_size=max_states, unique=True)) for _ in range(n)]
    shuffled = [tuple(draw(st.permutations(family))) for family in parents]
    tables = []
    for v, family in enumerate(shuffled):
        rows = 1
        for parent in family:
            rows *= len(states[parent])
        tables.append([p for _ in range(rows) for p in draw(distributions(len(states[v])))])
    order = draw(st.none() | st.permutations(range(n)))
    schema = Schema(tuple(Variable(name, tuple(labels)) for name, labels in zip(called, states, strict=True)))
    return BayesianNetwork.from_indices(schema, shuffled, tables, order)
