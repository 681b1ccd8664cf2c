"""A person whose script names no token, address or visibility, as on the public hub; and readers who never signed in."""

from __future__ import annotations

import os
import pathlib
import secrets

import pytest
from huggingface_hub import HfApi, get_token


class Publisher:
    """Alice with HF_TOKEN set, until she signs out."""

    def __init__(self, server, alice, monkeypatch: pytest.MonkeyPatch) -> None:
        self.server, self.alice, self.username = server, alice, alice.username
        self._environment = monkeypatch
        made = alice.native("POST", "/me/tokens", {"name": secrets.token_hex(6), "scopes": ["write"]})
        self._token_id = made["id"]
        monkeypatch.setenv("HF_TOKEN", made["secret"])

    def new_name(self, stem: str) -> str:
        """A name of hers that is free; libraries make the repo."""
        return f"{self.username}/{stem}-{secrets.token_hex(4)}"

    def sign_out(self) -> HfApi:
        """Leaves no token behind. The server revokes it too: a library that kept it would get 401 from here on."""
        self._environment.delenv("HF_TOKEN")
        assert not pathlib.Path(os.environ["HF_HOME"], "token").exists()
        assert get_token() is None
        self.alice.native("DELETE", f"/me/tokens/{self._token_id}")
        self._mark = self.server.mark()
        return HfApi()

    def fetched(self, name: str) -> set[str]:
        """The files of the repo that clients got since she signed out."""
        begin = f"/{name}/resolve/"
        got = [each for each in self.server.requests(self._mark) if each["method"] == "GET" and each["status"] < 400]
        at = [each["path"].removeprefix("/datasets") for each in got]
        return {path.removeprefix(begin).partition("/")[2] for path in at if path.startswith(begin)}


@pytest.fixture()
def publisher(server, alice, monkeypatch):
    return Publisher(server, alice, monkeypatch)
