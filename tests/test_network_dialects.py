"""Files as others write them, made by hand, with uneven numbers of states: no layout passes for another."""

from __future__ import annotations

import pytest

from treebound import NetworkFileError
from treebound.formats.bif import parse_bif
from treebound.formats.dsc import parse_dsc
from treebound.formats.hugin import parse_hugin
from treebound.formats.uai import parse_uai
from treebound.formats.xdsl import parse_xdsl
from treebound.formats.xmlbif import parse_xmlbif

# P(C=0 | A, B) by (A, B): A has 2 states, B has 3, C has 2.
FIRST = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]
ROWS = [number for first in FIRST for number in (first, 1 - first)]
NUMBERS = " ".join(map(str, ROWS))

BIF = """network unknown { property x = (1, 2) ; property "y; }" ; }
variable A { // one
  type discrete [ 2 ] { a, b };
}
variable B {
  type discrete[3] { x y z }
  property position = (1, 2) ;
}
variable C { type discrete [ 2 ] { "0", "1" }; }
some text in between
probability ( A ) { table 0.25, 0.75; }
probability ( B ) { table 0.2 0.3 0.5; }
"""
BIF_ROWS = """probability ( C | A, B ) {
  (a, x) 0.01, 0.99; (b, x) 0.04, 0.96; /* the first parent
  runs fastest */
  (a, y) 0.02, 0.98; (b, y) 0.05, 0.95;
  (a, z) 0.03, 0.97; (b, z) 0.06, 0.94;
}
"""
BIF_TABLE = "probability (C A B) { table 0.01 0.02 0.03 0.04 0.05 0.06 0.99 0.98 0.97 0.96 0.95 0.94; }"
BIF_DEFAULT = BIF_ROWS.replace("(b, z) 0.06, 0.94;", "default 0.06 0.94; property q ;")
BIF_QUOTED = BIF_ROWS.replace("(a, x)", '("a", x)')

XMLBIF = f"""<?xml version="1.0" encoding="US-ASCII"?>
<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
<BIF VERSION="0.3"><NETWORK><NAME>x</NAME><PROPERTY/>
<VARIABLE TYPE="nature"><NAME> A </NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>
<VARIABLE><NAME>B</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME><OUTCOME>z</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>C</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME></VARIABLE>
<DEFINITION><FOR>C</FOR><GIVEN>A</GIVEN><GIVEN>B</GIVEN><TABLE>{NUMBERS}<!-- 0.5 --></TABLE></DEFINITION>
<DEFINITION><FOR>A</FOR><TABLE>0.25
0.75</TABLE></DEFINITION>
<DEFINITION><FOR>B</FOR><TABLE>.2 .3 5e-1</TABLE></DEFINITION>
</NETWORK></BIF>
"""

HUGIN = """class Wet { % all in a class
inputs = (); name = "x;y}";
node A { label = "the \\"a\\""; states = ("a" "b"); position = (1 2); }
potential (C | A B) { data = DATA; }
discrete node B { states = (x "y" z); }
node C { states = ("0" "1"); }
potential (A) { data = (0.25 0.75); }
potential (B |) { data = ( 0.2 0.3 % B
  0.5); }
}
"""
NESTED = "(((0.01 0.99)(0.02 0.98)(0.03 0.97)) ((0.04 0.96)(0.05 0.95)(0.06 0.94)))"

XDSL = """<?xml version="1.0" ?><smile version="1.0" id="n"><nodes>
<cpt id="A"><state id="a" /><state id="b" /><probabilities>0.25 0.75</probabilities></cpt>
<cpt id="B"><state id="x" /><state id="y" /><state id="z" /><probabilities>0.2 0.3 0.5</probabilities></cpt>
<cpt id="C"><state id="0" /><state id="1" /><parents>A B</parents><probabilities>DATA</probabilities></cpt>
</nodes><extensions><genie version="1.0" app="GeNIe 2.0"><node id="A"><name>alpha</name></node></genie>
</extensions></smile>
"""
FIRST_PARENT_FASTEST = "0.01 0.99 0.04 0.96 0.02 0.98 0.05 0.95 0.03 0.97 0.06 0.94"

