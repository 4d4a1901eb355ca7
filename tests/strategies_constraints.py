"""Random constraints, as plain dictionaries, that may contradict themselves."""

from __future__ import annotations


def names_of(n):
    return tuple(f"x{i}" for i in range(n))


def random_constraints(source, n):
    """Constraints over x0, x1, ...: of each kind none or a few, by name and by pattern."""
    names = names_of(n)

    def some(most):
        return source.randint(0, most) if source.random() < 0.5 else 0

    def pair():
        return source.sample(names, 2) if n > 1 else None

    def pairs(most):
        return [pair() for _ in range(some(most))] if n > 1 else []

    knowledge = {
        "required": pairs(3),
        "forbidden": pairs(4),
        "adjacent": pairs(3),
        "not_adjacent": pairs(2),
        "tiers": [random_tiers(source, names)] if source.random() < 0.3 else [],
        "order": [source.sample(names, source.randint(2, min(3, n))) for _ in range(some(2)) if n > 1],
        "roots": source.sample(names, 1) if source.random() < 0.15 else [],
        "leaves": source.sample(names, 1) if source.random() < 0.15 else [],
        "max_parents": {source.choice([*names, "*", "x[0-2]"]): source.randint(0, 2) for _ in range(some(2))},
    }
    if source.random() < 0.2:
        knowledge["forbidden"].append([source.choice(["x[0-1]", "re:x[12]|x0"]), source.choice(["x*", "x0"])])
    if source.random() < 0.1:
        knowledge["groups"] = {"pair": list(source.sample(names, min(2, n)))}
        knowledge["not_adjacent"].append(["pair", names[-1]])
    return {kind: value for kind, value in knowledge.items() if value}


def random_tiers(source, names):
    mixed = source.sample(names, len(names))
    cut = sorted(source.sample(range(len(mixed) + 1), min(2, len(mixed))))
    levels = [mixed[: cut[0]], mixed[cut[0] : cut[-1]], mixed[cut[-1] :]]
    levels = [level for level in levels if level]
    if source.random() < 0.3:
        levels[-1] = ["*"]
    within = source.choice([True, True, False, [source.random() < 0.5 for _ in levels]])
    return {"levels": levels, "within": within, "only_next": source.random() < 0.2}
