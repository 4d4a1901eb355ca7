"""Slow twins of reading, encoding and binning a table: plain Python, row by row, without the core."""

from __future__ import annotations

import csv
import datetime
import io
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

MISSING = {"", "NA", "NaN", "nan", "null"}


@dataclass
class Sheet:
    """A text file cut into cells: the line each row starts on, rows of the wrong length apart."""

    names: list[str]
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    ragged: list[tuple[int, int]] = field(default_factory=list)


def read_csv(text: str, delimiter: str) -> Sheet | None:
    """The cells of separated text by the csv module of Python; None if its quotes are wrong."""
    reader = csv.reader(
        io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter, strict=True
    )
    sheet = Sheet([])
    line = 1
    try:
        for row in reader:
            if not sheet.names:
                sheet.names = row
            elif row or len(sheet.names) == 1:
                add_row(sheet, row or [""], line)
            line = reader.line_num + 1
    except csv.Error:
        return None
    return sheet


def read_dat(text: str) -> Sheet:
    """The cells of a .dat file without quotes; the row of cardinalities comes first."""
    sheet = Sheet([])
    for line, words in enumerate(io.StringIO(text), start=1):
        row = words.replace(",", " ").split()
        if not sheet.names:
            sheet.names = row
        elif row:
            add_row(sheet, row, line)
    return sheet


def add_row(sheet: Sheet, row: list[str], line: int) -> None:
    if len(row) == len(sheet.names):
        sheet.rows.append(row)
        sheet.lines.append(line)
    else:
        sheet.ragged.append((line, len(row)))


def is_integer(label: str) -> bool:
    try:
        return str(int(label)) == label and -(2**63) <= int(label) < 2**63
    except ValueError:
        return False


def number(label: str) -> float | None:
    """The number that a label spells; codes with leading zeros, or longer than an integer, spell none."""
    if not label.isascii() or "_" in label or label != label.strip():
        return None
    mantissa, _, exponent = label.lower().partition("e")
    whole = mantissa.lstrip("+-").partition(".")[0]
    if len(whole) > 18 or (len(whole) > 1 and whole[0] == "0") or len(exponent.lstrip("+-")) > 4:
        return None
    try:
        value = float(label)
    except ValueError:
        return None
    return None if math.isnan(value) else value


def states_of_text(labels: set[str]) -> tuple[str, list[str]] | str:
    """Kind and ordered states of the labels of a text column, or the kind of problem."""
    if all(map(is_integer, labels)):
        return "integer", sorted(labels, key=int)
    numbers = {label: number(label) for label in labels}
    if None not in numbers.values() and any(map(math.isfinite, numbers.values())):
        if any(map(math.isinf, numbers.values())):
            return "infinite"
        if any(value != math.floor(value) for value in numbers.values()):
            return "float"
        if len(set(numbers.values())) < len(labels):
            return "same label"
        return "float", sorted(labels, key=numbers.get)
    if {label.casefold() for label in labels} <= {"true", "false"}:
        folded = {label.casefold() for label in labels}
        return ("boolean", sorted(labels, key=str.casefold)) if len(folded) == len(labels) else "same label"
    return "text", sorted(labels)


def infer_column(cells: list[str], max_states: int) -> tuple[str, list[str]] | set[str]:
    """Kind and states of a text column, or the kinds of all its problems."""
    problems = {"missing"} if MISSING & set(cells) else set()
    labels = set(cells) - MISSING
    if not labels:
        return {"empty column"}
    found = states_of_text(labels)
    if isinstance(found, str):
        return problems | {found}
    kind, states = found
    if len(states) > max_states or (kind == "text" and len(cells) >= 20 and len(states) == len(cells)):
        return problems | {"identifier"}
    return problems or found


def dat_problems(sheet: Sheet) -> set[tuple[str, str | None]]:
    """Kinds of problems of a .dat file with their columns."""
    if sheet.ragged:
        return {("ragged", None)}
    if len(sheet.rows) < 3:
        return {("one row" if len(sheet.rows) == 2 else "empty", None)}
    problems: set[tuple[str, str | None]] = set()
    for name, cardinality, *cells in zip(sheet.names, *sheet.rows, strict=True):
        states = {str(state) for state in range(int(cardinality))}
        if not set(cells) <= states | {"?"}:
            problems.add(("cardinality", name))
        elif "?" in cells:
            problems.add(("missing" if set(cells) != {"?"} else "empty column", name))
    return problems


def quantile_bins(values: list[float], bins: int) -> list[int]:
    """Bins of counts as equal as possible, cut only between distinct values."""
    distinct = sorted(set(values))
    cuts = set()
    for k in range(1, bins):
        starts = distinct[1:]
        if starts:
            cuts.add(min(starts, key=lambda c: (abs(bins * sum(v < c for v in values) - k * len(values)), c)))
    return [sum(value >= cut for cut in cuts) for value in values]


def width_bins(values: list[float], bins: int, *, is_whole: bool) -> list[int]:
    """Bins of equal width; those of integers start at integers."""
    low, high = min(values), max(values)
    cuts = {low + (high - low) * k / bins for k in range(1, bins)}
    if is_whole:
        cuts = {math.ceil(cut) for cut in cuts}
    return [sum(value >= cut > low for cut in cuts) for value in values]


