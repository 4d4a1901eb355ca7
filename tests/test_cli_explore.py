"""``treebound explore``: it prints the address of the page, serves it, and Ctrl-C ends it in good order."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
from urllib.parse import urlsplit

import pytest


def started(folder, *words):
    command = [sys.executable, "-m", "treebound", "explore", *words, "--no-browser"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def graph(url):
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc, timeout=30)
    token = address.fragment.removeprefix("token=")
    connection.request("POST", "/api/graph", "{}", {"X-Treebound-Token": token})
    message = connection.getresponse().read()
    connection.close()
    return json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])  # arrays follow


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_until_the_user_stops_it(rain_files, stop):
    process = started(rain_files, "net.json", "--table", "cases.csv")
    try:
        found = graph(process.stdout.readline().strip())
    finally:
        process.send_signal(stop)
        out, err = process.communicate(timeout=60)
    assert found["name"] == "net.json"
    assert found["rows"] == 3
    assert (process.returncode, out) == (0, "")
    assert "Press Ctrl-C to stop" in err


def test_json_holds_the_address(rain_files):
    process = started(rain_files, "net.json", "--json")
    report = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert report["url"].startswith(f"http://127.0.0.1:{report['port']}/#token=")


def test_quiet_prints_the_address_alone(rain_files):
    process = started(rain_files, "net.json", "--quiet")
    url = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert url.startswith("http://127.0.0.1:")
    assert (process.returncode, out, err) == (0, "", "")


def test_files_that_cannot_be_explored_are_reported(rain_files, run):
    code, _, err = run("explore", "nothing.json", "--no-browser")
    assert (code, "nothing.json" in err) == (1, True)
    code, _, err = run("explore", "net.json", "--table", "nothing.csv", "--no-browser")
    assert (code, "nothing.csv" in err) == (1, True)
    code, _, _ = run("explore", "net.json", "--port", "70000", "--no-browser")
    assert code == 2