DSC = """belief network "wet"
node A { name: "the a"; type : discrete [ 2 ] = { "a", "b" }; }
node B { type: discrete[3] = { "x", "y", "z" }; position: (1, 2); }
node C { type : discrete [ 2 ] = { "0", "1" }; }
probability ( A ) { 0.25, 0.75; }
probability ( B ) { 0.2, 0.3, 0.5; }
probability ( C | A, B ) {
  (0, 0) : 0.01, 0.99; (1, 0) : 0.04, 0.96; (0, 1) : 0.02, 0.98;
  (1, 1) : 0.05, 0.95; (0, 2) : 0.03, 0.97; (1, 2) : 0.06, 0.94;
}
"""

UAI = f"""BAYES
3
2 3 2
c a comment
3
1 0   # A
1 1
3 0 1 2

2
 0.25 0.75
3 0.2 0.3
0.5
12 {NUMBERS}
"""
UAI_OF_PGMPY = UAI.replace(NUMBERS, " ".join(map(str, ROWS[0::2] + ROWS[1::2])))
UAI_OF_PYAGRUM = UAI.replace(NUMBERS, FIRST_PARENT_FASTEST)
NAMES = "A a b\nB x y z\nC 0 1\n"


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        pytest.param(parse_bif, BIF + BIF_ROWS, id="bif rows"),
        pytest.param(parse_bif, BIF_ROWS + BIF, id="bif upside down"),
        pytest.param(parse_bif, BIF + BIF_TABLE, id="bif table"),
        pytest.param(parse_bif, BIF + BIF_DEFAULT, id="bif default"),
        pytest.param(parse_bif, BIF + BIF_QUOTED, id="bif quoted"),
        pytest.param(parse_xmlbif, XMLBIF, id="xmlbif"),
        pytest.param(parse_xmlbif, XMLBIF.encode(), id="xmlbif bytes"),
        pytest.param(parse_hugin, HUGIN.replace("DATA", NESTED), id="hugin nested"),
        pytest.param(parse_hugin, HUGIN.replace("DATA", f"({NUMBERS})"), id="hugin flat"),
        pytest.param(parse_hugin, HUGIN.replace("DATA", NESTED).replace("\n", "\r\n"), id="hugin crlf"),
        pytest.param(parse_xdsl, XDSL.replace("DATA", NUMBERS), id="xdsl"),
        pytest.param(
            parse_xdsl,
            XDSL.replace("DATA", FIRST_PARENT_FASTEST).replace("GeNIe", "aGrUM"),
            id="xdsl pyagrum",
        ),
        pytest.param(parse_dsc, DSC, id="dsc"),
        pytest.param(lambda text: parse_uai(text, NAMES), UAI, id="uai"),
        pytest.param(lambda text: parse_uai(text, NAMES, "pgmpy"), UAI_OF_PGMPY, id="uai pgmpy"),
        pytest.param(lambda text: parse_uai(text, NAMES, "pyagrum"), UAI_OF_PYAGRUM, id="uai pyagrum"),
    ],
)
def test_every_dialect_means_the_same(parse, text):
    network = parse(text)
    assert [(v.name, v.states) for v in network.schema] == [
        ("A", ("a", "b")),
        ("B", ("x", "y", "z")),
        ("C", ("0", "1")),
    ]
    child = {"AB": FIRST, "BA": [0.01, 0.04, 0.02, 0.05, 0.03, 0.06]}[
        "".join("ABC"[p] for p in network.parent_indices[2])
    ]
    assert network.tables[2].tolist() == [number for first in child for number in (first, 1 - first)]
    assert [network.tables[v].tolist() for v in (0, 1)] == [[0.25, 0.75], [0.2, 0.3, 0.5]]


