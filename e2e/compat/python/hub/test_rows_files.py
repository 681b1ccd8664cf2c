"""Rows about files: what is uploaded, listed and downloaded. One test a row."""

import hashlib
import secrets

import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfFileSystem
from huggingface_hub import get_hf_file_metadata, hf_hub_url

row = pytest.mark.row
MIB = 1024 * 1024
WEIGHTS = bytes(range(256)) * 8192
BATCH = "POST /{repo}.git/info/lfs/objects/batch"
RESOLVE = "GET /{repo}/resolve/{rev}/{path}"


@pytest.fixture()
def whole(monkeypatch):
    """Large files go up without chunks."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)


@row("POST /api/{type}s/{repo}/preupload/{rev}")
def test_preupload(api, repo_id):
    small, large = CommitOperationAdd("a.json", b"{}"), CommitOperationAdd("w.safetensors", secrets.token_bytes(5000))
    api.preupload_lfs_files(repo_id, [small, large])
    assert (small._upload_mode, large._upload_mode) == ("regular", "lfs")
    assert (small._should_ignore, large._should_ignore) == (False, False)


@row("POST /api/{type}s/{repo}/commit/{rev}")
def test_commit(api, repo_id, server):
    operations = [CommitOperationAdd("a.txt", b"a"), CommitOperationAdd("b/c.txt", b"c")]
    made = api.create_commit(repo_id, operations, commit_message="Two files", commit_description="At once.")
    assert (made.commit_message, made.commit_description, made.pr_url) == ("Two files", "At once.", None)
    assert made.commit_url == f"{server.url}/{repo_id}/commit/{made.oid}"
    assert made.oid == api.model_info(repo_id).sha
    assert api.list_repo_commits(repo_id)[0].message == "At once."
    api.create_commit(repo_id, [CommitOperationDelete("b/", is_folder=True)], commit_message="One less")
    assert set(api.list_repo_files(repo_id)) == {".gitattributes", "a.txt"}


@row("POST /api/{type}s/{repo}/commit/{rev}?create_pr=1")
def test_commit_on_a_new_pull_request(api, repo_id, server):
    base = api.model_info(repo_id).sha
    made = api.create_commit(
        repo_id, [CommitOperationAdd("a.txt", b"a")], commit_message="Propose", create_pr=True
    )
    assert (made.pr_num, made.pr_revision, made.pr_url) == (
        1,
        "refs/pr/1",
        f"{server.url}/{repo_id}/discussions/1",
    )
    assert (api.model_info(repo_id).sha, api.model_info(repo_id, revision="refs/pr/1").sha) == (base, made.oid)


@row("GET /api/{type}s/{repo}/tree/{rev}/{path}")
def test_tree(api, model):
    entries = {each.path: each for each in api.list_repo_tree(model, "sub", expand=True)}
    assert set(entries) == {"sub/a b.txt", "sub/w.bin"}
    small, large = entries["sub/a b.txt"], entries["sub/w.bin"]
    assert (small.size, small.blob_id, small.lfs) == (6, hashlib.sha1(b"blob 6\0alpha\n").hexdigest(), None)
    assert (large.size, large.lfs.size, large.lfs.sha256) == (2 * MIB, 2 * MIB, hashlib.sha256(WEIGHTS).hexdigest())
    assert large.last_commit.title == "Upload sub/w.bin with huggingface_hub"
    everything = [each.path for each in api.list_repo_tree(model, recursive=True)]
    assert sorted(everything) == [".gitattributes", "README.md", "sub", "sub/a b.txt", "sub/w.bin"]


@row("POST /api/{type}s/{repo}/paths-info/{rev}")
def test_paths_info(api, model):
    found = {each.path: each for each in api.get_paths_info(model, ["sub", "sub/a b.txt", "absent"], expand=True)}
    assert set(found) == {"sub", "sub/a b.txt"}
    assert len(found["sub"].tree_id) == 40
    assert found["sub/a b.txt"].last_commit.title == "Upload sub/a b.txt with huggingface_hub"


@row("HEAD /{repo}/resolve/{rev}/{path}")
def test_file_metadata(api, server, model, alice_token):
    def metadata(path):
        return get_hf_file_metadata(hf_hub_url(model, path, endpoint=server.url), token=alice_token)

    head = api.model_info(model).sha
    small, large = metadata("sub/a b.txt"), metadata("sub/w.bin")
    assert (small.commit_hash, small.etag, small.size) == (head, hashlib.sha1(b"blob 6\0alpha\n").hexdigest(), 6)
    assert (large.commit_hash, large.etag, large.size) == (head, hashlib.sha256(WEIGHTS).hexdigest(), 2 * MIB)
    assert large.xet_file_data is None


@row(RESOLVE)
def test_download(api, dataset, cache):
    path = api.hf_hub_download(dataset, "sub/a b.txt", repo_type="dataset", cache_dir=cache)
    assert open(path, "rb").read() == b"alpha\n"
    assert api.dataset_info(dataset).sha in path


@row(f"{RESOLVE} · Range")
def test_range(server, model, alice_token):
    files = HfFileSystem(endpoint=server.url, token=alice_token, skip_instance_cache=True)
    assert files.cat_file(f"{model}/sub/w.bin", start=MIB + 7, end=MIB + 300) == WEIGHTS[MIB + 7 : MIB + 300]
    assert files.cat_file(f"{model}/sub/a b.txt", start=-4) == b"pha\n"


@row(f"{RESOLVE} · without the chunked protocol")
def test_a_large_file_comes_whole(api, model, cache):
    path = api.hf_hub_download(model, "sub/w.bin", cache_dir=cache)
    assert open(path, "rb").read() == WEIGHTS


@row("GET /api/{type}s/{repo}/chunk-write-token/{rev}")
def test_chunks_are_sent_with_a_token(api, repo_id):
    data = secrets.token_bytes(300_000)
    api.upload_file(path_or_fileobj=data, path_in_repo="w.safetensors", repo_id=repo_id)
    [info] = api.get_paths_info(repo_id, ["w.safetensors"])
    assert (info.lfs.size, info.lfs.sha256) == (len(data), hashlib.sha256(data).hexdigest())


@row(f"{BATCH} · basic")
def test_a_large_file_by_one_request(whole, api, repo_id):
    data = secrets.token_bytes(300_000)
    api.upload_file(path_or_fileobj=data, path_in_repo="w.safetensors", repo_id=repo_id)
    [info] = api.get_paths_info(repo_id, ["w.safetensors"])
    assert (info.lfs.size, info.lfs.sha256) == (len(data), hashlib.sha256(data).hexdigest())


@row(f"{BATCH} · multipart")
def test_a_large_file_in_parts(whole, api, repo_id):
    data = secrets.token_bytes(MIB) * 65
    api.upload_file(path_or_fileobj=data, path_in_repo="w.safetensors", repo_id=repo_id)
    [info] = api.get_paths_info(repo_id, ["w.safetensors"])
    assert (info.lfs.size, info.lfs.sha256) == (len(data), hashlib.sha256(data).hexdigest())