def date(label: str) -> str | None:
    """The date that a label spells: a day, and a time of day only if it is not midnight."""
    formats = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f")
    formats += tuple(form.replace("%Y-%m-%d", day) for form in formats for day in ("%d.%m.%Y", "%Y/%m/%d"))
    for form in (*formats, *(form.replace(" ", "T") for form in formats)):
        try:
            moment = datetime.datetime.strptime(label, form)
        except ValueError:
            continue
        if "-" in form and [len(part) for part in label[:10].split("-")] != [4, 2, 2]:
            return None
        return str(moment).removesuffix(" 00:00:00")
    return None


def date_in_order(label: str, order: str) -> str | None:
    """The date that a label such as 5/6/2024 spells, with the day (dmy) or the month (mdy) first."""
    day = "%d/%m/%Y" if order == "dmy" else "%m/%d/%Y"
    clocks = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
    for form in (day + clock for clock in clocks):
        for written in (form, form.replace("/", "-")):
            try:
                return str(datetime.datetime.strptime(label, written)).removesuffix(" 00:00:00")
            except ValueError:
                continue
    return None


def lower_median(values: list[float]) -> float:
    """The number in the middle, the lower one of two."""
    return sorted(values)[(len(values) - 1) // 2]


def counts(values: list[float]) -> dict[float, int]:
    """How often each number occurs."""
    return {value: values.count(value) for value in values}


def is_cut(values: list[float], bins: int) -> bool:
    """Whether a column of numbers is cut: if it has more distinct values than there are bins."""
    return len(set(values)) > bins


def all_cuts(distinct: list[float], most_bins: int) -> list[tuple[float, ...]]:
    """All ways to cut ascending values into two bins or more; a bin begins with the value at its cut."""
    return [cuts for k in range(2, most_bins + 1) for cuts in itertools.combinations(distinct[1:], k - 1)]


def bins_of(values: list[float], cuts: Sequence[float]) -> list[list[int]]:
    """The rows in each bin."""
    found: list[list[int]] = [[] for _ in range(len(cuts) + 1)]
    for row, value in enumerate(values):
        found[sum(value >= cut for cut in cuts)].append(row)
    return found


def histogram_length(values: list[float], cuts: Sequence[float]) -> float:
    """Equation 14 of Kontkanen and Myllymaki (2007) in nats, without the precision, which all share."""
    distinct, n = sorted(set(values)), len(values)
    middles = [(a + b) / 2 for a, b in itertools.pairwise(distinct)]
    low = distinct[0] - (middles[0] - distinct[0])
    high = distinct[-1] + (distinct[-1] - middles[-1])
    ends = [low, *(middles[distinct.index(cut) - 1] for cut in cuts), high]
    # The unit of length is the same for all histograms, as the core takes it: half the largest gap.
    unit = max(b - a for a, b in itertools.pairwise(distinct)) / 2
    nats = 0.0
    for rows, (start, end) in zip(bins_of(values, cuts), itertools.pairwise(ends), strict=True):
        nats -= len(rows) * math.log(len(rows) / (n * (end - start) / unit))
    bins = len(cuts) + 1
    return nats + math.log(multinomial_complexity(n, bins)) + math.log(math.comb(len(distinct) - 1, bins - 1))


def multinomial_complexity(n: int, num_values: int) -> float:
    """The sum of the maximum likelihoods of all tables of n rows."""
    return sum(
        math.factorial(n)
        / math.prod(map(math.factorial, counts))
        * math.prod((count / n) ** count for count in counts)
        for counts in itertools.product(range(n + 1), repeat=num_values)
        if sum(counts) == n
    )


def binomial_complexity(n: int) -> float:
    """The same for two values and many rows."""
    return sum(math.comb(n, h) * h**h * (n - h) ** (n - h) / n**n for h in range(n + 1))


def modl_length(values: list[float], classes: list[str], cuts: Sequence[float]) -> float:
    """The criterion of Boulle (2006) in nats, without the choice of the number of bins, which all share."""
    n, kinds, bins = len(values), sorted(set(classes)), bins_of(values, cuts)
    nats = math.log(math.comb(n + len(bins) - 1, len(bins) - 1))
    for rows in bins:
        counts = [sum(classes[row] == kind for row in rows) for kind in kinds]
        nats += math.log(math.comb(len(rows) + len(kinds) - 1, len(kinds) - 1))
        nats += math.log(math.factorial(len(rows)) / math.prod(map(math.factorial, counts)))
    return nats


def same_up_to_names(one: list[object], other: list[object]) -> bool:
    """Whether each of two columns tells the other, value by value."""
    pairs = set(zip(one, other, strict=True))
    return len(pairs) == len(set(one)) == len(set(other))


def entropy(values: list[object]) -> float:
    """The entropy of the values in bits."""
    shares = [values.count(value) / len(values) for value in set(values)]
    return -sum(share * math.log2(share) for share in shares)