def test_a_transposed_uai_is_recognised():
    with pytest.raises(NetworkFileError, match=r"line 14: .* pass layout='pgmpy'"):
        parse_uai(UAI_OF_PGMPY)
    with pytest.raises(ValueError, match="layout must be one of uai, pgmpy, pyagrum, got 'x'"):
        parse_uai(UAI, layout="x")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "(a, x) 0.01, 0.99",
            "(a, x) 0.01, 0.8",
            "line 13: .* sum to 1, got a sum of 0.81 for 'C' given A=a, B=x",
        ),
        (
            "(a, x) 0.01, 0.99",
            "(a, x) -0.01, 1.01",
            r"line 13: expected probabilities, got -0\.01 for 'C' given A=a",
        ),
        ("(a, x) 0.01, 0.99", "(a, x) nan, 1", "line 13: expected probabilities, got nan"),
        ("(a, x) 0.01, 0.99", "(a, x) 0.01", "line 14: expected 2 probabilities of 'C', got 1"),
        ("(a, x) 0.01, 0.99", "(a, x) 0.01, zero", "line 14: expected a number, got 'zero'"),
        ("(a, x) 0.01", "(a) 0.01", "line 14: expected the states of 2 parents, got 1"),
        ("(a, x)", "(a, w)", r"line 14: expected a state of 'B' \('x', 'y', 'z'\), got 'w'"),
        ("(b, x)", "(a, x)", "line 14: expected each joint state of the parents once"),
        ("(b, z) 0.06, 0.94;", "", "line 18: expected 6 rows of probabilities of 'C', or a default, got 5"),
        ("(b, z) 0.06, 0.94;", "default 1 0; default 1 0;", "line 17: expected table, one default"),
        ("(b, z) 0.06", "b, z 0.06", "line 17: expected table, one default, or a row"),
        ("(b, z) 0.06, 0.94;", "(b, z) 0.06, 0.94", "line 18: expected ';', got '}'"),
        (
            "C | A, B",
            "C | A, Bb",
            r"line 13: expected a variable that the file declares, got 'Bb'; did you mean 'B'\?",
        ),
        ("C | A, B", "C | A, A", "line 13: expected different variables in a family, got C, A, A"),
        ("C | A, B", "", "line 13: expected the name of a variable"),
        ("C | A, B )", "C | A, B ) x", "line 13: expected '{', got 'x'"),
        ("( A ) { table 0.25, 0.75; }", "( B ) { table 0.2 0.3 0.5; }", "line 12: .* a second for 'B'"),
        ("probability ( A ) { table 0.25, 0.75; }", "", "line 2: variable 'A' has no table"),
        (
            "( A ) { table 0.25, 0.75; }",
            "( A | C ) { table 0.25 0.25 0.75 0.75; }",
            "line 11: .* cycle, got 'A' -> 'C'",
        ),
        (
            "( A ) { table 0.25, 0.75; }",
            "( A ) { table 0.25; }",
            "line 11: expected 2 probabilities of 'A', .* got 1",
        ),
        ("( A ) { table 0.25, 0.75; }", "( A ) { table 0.25, x; }", "line 11: expected a number, got 'x'"),
        ("( A ) { table 0.25, 0.75; }", "( A ) { table 1, 0; x }", "line 11: expected a property, got 'x'"),
        ("variable B {", "variable A {", "line 5: expected each variable once, got 'A' again"),
        ("{ a, b };", "{ a, a };", "line 2: .* states must differ"),
        ("{ a, b };", "{ a, b, c };", "line 3: expected 2 states, got 3"),
        ("type discrete [ 2 ] { a, b }", "type continuous { a, b }", "line 3: expected type discrete"),
        ("type discrete [ 2 ] { a, b };", "", "line 2: variable 'A' has no type"),
        ("variable B {", "variable {", "line 5: expected the name of a variable, got '{'"),
        ("variable B {", "variables B {", "line 5: expected a block"),
        (
            "property position = (1, 2) ;",
            "property treebound_name = a%b ;",
            "line 5: expected 1 escaped words",
        ),
        (
            "property position = (1, 2) ;",
            "property treebound_states = a b ;",
            "line 5: expected 3 escaped words",
        ),
    ],
)
def test_a_broken_bif_is_refused_with_its_line(old, new, words):
    text = BIF + BIF_ROWS
    assert old in text
    with pytest.raises(NetworkFileError, match=words):
        parse_bif(text.replace(old, new, 1))


def test_a_table_without_end_is_refused():
    variables = "".join(
        f"variable v{i} {{ type discrete [ 9 ] {{ a b c d e f g h i }}; }}\n" for i in range(30)
    )
    parents = " ".join(f"v{i}" for i in range(1, 30))
    with pytest.raises(NetworkFileError, match=r"line 31: default rows may stand for 4194304 numbers"):
        parse_bif(f"{variables}probability ( v0 | {parents} ) {{ default 1 0 0 0 0 0 0 0 0; }}")


