"""Datasets that the server has converted."""

import secrets
import socket
import time

import pytest
from huggingface_hub import CommitOperationAdd, HfApi


@pytest.fixture(scope="module")
def settled(server, alice_token):
    """Waits until the newest commit of a repo has been converted; answers its configs."""
    # Clients since 1.0 come without it, and other tests of this folder run with them.
    import requests

    def wait(repo):
        deadline = time.monotonic() + 120
        while True:
            url = f"{server.url}/api/service/v1/repos/datasets/{repo}/configs"
            answer = requests.get(url, headers={"Authorization": f"Bearer {alice_token}"}, timeout=30)
            answer.raise_for_status()
            found = answer.json()
            if found.get("converted_commit") == found["commit"]:
                return found
            assert time.monotonic() < deadline, found
            time.sleep(0.1)

    return wait


@pytest.fixture(scope="module")
def converted(server, alice, alice_token, settled):
    """Makes a repo of files and waits until it has been converted; answers its id and its configs."""
    api = HfApi(endpoint=server.url, token=alice_token)

    def make(files):
        repo = f"{alice.username}/data-{secrets.token_hex(4)}"
        api.create_repo(repo, repo_type="dataset", private=True)
        operations = [
            CommitOperationAdd(path, text if isinstance(text, bytes) else text.encode()) for path, text in files.items()
        ]
        api.create_commit(repo, operations, commit_message="data", repo_type="dataset")
        return repo, settled(repo)

    return make


@pytest.fixture()
def viewer_host(server, monkeypatch):
    """
    Makes the name at which the library asks for `/info` lead to the server, as an operator's DNS does; answers how many
    answers it got there since.
    """
    resolve = socket.getaddrinfo
    marks = []

    def mount():
        marks.append(server.mark())
        monkeypatch.setattr(
            socket, "getaddrinfo", lambda host, *rest, **more: resolve(str(host).removeprefix("datasets-server."), *rest, **more)
        )

    def answered():
        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        deadline = time.monotonic() + 10
        while True:
            asked = [each for each in server.requests(marks[-1]) if each["path"] == "/info"]
            if asked or time.monotonic() > deadline:
                return [each["status"] for each in asked]
            time.sleep(0.02)

    return mount, answered
