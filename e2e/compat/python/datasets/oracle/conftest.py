"""The same files in repos of the server, and in folders that the library reads by itself."""

from __future__ import annotations

import functools
import json
import pathlib
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from cases import BUILDERS, CASES
from datasets import DatasetDict, load_dataset
from huggingface_hub import HfApi

SECONDS = 240


def card(cases: dict) -> str:
    def config(name: str, case: object) -> str:
        files = "".join(f"  - split: {split}\n    path: {name}/{pattern}\n" for split, pattern in case.splits.items())
        return f"- config_name: {name}\n  data_files:\n{files}{case.card}"

    return f"---\nconfigs:\n{''.join(config(name, case) for name, case in cases.items())}---\n"


def write(folder: pathlib.Path, cases: dict) -> None:
    folder.mkdir()
    (folder / "README.md").write_text(card(cases))
    for name, case in cases.items():
        for path, content in case.files.items():
            target = folder / name / path
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(content)


class Viewer:
    """The viewer's answers on one config, and what the library finds in its files."""

    def __init__(self, server, token: str, repo: str, folder: pathlib.Path, name: str, configs: dict) -> None:
        self.server, self.token, self.repo, self.folder, self.name = server, token, repo, folder, name
        [self.config] = [config for config in configs["configs"] if config["name"] == name]

    def ask(self, endpoint: str, **params: object) -> dict:
        """Asks until there is an answer, as clients do. Answers `{"code": …}` for a refusal."""
        query = urllib.parse.urlencode({"dataset": self.repo, "config": self.name, **params})
        url = f"{self.server.url}/viewer-api/{endpoint}?{query}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.token}"})
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                    return json.loads(answer.read())
            except urllib.error.HTTPError as refusal:
                code = refusal.headers["X-Error-Code"]
                if code != "ResponseNotReady" or endpoint != "statistics" or time.monotonic() > deadline:
                    return {"code": code, **json.loads(refusal.read())}
            time.sleep(0.1)

    def fetch(self, url: str) -> bytes:
        """The bytes of a file that an answer names."""
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return answer.read()

    @functools.cached_property
    def loaded(self) -> DatasetDict:
        """What the library reads of the same files, without a server."""
        return load_dataset(str(self.folder), self.name, cache_dir=str(self.folder.parent / "cache"))


@pytest.fixture(scope="session")
def viewers(server, alice, alice_token, tmp_path_factory):
    """Viewers by the name of their case. All repos are uploaded before the first answer is awaited."""
    api = HfApi(endpoint=server.url, token=alice_token)
    top = tmp_path_factory.mktemp("oracle")
    repos = {}
    for builder, cases in BUILDERS.items():
        write(top / builder, cases)
        repos[builder] = f"{alice.username}/oracle-{builder}-{secrets.token_hex(3)}"
        api.create_repo(repos[builder], repo_type="dataset", private=True)
        api.upload_folder(repo_id=repos[builder], folder_path=top / builder, repo_type="dataset")
    found = {builder: settled(alice, repo) for builder, repo in repos.items()}
    return {
        path: Viewer(server, alice_token, repos[builder], top / builder, name, found[builder])
        for path in CASES
        for builder, name in [path.split("/")]
    }


def settled(person, repo: str) -> dict:
    deadline = time.monotonic() + SECONDS
    while True:
        found = person.native("GET", f"/repos/datasets/{repo}/configs")
        if found.get("converted_commit") == found["commit"]:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