ENTITY = '<!DOCTYPE BIF [ <!ENTITY a "b"> ]>'


@pytest.mark.parametrize(
    ("parse", "text", "words"),
    [
        (parse_xmlbif, XMLBIF.replace("</BIF>", ""), "line 12: expected XML, got no element found"),
        (parse_xmlbif, XMLBIF.replace("5e-1", "x"), "line 10: expected numbers in <table>"),
        (
            parse_xmlbif,
            XMLBIF.replace("<FOR>C</FOR>", ""),
            "line 7: expected one <for> in <definition>, got 0",
        ),
        (
            parse_xmlbif,
            XMLBIF.replace('TYPE="nature"', 'TYPE="utility"'),
            "line 4: expected variables of TYPE nature",
        ),
        (parse_xmlbif, "<smile/>", "line 1: expected <bif> around everything, got <smile>"),
        (parse_xmlbif, ENTITY + "<BIF>&a;</BIF>", "line 1: entities"),
        (
            parse_xmlbif,
            '<!DOCTYPE BIF SYSTEM "file:///etc/passwd"><BIF>&a;</BIF>',
            "entities|undefined entity",
        ),
        (
            parse_xmlbif,
            b'<?xml version="1.0" encoding="nonsense"?><BIF/>',
            "expected XML, got unknown encoding",
        ),
        (parse_xdsl, XDSL.replace("cpt", "noisymax"), "line 2: expected nodes with a table"),
        (parse_xdsl, XDSL.replace(' id="A"', "", 1), "line 2: expected an attribute 'id'"),
        (parse_xdsl, XDSL.replace("DATA", "1 0"), "line 4: expected 12 probabilities of 'C', .* got 2"),
        (parse_hugin, HUGIN.replace("DATA", "0.5"), "line 4: expected a list in balanced parentheses"),
        (parse_hugin, HUGIN.replace("DATA", "(normal (1))"), "line 4: expected a number, got 'normal'"),
        (parse_hugin, HUGIN.replace("data = DATA;", ""), "line 4: the potential of 'C' has no data"),
        (parse_hugin, HUGIN.replace("C | A B", "C A B"), r"line 4: expected '\|', got 'A'"),
        (parse_hugin, HUGIN.replace("discrete", "continuous"), "line 5: expected net, class, node"),
        (parse_hugin, HUGIN.replace('states = (x "y" z);', ""), "line 5: node 'B' has no states"),
        (parse_hugin, HUGIN + "}", "line 11: expected net, class, node|line 10: expected net, class, node"),
        (parse_dsc, DSC.replace("(1, 2) :", "(1, 3) :"), r"line 9: expected a state of 'B'"),
        (parse_dsc, DSC.replace('"a", "b"', '"a"'), "line 2: expected 2 states of 'A', got 1"),
        (parse_dsc, DSC.replace("discrete [ 2 ]", "real"), "line 2: expected a type discrete"),
        (parse_dsc, "", "got no variable"),
        (parse_uai, UAI.replace("BAYES", "MARKOV"), "line 1: expected 'BAYES', got 'MARKOV'"),
        (parse_uai, UAI.replace("2 3 2", "2 3 -2"), "line 3: expected a whole number, got '-2'"),
        (
            parse_uai,
            UAI.replace("3 0 1 2", "3 0 1 7"),
            "line 8: expected a variable that the file declares, got '7'",
        ),
        (parse_uai, UAI.replace("3 0 1 2", "2 0 2"), "line 14: expected 4 probabilities of '2', .* got 12"),
        (parse_uai, UAI + "1", "line 15: expected the end of the file, got '1'"),
        (parse_uai, UAI.replace("12 0.01", "99 0.01"), "line 14: expected 99 numbers after this one"),
        (parse_uai, "BAYES 1 99999999 1 1 0 1 1", "line 1: expected 1 to 65536 states"),
        (parse_uai, "BAYES 0 0", "got no variable"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(parse, text, words):
    with pytest.raises(NetworkFileError, match=words):
        parse(text)


def test_nested_entities_are_refused_at_once():
    bomb = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    with pytest.raises(NetworkFileError, match="entities"):
        parse_xmlbif(f'<!DOCTYPE BIF [ <!ENTITY l0 "lol">{bomb} ]><BIF>&l11;</BIF>')
