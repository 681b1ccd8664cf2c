import os
import pathlib
import secrets
import shutil
import tempfile

# Clients read these at import, so they are set before any test module imports one.
_home = tempfile.mkdtemp(prefix="arsenal-hf-home-")
os.environ.update(
    HF_HOME=_home,
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_HUB_DISABLE_UPDATE_CHECK="1",
    HF_UPDATE_DOWNLOAD_COUNTS="0",
    HF_HUB_DISABLE_PROGRESS_BARS="1",
    DISABLE_SAFETENSORS_CONVERSION="1",
    NO_PROXY="*",
    TOKENIZERS_PARALLELISM="false",
)
proxies = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_DISABLE_XET", *proxies):
    os.environ.pop(name, None)

from server import Server  # noqa: E402

_server = Server()
os.environ["HF_ENDPOINT"] = _server.url

import pytest  # noqa: E402

pytest_plugins = ["rows", "publisher"]


@pytest.fixture(scope="session")
def server():
    return _server


@pytest.fixture(scope="session")
def alice(server):
    """A person with a write token."""
    return server.new_person(f"alice-{secrets.token_hex(3)}")


@pytest.fixture(scope="session")
def bob(server):
    """Another person, who has no right on what alice owns."""
    return server.new_person(f"bob-{secrets.token_hex(3)}")


@pytest.fixture(scope="session")
def alice_token(alice):
    return alice.token("compat")


@pytest.fixture(scope="session")
def bob_token(bob):
    return bob.token("compat")


@pytest.fixture()
def api(server, alice_token):
    from huggingface_hub import HfApi

    return HfApi(endpoint=server.url, token=alice_token)


@pytest.fixture()
def repo_id(api, alice):
    """A fresh private model repo of alice's."""
    name = f"{alice.username}/repo-{secrets.token_hex(4)}"
    api.create_repo(name, private=True)
    return name


@pytest.fixture(params=["chunks", "whole"])
def way(request, server, monkeypatch):
    """How large files travel in a test: by the client's own settings, or with chunks turned off. The log must agree."""
    if request.param == "whole":
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    mark = server.mark()
    yield request.param
    assert server.ways(mark) == {request.param}


@pytest.fixture()
def cache(tmp_path) -> pathlib.Path:
    return tmp_path / "cache"


def pytest_sessionfinish(session, exitstatus):
    _server.stop()
    shutil.rmtree(_home, ignore_errors=True)
    # Gigabytes by then; after a failure they may tell why.
    if exitstatus == 0:
        shutil.rmtree(_server.dir, ignore_errors=True)
