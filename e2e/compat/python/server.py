"""The built server, of one process or of many (ARSENAL_COMPAT_TOPOLOGY), and people to act as."""

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
# How bytes travel where many processes are to serve: `redirect` or `proxy`.
TOPOLOGY = os.environ.get("ARSENAL_COMPAT_TOPOLOGY")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class OneProcess:
    """One `arsenal serve` on SQLite and a folder."""

    def __init__(self, folder: pathlib.Path, settings: dict[str, str]) -> None:
        self.log = folder / "server.log"
        self.port = free_port()
        url = f"http://127.0.0.1:{self.port}"
        self.settings = {
            "server.listen": f"127.0.0.1:{self.port}",
            "server.public_url": url,
            "server.data_dir": str(folder),
            "database.dsn": str(folder / "service.db"),
            "storage.fs.path": str(folder / "blobs"),
            "git.cache_dir": str(folder / "cache" / "git"),
            **settings,
        }

    def flags(self) -> list[str]:
        return flags_of(self.settings)

    def start(self) -> subprocess.Popen[bytes]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SERVICE_")}
        with open(self.log, "ab") as log:
            mark = log.tell()
            process = subprocess.Popen(
                ["node", str(MAIN), "serve", *self.flags()], stdout=log, stderr=log, env=environment
            )
        deadline = time.monotonic() + 60
        # By its own words: at a port that was taken meanwhile, another server would answer.
        while b"Arsenal serves at" not in self.log.read_bytes()[mark:]:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{self.log.read_text(errors='replace')[-4000:]}")
            time.sleep(0.05)
        self.process = process
        return process

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=45)


class ManyProcesses:
    """Two `web` and two `worker` processes on Postgres and S3 behind a proxy; see e2e/topology/serve.mjs."""

    def __init__(self, folder: pathlib.Path, settings: dict[str, str], mode: str) -> None:
        command = ["node", str(ROOT / "e2e" / "topology" / "serve.mjs"), "--mode", mode, "--dir", str(folder)]
        # An interrupt of the tests must not keep it from cleaning up: it ends with its input.
        self.driver = subprocess.Popen(
            [*command, *flags_of(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.made = self._answer()
        self.port: int = self.made["port"]

    def flags(self) -> list[str]:
        return self.made["flags"]

    def start(self) -> WebProcesses:
        self.tell(do="start")
        return WebProcesses(self)

    def kill(self) -> None:
        self.tell(do="signal", signal="SIGKILL")
        self.tell(do="wait")

    def stop(self) -> None:
        assert self.driver.stdin
        self.driver.stdin.close()
        self.driver.wait(timeout=90)

    def tell(self, **command: str) -> None:
        assert self.driver.stdin
        self.driver.stdin.write(f"{json.dumps(command)}\n")
        self.driver.stdin.flush()
        self._answer()

    def _answer(self) -> dict:
        assert self.driver.stdout
        line = self.driver.stdout.readline()
        answer = json.loads(line) if line else {"failed": "the topology has gone"}
        if "failed" in answer:
            raise RuntimeError(answer["failed"])
        return answer


class WebProcesses:
    """Those that serve, as one: what a test does to the server is done to them all."""

    def __init__(self, topology: ManyProcesses) -> None:
        self.topology = topology

    def send_signal(self, how: signal.Signals) -> None:
        self.topology.tell(do="signal", role="web", signal=how.name)

    def wait(self, timeout: float) -> None:
        self.topology.tell(do="wait", role="web")


def flags_of(settings: dict[str, str]) -> list[str]:
    return [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]


class Server:
    """What clients are given is `url`; `native()` of a person speaks the native API."""

    def __init__(self, **settings: str) -> None:
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="arsenal-compat-"))
        settings = {
            "security.bootstrap_admin.password": "correct horse battery staple",
            "security.anonymous_read": "true",
            # Where tests receive what webhooks are sent.
            "security.outbound_allow": "webhook=127.0.0.1",
            # So that reads are logged as well; tests tell by it which way a client took.
            "telemetry.log_level": "debug",
            **settings,
        }
        self.log = self.dir / "server.log"
        self.running = ManyProcesses(self.dir, settings, TOPOLOGY) if TOPOLOGY else OneProcess(self.dir, settings)
        self.port = self.running.port
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def flags(self) -> list[str]:
        return self.running.flags()

    def start(self) -> None:
        self.process = self.running.start()

    def mark(self) -> int:
        """A place in the log, for `requests` and `ways` to begin at."""
        return self.log.stat().st_size

    def requests(self, mark: int = 0) -> list[dict]:
        """The requests that were answered since: `method`, `path`, `status`."""
        with open(self.log, "rb") as log:
            log.seek(mark)
            lines = log.read().splitlines()
        return [json.loads(line) for line in lines if b'"msg":"request"' in line and line.endswith(b"}")]

    def ways(self, mark: int) -> set[str]:
        """How large files came since: in `chunks`, or `whole`, as objects of LFS."""
        asked = [(each["method"], each["path"]) for each in self.requests(mark) if each["status"] < 400]
        chunks = {"chunks" for method, path in asked if method == "POST" and path.endswith("/shards")}
        # To us, or by a signed address into the bucket.
        return chunks | {
            "whole"
            for method, path in asked
            if method == "PUT" and (path.startswith("/api/info/lfs/") or "X-Amz-Signature=" in path)
        }

    def kill(self) -> None:
        """All its processes, by signal 9; `start` brings them back."""
        self.running.kill()

    def stop(self) -> None:
        self.running.stop()

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
        # Not by the command line, which would start a process for it.
        self.admin().native("POST", "/admin/users", {"username": username, "password": password})
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
