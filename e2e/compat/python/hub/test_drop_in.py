"""What clients get without a call of their own for it: as the public hub does it."""

import re
import secrets
import urllib.error
import urllib.request

import pytest
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, RepositoryNotFoundError


@pytest.fixture()
def open_repo(api, alice):
    name = f"{alice.username}/open-{secrets.token_hex(4)}"
    api.create_repo(name)
    api.upload_file(path_or_fileobj=b"x", path_in_repo="dir/a.txt", repo_id=name)
    return name


def test_a_gated_file_says_where_to_ask(api, open_repo, server, bob_token, cache):
    api.update_repo_settings(open_repo, gated="manual")
    with pytest.raises(GatedRepoError) as refused:
        hf_hub_download(open_repo, "dir/a.txt", endpoint=server.url, token=bob_token, cache_dir=cache)
    said = str(refused.value)
    assert f"Access to model {open_repo} is restricted and you are not in the authorized list." in said
    assert f"/{open_repo} to ask for access." in said


def test_a_file_delete_of_a_folder_deletes_the_folder(api, open_repo):
    api.upload_file(path_or_fileobj=b"y", path_in_repo="dir/sub/b.txt", repo_id=open_repo)
    api.delete_file("dir", open_repo)
    assert [path for path in api.list_repo_files(open_repo) if path.startswith("dir")] == []
    with pytest.raises(HfHubHTTPError) as refused:
        api.delete_file("dir", open_repo)
    assert refused.value.response.status_code == 404
    assert str(refused.value).count("doesn't exist: dir") == 1


def test_parts_of_split_archives_are_large_files_in_a_new_repo(api, open_repo):
    api.upload_file(path_or_fileobj=b"part", path_in_repo="weights.lfs.part1", repo_id=open_repo)
    [part] = api.get_paths_info(open_repo, ["weights.lfs.part1"])
    assert part.lfs is not None and part.lfs.size == 4


def test_errors_carry_the_request_id_that_the_client_sent(server, bob_token):
    stranger = HfApi(endpoint=server.url, token=bob_token)
    with pytest.raises(RepositoryNotFoundError) as refused:
        stranger.repo_info(f"none-{secrets.token_hex(4)}/none")
    response = refused.value.response
    sent = response.request.headers["X-Amzn-Trace-Id"]
    assert sent in (response.headers["x-request-id"], response.headers.get("x-amzn-trace-id"))


@pytest.mark.parametrize("name", ["X-Request-Id", "X-Amzn-Trace-Id"])
def test_a_request_id_comes_back_as_it_was_sent_and_a_malformed_one_does_not(server, name):
    def answered(sent: str, path: str) -> str:
        asked = urllib.request.Request(server.url + path, headers={name: sent})
        try:
            with urllib.request.urlopen(asked) as answer:
                return answer.headers["X-Request-Id"]
        except urllib.error.HTTPError as refused:
            return refused.headers["X-Request-Id"]

    for path in ("/api/models?limit=1", "/none/none/resolve/main/none"):
        for good in ("3f2c-41d0.a_B", "x" * 128):
            assert answered(good, path) == good
        ids = [answered(bad, path) for bad in ("two words", "a;b", '"quoted"', "x" * 129)]
        assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", each) for each in ids), ids
        assert len(set(ids)) == len(ids)
