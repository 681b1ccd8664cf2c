"""Rows that are not supported: each fails in the way that its caller can explain to a person."""

import json
import urllib.error
import urllib.request

import pytest
from huggingface_hub.utils import RepositoryNotFoundError

row = pytest.mark.row


@row("/api/spaces/...")
def test_spaces(api, alice):
    with pytest.raises(RepositoryNotFoundError, match="Spaces are not served by this server"):
        api.space_info(f"{alice.username}/demo")
    assert not api.repo_exists(f"{alice.username}/demo", repo_type="space")
    assert list(api.list_spaces()) == []


@row("/api/jobs/... and /api/inference/...")
def test_jobs(api, alice):
    # 0.x raises the exception of its HTTP library.
    with pytest.raises(Exception) as refused:
        list(api.list_jobs(namespace=alice.username))
    assert refused.value.response.status_code == 501
    assert refused.value.response.json() == {"error": "Jobs are not offered by this server"}


def refusal(server, token, method, path):
    request = urllib.request.Request(
        f"{server.url}{path}", method=method, headers={"Authorization": f"Bearer {token}"}
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    return refused.value.code, json.loads(refused.value.read())["error"]


@row("GET /api/{type}s/{repo}/chunk-read-token/{rev}", client="plain HTTP")
def test_chunked_downloads(server, model, alice_token):
    status, error = refusal(server, alice_token, "GET", f"/api/models/{model}/xet-read-token/main")
    assert (status, error) == (404, "Chunked downloads are not offered; use plain HTTP.")
