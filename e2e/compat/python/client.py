"""The client library in a process of its own, as a person's script or shell runs it; and downloads without it."""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import sys
import urllib.parse
import urllib.request

from server import Server

HF = str(pathlib.Path(sys.executable).parent / "hf")
BEGIN = """
import sys
from huggingface_hub import CommitOperationAdd, HfApi
api, args = HfApi(), sys.argv[1:]
"""


class Client:
    """One account on one machine: its `home` keeps what the client remembers of chunks between runs."""

    def __init__(self, server: Server, token: str, home: pathlib.Path, **settings: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.environment = {
            **os.environ,
            "HF_HOME": str(home),
            "HF_ENDPOINT": server.url,
            "HF_TOKEN": token,
            "NO_COLOR": "1",
            **settings,
        }

    def start(self, code: str, *arguments: object, **settings: str) -> subprocess.Popen[str]:
        """Runs Python with `api` (HfApi) and `args`."""
        return self._begin([sys.executable, "-c", BEGIN + code, *map(str, arguments)], settings)

    def run(self, code: str, *arguments: object, **settings: str) -> str:
        """What it printed; fails with it when it ends badly."""
        return _succeed(self.start(code, *arguments, **settings))

    def fail(self, code: str, *arguments: object, **settings: str) -> str:
        """What it printed, which must be a failure."""
        return _fail(self.start(code, *arguments, **settings))

    def hf(self, *arguments: object, program: str = HF, **settings: str) -> str:
        return _succeed(self._begin([program, *map(str, arguments)], settings))

    def hf_fails(self, *arguments: object, **settings: str) -> str:
        return _fail(self._begin([HF, *map(str, arguments)], settings))

    def _begin(self, command: list[str], settings: dict[str, str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**self.environment, **settings},
            cwd=self.home,
        )


def finished(running: subprocess.Popen[str], seconds: float = 180) -> tuple[int, str]:
    output, _ = running.communicate(timeout=seconds)
    return running.returncode, output


def _succeed(running: subprocess.Popen[str]) -> str:
    status, output = finished(running)
    assert status == 0, output
    return output


def _fail(running: subprocess.Popen[str]) -> str:
    status, output = finished(running)
    assert status != 0, output
    return output


class Got:
    """What a plain GET brings."""

    def __init__(self, server: Server, token: str, repo_id: str, path: str, revision: str = "main") -> None:
        at = f"{repo_id}/resolve/{urllib.parse.quote(revision, safe='')}/{urllib.parse.quote(path)}"
        for method in ("HEAD", "GET"):
            request = urllib.request.Request(f"{server.url}/{at}", method=method)
            # Any other header would be sent on to a bucket.
            request.add_unredirected_header("Authorization", f"Bearer {token}")
            with urllib.request.urlopen(request) as answer:
                assert not [name for name in answer.headers if name.lower().startswith("x-xet")]
                assert "xet" not in (answer.headers.get("Link") or "")
                digest, self.size = hashlib.sha256(), 0
                while piece := answer.read(1024 * 1024):
                    digest.update(piece)
                    self.size += len(piece)
        self.sha256 = digest.hexdigest()
