"""The explorer's server under attack: only its own page with its token gets data, and the server lives."""

from __future__ import annotations

import http.client
import json
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

import rain
import treebound as tb
from treebound.explorer._gate import MAX_BODY_BYTES
from treebound.explorer._pages import pages
from treebound.explorer._questions import QUESTIONS

TABLE = {**rain.TABLE, "wet": ["yes", None, "yes", "no", "no", "no"]}


@pytest.fixture(scope="module")
def explorer():
    with tb.explore(rain.NETWORK, TABLE, name="rain.json", open_browser=False) as one:
        yield one


def token(explorer):
    return explorer.url.partition("#token=")[2]


def post(explorer, question, body=None, **headers):
    """The status and the answer to a request as the page sends it, with some headers changed."""
    connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=30)
    sent = {"X-Treebound-Token": token(explorer), "Content-Type": "application/json", **headers}
    text = body if isinstance(body, (bytes, str)) else json.dumps(body or {})
    connection.request(
        "POST", question, text, {name: value for name, value in sent.items() if value is not None}
    )
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, json.loads(content) if response.status >= 400 else unpacked(content)


def unpacked(message):
    """The JSON of an answer with its arrays, as the page reads it."""
    end = 4 + int.from_bytes(message[:4], "little")

    def array(value):
        if "$array" not in value:
            return value
        kind, first, length = value["$array"]
        assert (end + first) % 8 == 0
        return np.frombuffer(message, f"<{kind}", length, end + first).tolist()

    return json.loads(message[4:end], object_hook=array)


def get(explorer, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=30)
    connection.putrequest("GET", path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response, content


def raw(explorer, request):
    """What comes back for bytes as they are; the server may hang up before it has read all."""
    parts = []
    with socket.create_connection(("127.0.0.1", explorer.port), timeout=30) as line, suppress(OSError):
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        while part := line.recv(65536):
            parts.append(part)
    return b"".join(parts)


def is_alive(explorer):
    status, answer = post(explorer, "/api/posterior", {"evidence": {"rain": 0}})
    return status == 200 and answer["log_probability"] < 0


def test_the_server_binds_to_the_loopback_alone(explorer):
    assert explorer._server.server_address[0] == "127.0.0.1"


def test_tokens_differ_and_are_long(explorer):
    with tb.explore(rain.NETWORK, open_browser=False) as other:
        assert token(other) != token(explorer)
        assert len(token(other)) >= 32


@pytest.mark.parametrize("wrong", [None, "", "x", "é", "0" * 32])
@pytest.mark.parametrize("question", ["graph", "posterior", "export", "nothing"])
def test_a_wrong_token_gets_nothing(explorer, question, wrong):
    sent = None if wrong is None else wrong.encode("latin-1")
    status, answer = post(explorer, f"/api/{question}", {}, **{"X-Treebound-Token": sent})
    assert (status, set(answer)) == (401, {"error"})


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "0.0.0.0:{port}", "[::1]:{port}", ""]
)
def test_a_foreign_host_is_rejected(explorer, host):
    named = host.format(port=explorer.port)
    assert post(explorer, "/api/graph", {}, Host=named)[0] == 421
    assert get(explorer, "/", Host=named)[0].status == 421


def test_two_hosts_are_rejected(explorer):
    request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{explorer.port}\r\nHost: evil.example\r\n\r\n"
    assert b" 421 " in raw(explorer, request.encode()).splitlines()[0]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_requests_of_other_pages_are_rejected_even_with_the_token(explorer, headers):
    sent = {name: value.format(port=explorer.port) for name, value in headers.items()}
    assert post(explorer, "/api/graph", {}, **sent)[0] == 403


def test_requests_of_the_own_page_are_answered(explorer):
    for host in ("127.0.0.1", "localhost"):
        own = f"{host}:{explorer.port}"
        assert post(explorer, "/api/graph", {}, Host=own, Origin=f"http://{own}")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../_server.py",
        "/..%2f_server.py",
        "/%2e%2e/_server.py",
        "//etc/passwd",
        "/etc/passwd",
        "/page/main.js",
        "/main.js/",
        "/main.js%00.html",
        "/.",
        "/..",
        "/api/graph",
        "/\\..\\x",
        "/" + "a" * 5000,
    ],
)
def test_paths_lead_nowhere_but_to_the_files_of_the_page(explorer, path):
    assert get(explorer, path)[0].status == 404


