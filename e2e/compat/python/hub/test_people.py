"""Who may read a gated repo, who likes what, and how much room there is."""

import secrets

import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import GatedRepoError, HfHubHTTPError


@pytest.fixture()
def gated(api, alice):
    """A fresh public model of alice's, whose files must be asked for."""
    name = f"{alice.username}/gated-{secrets.token_hex(4)}"
    api.create_repo(name, private=False)
    api.upload_file(path_or_fileobj=b"{}", path_in_repo="config.json", repo_id=name)
    api.update_repo_settings(name, gated="manual")
    return name


def test_access_is_asked_for_decided_and_granted(api, server, bob, bob_token, gated, tmp_path):
    reader = HfApi(endpoint=server.url, token=bob_token)

    def fetch():
        return reader.hf_hub_download(gated, "config.json", cache_dir=tmp_path / secrets.token_hex(4))

    with pytest.raises(GatedRepoError):
        fetch()
    bob.native("POST", f"/repos/models/{gated}/access-requests", {"fields": {"Company": "Acme"}})
    [asked] = api.list_pending_access_requests(gated)
    assert (asked.username, asked.status, asked.fields) == (bob.username, "pending", {"Company": "Acme"})
    assert asked.timestamp.tzinfo is not None
    api.accept_access_request(gated, bob.username)
    with open(fetch()) as file:
        assert file.read() == "{}"
    assert [each.username for each in api.list_accepted_access_requests(gated)] == [bob.username]
    with pytest.raises(HfHubHTTPError, match="accepted already") as again:
        api.accept_access_request(gated, bob.username)
    assert again.value.response.status_code == 400
    api.cancel_access_request(gated, bob.username)
    assert [each.status for each in api.list_pending_access_requests(gated)] == ["pending"]
    api.reject_access_request(gated, bob.username, rejection_reason="Not this time")
    assert [each.username for each in api.list_rejected_access_requests(gated)] == [bob.username]
    with pytest.raises(GatedRepoError):
        fetch()
    if hasattr(asked, "request_id"):  # 2.3 and newer
        [rejected] = api.list_rejected_access_requests(gated)
        api.accept_access_request(gated, request_id=rejected.request_id)
        fetch()
        api.reject_access_request(gated, request_id=asked.request_id, rejection_reason="Not yet")
    api.grant_access(gated, bob.username)
    fetch()
    with pytest.raises(HfHubHTTPError, match="has access already"):
        api.grant_access(gated, bob.username)
    with pytest.raises(HfHubHTTPError) as nobody:
        api.grant_access(gated, f"nobody-{secrets.token_hex(4)}")
    assert nobody.value.response.status_code == 404
    with pytest.raises(HfHubHTTPError) as forbidden:
        list(reader.list_pending_access_requests(gated))
    assert forbidden.value.response.status_code == 403


def test_likes_of_hidden_repos_are_told_to_nobody(api, server, alice, bob_token, repo_id, gated):
    for name in (repo_id, gated):
        alice.native("POST", f"/repos/models/{name}/like")
    reader = HfApi(endpoint=server.url, token=bob_token)
    assert {repo_id, gated} <= set(api.list_liked_repos(alice.username).models)
    seen = reader.list_liked_repos(alice.username)
    assert gated in seen.models
    assert repo_id not in seen.models
    assert [each.username for each in reader.list_repo_likers(gated)] == [alice.username]
    api.unlike(gated)
    assert list(reader.list_repo_likers(gated)) == []


def test_an_upload_beyond_the_quota_says_why(server, tmp_path):
    carol = server.new_person(f"carol-{secrets.token_hex(3)}")
    api = HfApi(endpoint=server.url, token=carol.token())
    name = f"{carol.username}/small"
    api.create_repo(name)
    server.admin().native("PATCH", "/admin/quotas", {"ns": carol.username, "quota_bytes": 1_000_000})
    for path, size in (("large.safetensors", 2_000_000), ("notes.txt", 1_200_000)):
        with pytest.raises(HfHubHTTPError, match="at most 1000000 bytes, and this would add") as refused:
            api.upload_file(path_or_fileobj=secrets.token_bytes(size), path_in_repo=path, repo_id=name)
        assert refused.value.response.status_code == 413
    api.upload_file(path_or_fileobj=b"fits", path_in_repo="notes.txt", repo_id=name)
    assert "large.safetensors" not in api.list_repo_files(name)
