"""Hypothesis generators of tables and of the text files that hold them."""

from hypothesis import strategies as st

# Characters that mean something to a reader of separated text come up often.
DELIMITERS = st.sampled_from([",", "\t", ";"])
TRICKY = st.sampled_from([*'",;\t\r\n 01ab.-', "é", "\u2028", "😀", "\ufeff"])
LABELS = st.one_of(
    st.sampled_from(
        ["0", "1", "2", "10", "01", "1.0", "-1", "2.5", "1e3", "inf", "True", "false", "x", "NA", "?"]
    ),
    st.text(TRICKY, max_size=10),
    st.text(st.characters(exclude_characters="\0"), max_size=12),
)

#: Any text at all, mostly not a proper file.
messy_texts = st.text(TRICKY, max_size=80)


@st.composite
def written_tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]], str, str]:
    """Names, rows, a delimiter, and a file that holds them, with quotes where needed and elsewhere."""
    num_columns = draw(st.integers(1, 6))
    cell = st.text(TRICKY, max_size=9)
    name = st.text(TRICKY, min_size=1, max_size=9)
    names = draw(st.lists(name, min_size=num_columns, max_size=num_columns))
    rows = draw(st.lists(st.lists(cell, min_size=num_columns, max_size=num_columns), max_size=12))
    delimiter = draw(DELIMITERS)
    line_end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    special = {delimiter, '"', "\r", "\n", "\ufeff"}

    def write(cell: str) -> str:
        needs_quotes = special & set(cell) or (num_columns == 1 and not cell)
        return '"' + cell.replace('"', '""') + '"' if needs_quotes or draw(st.booleans()) else cell

    lines = [delimiter.join(map(write, row)) for row in [names, *rows]]
    return names, rows, delimiter, line_end.join(lines) + draw(st.sampled_from(["", line_end]))


@st.composite
def dat_texts(draw: st.DrawFn) -> str:
    """Files of the .dat format, some with missing, wrong or lacking cells, all with sloppy blanks."""
    names = draw(st.lists(st.sampled_from(["A", "B-1", "é", "x"]), min_size=2, max_size=4, unique=True))
    cardinalities = draw(st.lists(st.integers(1, 12), min_size=len(names), max_size=len(names)))
    odd_cells = draw(st.sampled_from([[], [], ["?"], ["12", "-1", "1.0", "01", "?", ""]]))

    def cell(cardinality: int) -> str:
        usual = [str(state) for state in range(cardinality)]
        return draw(st.sampled_from(usual + odd_cells))

    rows = [list(map(cell, cardinalities)) for _ in range(draw(st.integers(2, 6)))]
    gaps = st.sampled_from([" ", ",", ", ", "\t", "  "])
    ends = st.sampled_from(["\n", " \n", "\r\n", "\n\n", "\n \n "])
    return "".join(draw(gaps).join(row) + draw(ends) for row in [names, list(map(str, cardinalities)), *rows])


@st.composite
def text_columns(draw: st.DrawFn) -> list[str]:
    """The cells of a column: labels of one sort or a mixture."""
    pool = draw(
        st.one_of(
            st.lists(st.integers(-50, 50).map(str), min_size=1, max_size=6),
            st.lists(st.floats(allow_nan=False, width=16).map(repr), min_size=1, max_size=6),
            st.lists(st.sampled_from(["1", "1.0", "2", "+2", "03", "3.", "1e1"]), min_size=1, max_size=4),
            st.lists(st.sampled_from(["true", "false", "True", "FALSE"]), min_size=1, max_size=3),
            st.lists(LABELS, min_size=1, max_size=6),
        )
    )
    return draw(st.lists(st.sampled_from(pool), min_size=2, max_size=25))


#: Values that a frame can hold in one column.
typed_columns = st.one_of(
    st.lists(st.integers(-5, 5), min_size=2, max_size=12),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=12),
    st.lists(st.booleans(), min_size=2, max_size=12),
    st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=12),
    st.lists(st.text(max_size=4), min_size=2, max_size=12),
)


@st.composite
def typed_tables(draw: st.DrawFn) -> dict[str, list[object]]:
    """Columns of equal length with different names."""
    columns = draw(st.lists(typed_columns, min_size=1, max_size=5))
    num_rows = min(map(len, columns))
    names = draw(st.lists(st.text(min_size=1, max_size=5), min_size=5, max_size=5, unique=True))
    return {name: column[:num_rows] for name, column in zip(names, columns, strict=False)}


@st.composite
def mutated(draw: st.DrawFn, file: bytes) -> bytes:
    """A file with a few bytes changed, put in, or cut out."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(file)))
        cut = draw(st.integers(0, 3))
        file = file[:at] + draw(st.binary(max_size=3)) + file[at + cut :]
    return file
