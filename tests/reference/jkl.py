"""The ``.jkl`` format read and written one line at a time, in plain Python."""

from __future__ import annotations

import math


class Refused(Exception):
    """The text is not a cache; ``line`` is the number of the first line at fault."""

    def __init__(self, line, why):
        super().__init__(f"line {line}: {why}")
        self.line = line


def read(text: str):
    """Return ``{name: [(score, (parent names in order of blocks)), ...]}``, best first; or raise Refused."""
    everything = text.removeprefix("\ufeff").split("\n")
    if everything[-1] == "":
        everything.pop()
    lines = [(number, line.split()) for number, line in enumerate(everything, start=1)]
    lines = [(number, words) for number, words in lines if words and not words[0].startswith("#")]
    end = len(everything)
    need(lines, end, "no count")
    number, words = lines.pop(0)
    need(len(words) == 1 and is_count(words[0]) and int(words[0]) > 0, number, "count")
    num_variables = int(words[0])
    blocks = {}
    for _ in range(num_variables):
        need(lines, end, "too few variables")
        number, words = lines.pop(0)
        need(len(words) == 2 and is_count(words[1]) and words[0] not in blocks, number, "header")
        name, num_sets = words[0], int(words[1])
        blocks[name] = []
        for _ in range(num_sets):
            need(lines, end, "too few sets")
            number, words = lines.pop(0)
            score = read_score(words[0], number)
            need(len(words) > 1 and is_count(words[1]) and int(words[1]) == len(words) - 2, number, "size")
            need(len(set(words[2:])) == len(words[2:]) and name not in words[2:], number, "parents")
            blocks[name].append((number, score, words[2:]))
    need(not lines, lines[0][0] if lines else end, "text after the end")
    order = {name: index for index, name in enumerate(blocks)}
    return {name: in_order(sets, order) for name, sets in blocks.items()}


def in_order(sets, order):
    for number, _, parents in sets:
        need(all(parent in order for parent in parents), number, "unknown parent")
    result = [(number, score, sorted(order[p] for p in parents)) for number, score, parents in sets]
    seen = set()
    for number, _, parents in result:
        need(tuple(parents) not in seen, number, "listed twice")
        seen.add(tuple(parents))
    result.sort(key=lambda one: (-one[1], len(one[2]), one[2]))
    return [(score, tuple(parents)) for _, score, parents in result]


def write(blocks) -> str:
    names = list(blocks)
    lines = [str(len(names))]
    for name, sets in blocks.items():
        lines.append(f"{name} {len(sets)}")
        lines += [" ".join([repr(score), str(len(ps)), *(names[p] for p in ps)]) for score, ps in sets]
    return "\n".join(lines) + "\n"


def is_count(word):
    return word.isascii() and word.isdigit() and int(word) < 2**63


def read_score(word, number):
    try:
        score = float(word.replace(",", "."))
    except ValueError:
        raise Refused(number, "score") from None
    need(math.isfinite(score), number, "score")
    return score


def need(condition, line, why):
    if not condition:
        raise Refused(line, why)