def test_a_proxy_request_is_rejected(explorer):
    assert get(explorer, "http://evil.example/")[0].status == 421


def test_files_of_the_page_are_whole_and_hold_no_data(explorer):
    for path, page in pages().items():
        response, content = get(explorer, path)
        assert (response.status, content) == (200, page.content)
        assert b"spray" not in content
        assert get(explorer, path, **{"If-None-Match": response.headers["ETag"]})[0].status == 304


def test_headers_keep_scripts_of_others_out(explorer):
    headers = get(explorer, "/")[0].headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"evidence":' * 20_000,
        b"NaN",
        b'{"a":1' + b"9" * 5000 + b"}",
    ],
)
def test_malformed_bodies_are_rejected(explorer, body):
    assert post(explorer, "/api/posterior", body)[0] in (400, 422)
    assert is_alive(explorer)


@pytest.mark.parametrize(
    ("question", "body"),
    [
        ("posterior", {"evidence": []}),
        ("posterior", {"evidence": {"nobody": 0}}),
        ("posterior", {"evidence": {"rain": 2}}),
        ("posterior", {"evidence": {"rain": -1}}),
        ("posterior", {"evidence": {"rain": True}}),
        ("posterior", {"evidence": {"rain": 0.5}}),
        ("posterior", {"evidence": {"rain": "yes"}}),
        ("posterior", {"evidence": {"rain": [1]}}),
        ("posterior", {"evidence": {"rain": [0, 0]}}),
        ("posterior", {"evidence": {"rain": [1, -1]}}),
        ("posterior", {"evidence": {"rain": [1, 1e999]}}),
        ("posterior", {"evidence": {"rain": [1, None]}}),
        ("posterior", {"evidence": {"rain": [1, True]}}),
        ("posterior", {"do": {"rain": "__import__('os')"}}),
        ("posterior", {"row": 10**30}),
        ("posterior", {"row": -1}),
        ("posterior", {"row": "0"}),
        ("posterior", {"targets": "rain"}),
        ("posterior", {"targets": [["rain"]]}),
        ("shown", {"names": ["nobody"]}),
        ("shown", {"names": "rain"}),
        ("explain", {}),
        ("explain", {"target": {}}),
        ("next", {"target": None}),
        ("find", {"variable": "rain", "text": "perhaps"}),
        ("find", {"variable": "rain", "text": 7}),
        ("part", {"kind": "planet", "names": ["rain"]}),
        ("part", {"kind": "blanket", "names": []}),
        ("part", {"kind": "neighbourhood", "names": ["rain"], "distance": 10**9}),
        ("rows", {"order": "strangest", "first": 99}),
        ("rows", {"order": None}),
        ("row", {}),
    ],
)
def test_senseless_questions_get_an_error_with_words(explorer, question, body):
    status, answer = post(explorer, f"/api/{question}", json.dumps(body))
    assert status == 422
    assert len(answer["error"]) > 10
    assert is_alive(explorer)


def test_giant_bodies_are_rejected_unread(explorer):
    host = f"Host: 127.0.0.1:{explorer.port}"
    head = f"POST /api/posterior HTTP/1.1\r\n{host}\r\nX-Treebound-Token: {token(explorer)}\r\n"
    for length, status in (
        (MAX_BODY_BYTES + 1, 413),
        ("9" * 40, 413),
        ("-1", 400),
        ("0x10", 400),
        ("1e3", 400),
    ):
        answer = raw(explorer, f"{head}Content-Length: {length}\r\n\r\n".encode())
        assert f" {status} ".encode() in answer.splitlines()[0]
    assert b" 411 " in raw(explorer, f"{head}\r\n".encode()).splitlines()[0]
    chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    assert b" 411 " in raw(explorer, chunked.encode()).splitlines()[0]
    twice = f"{head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"
    assert b" 411 " in raw(explorer, twice.encode()).splitlines()[0]
    assert is_alive(explorer)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"",
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"A" * 200_000,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"PUT / HTTP/1.1\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
    ],
)
def test_broken_requests_leave_the_server_alive(explorer, request_bytes):
    assert b"spray" not in raw(explorer, request_bytes)
    assert is_alive(explorer)


