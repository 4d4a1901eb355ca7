"""Hypothesis generators of small caches and of the many ways in which people write them down."""

from __future__ import annotations

from hypothesis import strategies as st

from treebound import CacheError, ParentSetCache

scores = st.floats(-1e6, 1e6, allow_nan=False) | st.sampled_from([-1.0, -2.0, 0.0])
plain_names = st.text("abcXYZ_-.|:é中", min_size=1, max_size=6)


@st.composite
def blocks(draw, max_variables=5, names=plain_names):
    """``{name: [(score, parents)]}`` in any order, parents as ascending indexes."""
    n = draw(st.integers(1, max_variables))
    chosen = draw(
        st.just([str(i) for i in range(n)])
        | st.permutations([str(i) for i in range(n)])
        | st.lists(names, min_size=n, max_size=n, unique=True)
    )
    result = {}
    for v, name in enumerate(chosen):
        others = [u for u in range(n) if u != v]
        members = st.sets(st.sampled_from(others)) if others else st.just(set())
        parent_sets = st.lists(members.map(lambda s: tuple(sorted(s))), unique=True, max_size=6)
        result[name] = [(draw(scores), parents) for parents in draw(parent_sets)]
    return result


def small_caches(max_variables=5, names=plain_names):
    return blocks(max_variables, names).map(
        lambda b: ParentSetCache.from_sets({name: [(ps, s) for s, ps in sets] for name, sets in b.items()})
    )


@st.composite
def careless_sets(draw):
    """Sets of each variable as (score, parents), many in order, some with a fault or two."""
    n = draw(st.integers(1, 3))
    few_scores = st.sampled_from([-1.0, -2.0, -3.0]) | st.sampled_from([float("nan"), float("inf")])
    members = st.lists(st.integers(0, n), max_size=3) | st.sets(st.integers(0, n - 1)).map(sorted)
    variables = draw(st.lists(st.lists(st.tuples(few_scores, members), max_size=3), min_size=n, max_size=n))
    if draw(st.booleans()):
        variables = [
            [
                (draw(st.sampled_from([-1.0, -2.0])), parents)
                for parents in ([], *([u] for u in range(n) if u != v))
            ]
            for v in range(n)
        ]
        variables = [sorted(sets, key=lambda one: (-one[0], len(one[1]), one[1])) for sets in variables]
        if draw(st.booleans()):
            v = draw(st.integers(0, n - 1))
            variables[v] = draw(st.permutations([*variables[v], draw(st.sampled_from(variables[v]))]))
    return variables


@st.composite
def dialects(draw, text):
    """The same ``.jkl`` text as another program might have written it."""
    comma = draw(st.booleans())
    lines = []
    for line in text.splitlines():
        words = line.split(" ")
        if comma and len(words) > 1 and "." in words[0] and _is_number(words[0]) and words[1].isdigit():
            words[0] = words[0].replace(".", ",")
        comments = st.sampled_from(["# Time for variable: 0.23 ", "#", "", "   ", "\t# x"])
        lines += draw(st.lists(comments, max_size=2))
        blank = draw(st.sampled_from([" ", "\t", "  "]))
        lines.append(
            draw(st.sampled_from(["", blank])) + blank.join(words) + draw(st.sampled_from(["", blank]))
        )
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + newline.join(lines) + draw(st.sampled_from(["", newline]))


def _is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def outcome(read, *arguments):
    """What ``read`` gives, or the words of its CacheError; any other exception escapes."""
    try:
        return read(*arguments)
    except CacheError as error:
        return str(error)
