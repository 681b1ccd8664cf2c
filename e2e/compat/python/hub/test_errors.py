import secrets

import pytest
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)


@pytest.fixture()
def public_repo(api, alice):
    name = f"{alice.username}/open-{secrets.token_hex(4)}"
    api.create_repo(name, private=False)
    api.upload_file(path_or_fileobj=b"x", path_in_repo="f.txt", repo_id=name)
    return name


@pytest.mark.row("error: hidden private Repo", "error: not found")
def test_missing_and_hidden_repos_are_alike(server, bob_token, repo_id, alice, cache):
    for token in (bob_token, False):
        stranger = HfApi(endpoint=server.url, token=token)
        for name in (repo_id, f"{alice.username}/never-was"):
            with pytest.raises(RepositoryNotFoundError):
                stranger.repo_info(name)
            with pytest.raises(RepositoryNotFoundError):
                hf_hub_download(name, "f.txt", endpoint=server.url, token=token, cache_dir=cache)
            assert not stranger.repo_exists(name)


@pytest.mark.row("error: not found")
def test_missing_revision_and_entry(api, public_repo, cache):
    with pytest.raises(RevisionNotFoundError):
        api.hf_hub_download(public_repo, "f.txt", revision="nowhere", cache_dir=cache)
    with pytest.raises(EntryNotFoundError):
        api.hf_hub_download(public_repo, "nothing.txt", cache_dir=cache)
    assert list((cache / f"models--{public_repo.replace('/', '--')}").glob(".no_exist/*/nothing.txt"))
    with pytest.raises(EntryNotFoundError):
        list(api.list_repo_tree(public_repo, "no/such/dir"))


@pytest.mark.row("error: gated Repo")
def test_gated_files_need_access(api, public_repo, server, bob_token, alice, bob, cache):
    api.update_repo_settings(public_repo, gated="manual")
    for token in (bob_token, False):
        with pytest.raises(GatedRepoError):
            hf_hub_download(public_repo, "f.txt", endpoint=server.url, token=token, cache_dir=cache)
    stranger = HfApi(endpoint=server.url, token=bob_token)
    assert "f.txt" in stranger.list_repo_files(public_repo)
    request = bob.native("POST", f"/repos/models/{public_repo}/access-requests", {"message": "please"})
    alice.native("PATCH", f"/repos/models/{public_repo}/access-requests/{request['id']}", {"status": "accepted"})
    path = hf_hub_download(public_repo, "f.txt", endpoint=server.url, token=bob_token, cache_dir=cache)
    assert open(path, "rb").read() == b"x"


@pytest.mark.row("bad token")
def test_a_bad_token_says_so_everywhere(server, public_repo, cache):
    bad = HfApi(endpoint=server.url, token="hf_asl_" + "a" * 46)
    for call in (bad.whoami, lambda: bad.repo_info(public_repo), lambda: list(bad.list_models(limit=1))):
        # 0.x says it of whoami by the exception of its HTTP library.
        with pytest.raises(Exception) as refused:
            call()
        assert refused.value.response.status_code == 401
        assert not isinstance(refused.value, RepositoryNotFoundError)


@pytest.mark.row("write permissions")
def test_reading_does_not_let_one_write(server, public_repo, bob_token, alice):
    stranger = HfApi(endpoint=server.url, token=bob_token)
    with pytest.raises(HfHubHTTPError) as forbidden:
        stranger.upload_file(path_or_fileobj=b"y", path_in_repo="y.txt", repo_id=public_repo)
    assert forbidden.value.response.status_code == 403
    with pytest.raises(HfHubHTTPError) as elsewhere:
        stranger.create_repo(f"{alice.username}/not-mine-{secrets.token_hex(3)}")
    assert elsewhere.value.response.status_code == 403
    reader = HfApi(endpoint=server.url, token=alice.token(scopes=("read",)))
    with pytest.raises(HfHubHTTPError) as readonly:
        reader.upload_file(path_or_fileobj=b"y", path_in_repo="y.txt", repo_id=public_repo)
    assert readonly.value.response.status_code == 403