def test_a_hundred_clients_at_once_get_right_answers(explorer):
    expected = {
        code: rain.NETWORK.log_probability({"rain": state})
        for code, state in enumerate(rain.NETWORK.schema["rain"].states)
    }

    def one(number):
        code = number % 2
        status, answer = post(explorer, "/api/posterior", {"evidence": {"rain": code}})
        return status == 200 and answer["log_probability"] == pytest.approx(expected[code])

    with ThreadPoolExecutor(100) as pool:
        assert all(pool.map(one, range(200)))


def test_idle_connections_do_not_block_others(explorer):
    idle = [socket.create_connection(("127.0.0.1", explorer.port)) for _ in range(50)]
    assert is_alive(explorer)
    for line in idle:
        line.close()


def test_arrays_arrive_as_they_were_computed(explorer):
    status, answer = post(explorer, "/api/posterior", {"evidence": {"wet": 1}})
    assert status == 200
    assert answer["posterior"] == rain.NETWORK.marginals({"wet": "yes"}).flat.tolist()
    _, graph = post(explorer, "/api/graph")
    assert graph["arcs"] == [v for arc in rain.NETWORK.arc_indices for v in arc]
    assert graph["cards"]["variables"] == [0, 1, 2]


def test_a_port_in_use_is_reported_with_the_fix(explorer):
    with pytest.raises(OSError, match="Choose another one"):
        tb.explore(rain.NETWORK, port=explorer.port, open_browser=False)


def test_after_close_nothing_answers():
    one = tb.explore(rain.NETWORK, open_browser=False)
    port = one.port
    one.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_the_notebook_shows_a_frame(explorer):
    assert explorer._repr_html_().startswith(f'<iframe src="{explorer.url}"')


def test_frames_are_allowed_in_notebooks_only(monkeypatch):
    class Shell:
        kernel = object()

    ipython = type(sys)("IPython")
    ipython.get_ipython = Shell
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr("webbrowser.open", lambda _: pytest.fail("a notebook needs no window"))
    with rain.NETWORK.explore() as one:
        assert "frame-ancestors http://127.0.0.1:*" in get(one, "/")[0].headers["Content-Security-Policy"]


def test_explore_opens_the_browser(monkeypatch):
    opened = []
    monkeypatch.setitem(sys.modules, "IPython", None)
    monkeypatch.delitem(sys.modules, "IPython")
    monkeypatch.setattr("webbrowser.open", opened.append)
    with rain.NETWORK.explore() as one:
        assert opened == [one.url]


def test_bad_arguments_are_rejected():
    with pytest.raises(TypeError, match="network must be a BayesianNetwork"):
        tb.explore("net.json")
    with pytest.raises(ValueError, match="port"):
        tb.explore(rain.NETWORK, port=70000)


@pytest.mark.parametrize(
    "error", [KeyError("x"), RuntimeError("x"), MemoryError(), np.linalg.LinAlgError("x")]
)
def test_a_query_that_fails_in_any_way_is_reported_and_the_connection_lives(explorer, monkeypatch, error):
    def wrong(model, body):
        raise error

    monkeypatch.setitem(QUESTIONS, "explain", wrong)
    connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=30)
    headers = {"X-Treebound-Token": token(explorer), "Content-Type": "application/json"}
    statuses = []
    for question in ("explain", "graph", "explain", "graph"):
        connection.request("POST", f"/api/{question}", "{}", headers)
        response = connection.getresponse()
        content = response.read()
        statuses.append(response.status)
        if response.status != 200:
            assert json.loads(content)["error"]
    connection.close()
    assert statuses[1::2] == [200, 200]
    assert set(statuses[::2]) <= {422, 500, 507}
