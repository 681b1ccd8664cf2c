"""Uploads that a server refuses: what each client does of it, and whether a person learns what to do."""

import secrets

import hf_xet
import huggingface_hub
import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import HfHubHTTPError

from client import Client, Got
from samples import MIB, noise, sha256

# Since 1.20 the client sends chunks without asking the server how.
VERSION = tuple(map(int, huggingface_hub.__version__.split(".")[:2]))
ASKS = VERSION < (1, 20)
REMEDY = "HF_HUB_DISABLE_XET=1"


@pytest.fixture()
def large(tmp_path):
    data = noise(11 * MIB, secrets.token_hex(4))
    (tmp_path / "large.bin").write_bytes(data)
    return tmp_path / "large.bin", sha256(data)


def client_of(place, tmp_path) -> Client:
    return Client(place.server, place.token, tmp_path / "home")


def test_a_server_that_takes_no_chunks(rejecting, tmp_path, large):
    path, digest = large
    client = client_of(rejecting, tmp_path)
    repo_id = rejecting.repo(client)
    mark = rejecting.server.mark()
    if not ASKS:
        shown = client.hf_fails("upload", repo_id, path, "large.bin")
        assert "403" in shown and f"set-{REMEDY}-and-retry" in shown, shown
        assert f"This server refuses chunked uploads. Set {REMEDY}." in shown, shown
        assert rejecting.server.ways(mark) == set()
    client.hf("upload", repo_id, path, "large.bin", **({} if ASKS else {"HF_HUB_DISABLE_XET": "1"}))
    assert rejecting.server.ways(mark) == {"whole"}
    assert Got(rejecting.server, rejecting.token, repo_id, "large.bin").sha256 == digest


def test_a_script_at_a_server_that_takes_no_chunks(rejecting, tmp_path, large):
    path, digest = large
    client = client_of(rejecting, tmp_path)
    repo_id = rejecting.repo(client)
    script = "api.upload_folder(folder_path=args[0], repo_id=args[1], allow_patterns='*.bin')"
    if not ASKS:
        assert REMEDY in client.fail(script, path.parent, repo_id)
    client.run(script, path.parent, repo_id, **({} if ASKS else {"HF_HUB_DISABLE_XET": "1"}))
    assert Got(rejecting.server, rejecting.token, repo_id, "large.bin").sha256 == digest


def test_a_file_above_the_limit(small, tmp_path, large):
    path, digest = large
    client = client_of(small, tmp_path)
    repo_id = small.repo(client)
    mark = small.server.mark()
    if not ASKS:
        shown = client.hf_fails("upload", repo_id, path, "large.bin")
        # hf-xet shows the status alone; why, and what to do, is said before.
        assert "413" in shown and "at most 1048576 bytes in chunks" in shown and REMEDY in shown, shown
        statuses = {each["path"][-10:]: each["status"] for each in small.server.requests(mark)}
        assert statuses["/v2/shards"] == 413
    client.hf("upload", repo_id, path, "large.bin", **({} if ASKS else {"HF_HUB_DISABLE_XET": "1"}))
    assert small.server.ways(mark) == {"whole"}
    assert Got(small.server, small.token, repo_id, "large.bin").sha256 == digest


def test_files_within_the_limit_still_go_in_chunks(small, tmp_path):
    client = client_of(small, tmp_path)
    repo_id = small.repo(client)
    data = noise(MIB, "just")
    (tmp_path / "just.bin").write_bytes(data)
    mark = small.server.mark()
    client.hf("upload", repo_id, tmp_path / "just.bin", "just.bin")
    assert small.server.ways(mark) == {"chunks"}
    assert Got(small.server, small.token, repo_id, "just.bin").sha256 == sha256(data)


@pytest.fixture()
def open_repo(api, alice):
    name = f"{alice.username}/open-{secrets.token_hex(4)}"
    api.create_repo(name, private=False)
    return name


def test_a_reader_opens_a_pull_request(chunked, server, open_repo, api, bob_token, large):
    path, digest = large
    reader = HfApi(endpoint=server.url, token=bob_token)
    made = reader.upload_file(path_or_fileobj=path, path_in_repo="f.bin", repo_id=open_repo, create_pr=True)
    assert made.pr_revision == "refs/pr/1"
    more = noise(MIB, digest)
    reader.upload_file(path_or_fileobj=more, path_in_repo="g.bin", repo_id=open_repo, revision=made.pr_revision)
    assert Got(server, bob_token, open_repo, "f.bin", made.pr_revision).sha256 == digest
    assert Got(server, bob_token, open_repo, "g.bin", made.pr_revision).sha256 == sha256(more)
    assert api.list_repo_files(open_repo) == [".gitattributes"]


def test_a_reader_may_send_chunks_for_a_pull_request_alone(server, open_repo, repo_id, bob_token):
    headers = {"Authorization": f"Bearer {bob_token}"}
    data = noise(5000, secrets.token_hex(4))

    def send(name: str, revision: str) -> None:
        url = f"{server.url}/api/models/{name}/xet-write-token/{revision}"
        options = {"token_refresh_url": url, "token_refresh_headers": headers}
        with hf_xet.XetSession().new_upload_commit(**options) as commit:
            commit.start_upload_bytes(data, sha256=hf_xet.COMPUTE_SHA256)

    send(open_repo, "None?create_pr=1")
    for name, revision, status in ((open_repo, "main", "403"), (repo_id, "None?create_pr=1", "404")):
        with pytest.raises(Exception, match=status):
            send(name, revision)


def test_a_reader_cannot_upload_nor_can_a_stranger_see(server, open_repo, repo_id, bob_token, large):
    reader = HfApi(endpoint=server.url, token=bob_token)
    for name, status in ((open_repo, 403), (repo_id, 404)):
        mark = server.mark()
        with pytest.raises(HfHubHTTPError) as refused:
            reader.upload_file(path_or_fileobj=large[0], path_in_repo="f.bin", repo_id=name)
        assert refused.value.response.status_code == status
        assert server.ways(mark) == set()
