import base64
import json
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


class Judge:
    """Our parsers and scanner, in a process of Node that is asked line by line."""

    def __init__(self):
        command = [ROOT / "node_modules/.bin/tsx", ROOT / "e2e/scanning/judge.ts"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _ask(self, name, content, is_scanned):
        asked = {"name": name, "base64": base64.b64encode(content).decode(), "isScanned": is_scanned}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def facts(self, name, content):
        return self._ask(name, content, False)["facts"]

    def scan(self, name, content):
        return self._ask(name, content, True)["scan"]

    def status(self, name, content):
        return self.scan(name, content)["status"]

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)


@pytest.fixture(scope="session")
def judge():
    made = Judge()
    yield made
    made.close()
