"""What the tests of single rows share: two repos that are only read."""

import secrets

import pytest
from huggingface_hub import HfApi

CARD = "---\nlicense: mit\nlanguage: en\ntags:\n- tiny\n---\n# Tiny\n"
WEIGHTS = bytes(range(256)) * 8192


@pytest.fixture(scope="session")
def mine(server, alice_token):
    return HfApi(endpoint=server.url, token=alice_token)


def _stocked(mine, alice, repo_type):
    name = f"{alice.username}/stocked-{secrets.token_hex(4)}"
    mine.create_repo(name, repo_type=repo_type, private=False)
    for path, data in (("README.md", CARD.encode()), ("sub/a b.txt", b"alpha\n"), ("sub/w.bin", WEIGHTS)):
        mine.upload_file(path_or_fileobj=data, path_in_repo=path, repo_id=name, repo_type=repo_type)
    return name


@pytest.fixture(scope="session")
def model(mine, alice):
    """A public model with a card, a small and a large file."""
    return _stocked(mine, alice, "model")


@pytest.fixture(scope="session")
def dataset(mine, alice):
    return _stocked(mine, alice, "dataset")
