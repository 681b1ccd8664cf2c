"""Which rows of the hub protocol a test proves: `@pytest.mark.row("POST /api/collections")`. The server's log must agree.

`client` names who calls when it is not the library itself: "hf", or a package that stands on the library.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import pathlib
import re
import time

import pytest

TABLE = json.loads((pathlib.Path(__file__).parents[1] / "rows.json").read_text())
ROWS = {row["row"]: row for row in (*TABLE["supported"], *TABLE["not_supported"])}

_records: list[dict] = []


def client_title(name: str) -> str:
    """The client with its version, where it has one of its own, as `clients.json` names it."""
    if name in ("plain HTTP", "PyTorchModelHubMixin"):
        return name
    return f"{name} {importlib.metadata.version('huggingface_hub' if name == 'hf' else name)}"


def _pattern(path: str) -> re.Pattern[str]:
    for word, meaning in TABLE["words"].items():
        path = path.replace(word, meaning)
    return re.compile(path)


def _calls(row: dict) -> list[dict]:
    method, _, path = row["row"].partition(" ")
    return row.get("log") or [{"method": method, "path": path}]


def _fits(call: dict, request: dict) -> bool:
    status = request["status"]
    return (
        call.get("method", request["method"]) == request["method"]
        and (status in call["status"] if "status" in call else status < 400)
        and _pattern(call["path"]).fullmatch(request["path"]) is not None
    )


def _missing(row: dict, requests: list[dict]) -> list[dict]:
    return [call for call in _calls(row) if not any(_fits(call, request) for request in requests)]


def _prove(server, mark: int, names: list[str]) -> None:
    # A line of the log is written after its answer has gone out.
    deadline = time.monotonic() + 30
    while missing := [call for name in names for call in _missing(ROWS[name], server.requests(mark))]:
        assert time.monotonic() < deadline, f"the client never called {missing}"
        time.sleep(0.02)
    for path in (path for name in names for path in ROWS[name].get("never", ())):
        called = [r["path"] for r in server.requests(mark) if _pattern(path).fullmatch(r["path"])]
        assert called == [], f"the client must not call {called}"


def _marks(item: pytest.Item) -> list[tuple[str, list[str]]]:
    marks = [(mark.kwargs.get("client", "huggingface_hub"), list(mark.args)) for mark in item.iter_markers("row")]
    for _, names in marks:
        assert names and set(names) <= ROWS.keys(), f"no such rows: {set(names) - ROWS.keys()}"
    return marks


def pytest_configure(config):
    config.addinivalue_line("markers", "row(*rows, client): the rows of rows.json that a test proves")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    names = [name for _, names in _marks(item) for name in names]
    if not names:
        return (yield)
    server = item._request.getfixturevalue("server")
    mark = server.mark()
    result = yield
    _prove(server, mark, names)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" or (report.when == "setup" and not report.passed):
        for client, names in _marks(item):
            for name in names:
                record = {"client": client_title(client), "row": name, "passed": report.passed, "test": item.nodeid}
                _records.append(record)
    return report


def pytest_sessionfinish():
    if path := os.environ.get("ARSENAL_ROWS"):
        report = pathlib.Path(path)
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text("".join(json.dumps(record) + "\n" for record in _records))
