"""Copies of files from one repo to another, and downloads after the client has seen what paths-info answers."""

import hashlib
import inspect
import secrets
import urllib.request

import pytest
from huggingface_hub import CommitOperationCopy, HfApi, HfFileSystem, snapshot_download
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils import GatedRepoError, RepositoryNotFoundError
from huggingface_hub.utils._runtime import is_xet_available

row = pytest.mark.row
DUPLICATE = "POST /api/{type}s/{repo}/lfs-files/duplicate"
WEIGHTS = bytes(range(256)) * 8192

def copies_between_repos(test):
    """The test, for clients that copy between repos: 0.x copies within a repo alone and has no such test."""
    return test if "src_repo_id" in inspect.signature(CommitOperationCopy).parameters else None


def from_model(model, path="sub/w.bin", to="w.bin"):
    return CommitOperationCopy(path, to, src_repo_id=model, src_repo_type="model")


def sha256_at(server, token, repo_id, path, prefix=""):
    request = urllib.request.Request(f"{server.url}/{prefix}{repo_id}/resolve/main/{path}")
    request.add_unredirected_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return hashlib.sha256(answer.read()).hexdigest()


def chunk_calls(server, mark):
    """What a client asks for to send or fetch chunks."""
    words = ("xet-", "chunk-", "/shards", "/xorbs", "/reconstructions")
    return [each["path"] for each in server.requests(mark) if any(word in each["path"] for word in words)]


@copies_between_repos
@row(DUPLICATE)
def test_files_are_copied_from_another_repo(server, api, repo_id, model, alice_token):
    mark = server.mark()
    small = from_model(model, "sub/a b.txt", "b.txt")
    api.create_commit(repo_id, [from_model(model), small], commit_message="Copy")
    assert sha256_at(server, alice_token, repo_id, "w.bin") == hashlib.sha256(WEIGHTS).hexdigest()
    assert sha256_at(server, alice_token, repo_id, "b.txt") == hashlib.sha256(b"alpha\n").hexdigest()
    assert (chunk_calls(server, mark), server.ways(mark)) == ([], set())


@copies_between_repos
@row(DUPLICATE)
def test_a_folder_is_copied_between_repos_of_two_types(server, api, repo_id, dataset, alice_token):
    api.copy_files(f"hf://datasets/{dataset}/sub/", f"hf://{repo_id}/data/")
    assert {"data/a b.txt", "data/w.bin"} <= set(api.list_repo_files(repo_id))
    assert sha256_at(server, alice_token, repo_id, "data/w.bin") == hashlib.sha256(WEIGHTS).hexdigest()


@copies_between_repos
@row(DUPLICATE)
def test_a_reader_copies_into_a_pull_request(server, api, repo_id, bob, bob_token):
    theirs = HfApi(endpoint=server.url, token=bob_token)
    api.update_repo_settings(repo_id, private=False)
    name = f"{bob.username}/copies-{secrets.token_hex(4)}"
    theirs.create_repo(name)
    data = secrets.token_bytes(300_000)
    theirs.upload_file(path_or_fileobj=data, path_in_repo="own.bin", repo_id=name)
    operations = [from_model(name, "own.bin", "theirs.bin")]
    made = theirs.create_commit(repo_id, operations, commit_message="Copy", create_pr=True)
    [info] = theirs.get_paths_info(repo_id, ["theirs.bin"], revision=made.pr_revision)
    assert info.lfs.sha256 == hashlib.sha256(data).hexdigest()


@copies_between_repos
def test_nothing_is_copied_that_one_may_not_read(server, api, alice, repo_id, bob, bob_token):
    theirs = HfApi(endpoint=server.url, token=bob_token)
    name = f"{bob.username}/copies-{secrets.token_hex(4)}"
    theirs.create_repo(name)
    api.upload_file(path_or_fileobj=WEIGHTS, path_in_repo="w.bin", repo_id=repo_id)
    with pytest.raises(RepositoryNotFoundError):
        theirs.create_commit(name, [from_model(repo_id, "w.bin")], commit_message="Copy")
    gated = f"{alice.username}/gated-{secrets.token_hex(4)}"
    api.create_repo(gated)
    api.upload_file(path_or_fileobj=WEIGHTS, path_in_repo="w.bin", repo_id=gated)
    api.update_repo_settings(gated, gated="manual")
    with pytest.raises(GatedRepoError):
        theirs.create_commit(name, [from_model(gated, "w.bin")], commit_message="Copy")
    assert "w.bin" not in theirs.list_repo_files(name)


@copies_between_repos
@row(DUPLICATE)
def test_the_client_names_what_the_source_has_lost(api, repo_id, model):
    from huggingface_hub._commit_api import _CopySource

    # As if it were deleted for good between the two requests of a copy.
    gone = RepoFile(path="w.bin", size=3, oid="a" * 40, lfs={"oid": "b" * 64, "size": 3, "pointerSize": 9}, xetHash="*" * 64)
    seen = {_CopySource(model, "model", "w.bin", None): gone}
    with pytest.raises(Exception, match=f"{'b' * 64}: This repo has no such large file any more"):
        api._duplicate_lfs_files(repo_id, [from_model(model, "w.bin")], files_to_copy=seen)


@row("GET /{repo}/resolve/{rev}/{path} · without the chunked protocol")
def test_no_download_by_chunks_follows(server, api, model, alice_token, tmp_path):
    assert is_xet_available()
    mark = server.mark()
    [info] = api.get_paths_info(model, ["sub/w.bin"])
    # A withheld hash, as on the public hub.
    assert getattr(info, "xet_hash", "*" * 64) == "*" * 64
    got = []

    def keep(path):
        got.append(hashlib.sha256(open(path, "rb").read()).hexdigest())

    for i, options in enumerate(({}, {"expand_info": True})):
        options = {"endpoint": server.url, "token": alice_token, "skip_instance_cache": True, **options}
        files = HfFileSystem(**options)
        files.get_file(f"{model}/sub/w.bin", str(tmp_path / f"first-{i}"))
        files.info(f"{model}/sub/w.bin", refresh=True)
        files.ls(f"{model}/sub", detail=True)
        files.get_file(f"{model}/sub/w.bin", str(tmp_path / f"second-{i}"))
        keep(tmp_path / f"first-{i}")
        keep(tmp_path / f"second-{i}")
    where = {"endpoint": server.url, "token": alice_token, "cache_dir": tmp_path / "cache"}
    folder = snapshot_download(model, **where)
    keep(f"{folder}/sub/w.bin")
    # The list of files is in the cache by now, and the file is fetched by its commit.
    sha = api.model_info(model).sha
    keep(api.hf_hub_download(model, "sub/w.bin", revision=sha, cache_dir=where["cache_dir"], force_download=True))
    keep(f"{snapshot_download(model, **where, local_dir=tmp_path / 'local')}/sub/w.bin")
    assert set(got) == {hashlib.sha256(WEIGHTS).hexdigest()} and len(got) == 7
    assert chunk_calls(server, mark) == []
