import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from client import Client
from gate import Gate
from server import Server


@dataclass
class Elsewhere:
    """A server of other settings, somebody who may write there, and the way that chunks take to it."""

    server: Server
    gate: Gate
    username: str
    token: str

    def repo(self, client: Client) -> str:
        name = f"{self.username}/repo-{secrets.token_hex(4)}"
        client.run("api.create_repo(args[0], private=True)", name)
        return name


@contextmanager
def elsewhere(**settings: str) -> Iterator[Elsewhere]:
    gate = Gate()
    cas_url = f"http://127.0.0.1:{gate.port}/some/where/else"
    server = Server(**{"chunk.cas_url": cas_url, "server.shutdown_timeout": "5s", **settings})
    gate.target = server.port
    try:
        person = server.new_person(f"carol-{secrets.token_hex(3)}")
        yield Elsewhere(server, gate, person.username, person.token())
        done = server.cli("fsck", "--deep", check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    finally:
        gate.close()
        server.stop()
        shutil.rmtree(server.dir, ignore_errors=True)


@pytest.fixture(scope="session")
def gated() -> Iterator[Elsewhere]:
    """Chunks go to another host and path there, through a gate that counts them."""
    with elsewhere() as made:
        yield made


@pytest.fixture(scope="module")
def rejecting() -> Iterator[Elsewhere]:
    with elsewhere(**{"hubapi.chunk": "reject"}) as made:
        yield made


@pytest.fixture(scope="module")
def small() -> Iterator[Elsewhere]:
    """A server that takes no file above 1 MiB in chunks."""
    with elsewhere(**{"chunk.max_file_size": "1MiB"}) as made:
        yield made


@pytest.fixture()
def carol(gated, tmp_path) -> Client:
    """A writer to the gated server, on a machine with empty caches."""
    return Client(gated.server, gated.token, tmp_path / "home")


@pytest.fixture()
def client(server, alice_token, tmp_path) -> Client:
    """alice, at a machine that knows nothing yet."""
    return Client(server, alice_token, tmp_path / "home")


@pytest.fixture()
def chunked(server):
    """The test's uploads travel in chunks alone."""
    mark = server.mark()
    yield
    assert server.ways(mark) == {"chunks"}
