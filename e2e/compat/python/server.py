"""The built server, started on a free port with a data folder of its own, and people to act as."""

from __future__ import annotations

import http.cookiejar
import json
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
MAIN = ROOT / "dist" / "api" / "main.js"
BASE = "/api/service/v1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One `arsenal serve` process. `url` is what clients are given; `native()` speaks the native API."""

    def __init__(self, **settings: str) -> None:
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="arsenal-compat-"))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = {
            "server.listen": f"127.0.0.1:{self.port}",
            "server.public_url": self.url,
            "server.data_dir": str(self.dir),
            "database.dsn": str(self.dir / "service.db"),
            "storage.fs.path": str(self.dir / "blobs"),
            "git.cache_dir": str(self.dir / "cache" / "git"),
            "security.bootstrap_admin.password": "correct horse battery staple",
            "security.anonymous_read": "true",
            # So that reads are logged as well; tests tell by it which way a client took.
            "telemetry.log_level": "debug",
            **settings,
        }
        self.log = open(self.dir / "server.log", "ab")
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def flags(self) -> list[str]:
        return [part for key, value in self.settings.items() for part in ("--set", f"{key}={value}")]

    def start(self) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SERVICE_")}
        mark = self.mark()
        self.process = subprocess.Popen(
            ["node", str(MAIN), "serve", *self.flags()], stdout=self.log, stderr=self.log, env=environment
        )
        deadline = time.monotonic() + 60
        # By its own words: at a port that was taken meanwhile, another server would answer.
        while b"Arsenal serves at" not in (self.dir / "server.log").read_bytes()[mark:]:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{self.tail()}")
            time.sleep(0.05)

    def tail(self) -> str:
        self.log.flush()
        return (self.dir / "server.log").read_text(errors="replace")[-4000:]

    def mark(self) -> int:
        """A place in the log, for `requests` and `ways` to begin at."""
        return (self.dir / "server.log").stat().st_size

    def requests(self, mark: int = 0) -> list[dict]:
        """The requests that were answered since: `method`, `path`, `status`."""
        with open(self.dir / "server.log", "rb") as log:
            log.seek(mark)
            lines = log.read().splitlines()
        return [json.loads(line) for line in lines if b'"msg":"request"' in line and line.endswith(b"}")]

    def ways(self, mark: int) -> set[str]:
        """How large files came since: in `chunks`, or `whole`, as objects of LFS."""
        asked = [(each["method"], each["path"]) for each in self.requests(mark) if each["status"] < 400]
        chunks = {"chunks" for method, path in asked if method == "POST" and path.endswith("/shards")}
        return chunks | {"whole" for method, path in asked if method == "PUT" and path.startswith("/api/info/lfs/")}

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=45)

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def cli(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["node", str(MAIN), *arguments, *self.flags()], capture_output=True, text=True
        )
        if check and done.returncode != 0:
            raise RuntimeError(f"arsenal {' '.join(arguments)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def person(self, username: str, password: str) -> Person:
        return Person(self, username, password)

    def new_person(self, username: str) -> Person:
        password = f"violet-{secrets.token_hex(8)}-lantern"
        file = self.dir / f"{username}.password"
        file.write_text(password)
        self.cli("user", "create", username, "--password-file", str(file))
        return self.person(username, password)

    def admin(self) -> Person:
        return self.person("service-admin", "correct horse battery staple")


class Person:
    """A signed-in browser session."""

    def __init__(self, server: Server, username: str, password: str) -> None:
        self.server, self.username = server, username
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        self.csrf = ""
        me = self.native("POST", "/auth/login", {"username": username, "password": password})
        self.csrf = me["csrf_token"]

    def native(self, method: str, path: str, body: object = None) -> dict:
        request = urllib.request.Request(
            f"{self.server.url}{BASE}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "X-CSRF-Token": self.csrf, "Origin": self.server.url},
        )
        try:
            with self.opener.open(request) as answer:
                text = answer.read()
        except urllib.error.HTTPError as problem:
            raise RuntimeError(f"{method} {path}: {problem.code} {problem.read().decode()}") from None
        return json.loads(text) if text else {}

    def token(self, name: str | None = None, scopes: tuple[str, ...] = ("write",), **fence: object) -> str:
        made = self.native(
            "POST", "/me/tokens", {"name": name or secrets.token_hex(6), "scopes": list(scopes), **fence}
        )
        return made["secret"]
