import hashlib
import os
import secrets

import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationCopy, CommitOperationDelete
from huggingface_hub.utils import HfHubHTTPError

MIB = 1024 * 1024


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def git_blob_oid(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def test_a_small_file_is_a_git_blob(api, repo_id, cache):
    data = "héllo, wörld\n".encode()
    commit = api.upload_file(
        path_or_fileobj=data, path_in_repo="dir/ü b.txt", repo_id=repo_id, commit_message="Say hello"
    )
    assert api.repo_info(repo_id).sha == commit.oid
    [info] = api.get_paths_info(repo_id, ["dir/ü b.txt"])
    assert (info.size, info.blob_id, info.lfs) == (len(data), git_blob_oid(data), None)
    path = api.hf_hub_download(repo_id, "dir/ü b.txt", cache_dir=cache)
    assert open(path, "rb").read() == data
    assert api.list_repo_commits(repo_id)[0].title == "Say hello"


def test_a_large_file_is_an_lfs_object(way, api, repo_id, cache):
    data = secrets.token_bytes(12 * MIB)
    api.upload_file(path_or_fileobj=data, path_in_repo="weights.bin", repo_id=repo_id)
    [info] = api.get_paths_info(repo_id, ["weights.bin"], expand=True)
    assert info.size == len(data)
    assert info.lfs.sha256 == sha256(data)
    assert info.lfs.size == len(data)
    assert info.last_commit.oid == api.repo_info(repo_id).sha
    path = api.hf_hub_download(repo_id, "weights.bin", cache_dir=cache)
    assert sha256(open(path, "rb").read()) == sha256(data)


def test_a_folder_of_300_files(way, api, repo_id, tmp_path):
    source = tmp_path / "source"
    expected = {}
    for i in range(300):
        name = f"nested/deep {i % 7}/ordner-ä{i % 3}/datei {i} ✓.txt" if i % 2 else f"top-{i}.json"
        data = f'{{"n": {i}}}\n'.encode() * (i + 1)
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
        expected[name] = data
    (source / "model.safetensors").write_bytes(expected.setdefault("model.safetensors", os.urandom(3 * MIB)))
    api.upload_folder(repo_id=repo_id, folder_path=source, commit_message="All of it")
    files = set(api.list_repo_files(repo_id))
    assert files == {*expected, ".gitattributes"}
    tree = {e.path: e for e in api.list_repo_tree(repo_id, recursive=True) if hasattr(e, "blob_id")}
    assert tree["model.safetensors"].lfs.sha256 == sha256(expected["model.safetensors"])
    for name in ("top-0.json", "nested/deep 1/ordner-ä1/datei 1 ✓.txt"):
        assert tree[name].blob_id == git_blob_oid(expected[name])
    local = api.snapshot_download(repo_id, cache_dir=tmp_path / "cache")
    for name, data in expected.items():
        assert open(os.path.join(local, name), "rb").read() == data, name


@pytest.mark.parametrize("way", ["whole"], indirect=True)
def test_a_gibibyte_goes_up_in_parts_and_comes_back(way, api, repo_id, tmp_path):
    source = tmp_path / "big.bin"
    digest = hashlib.sha256()
    block = secrets.token_bytes(MIB)
    with open(source, "wb") as out:
        for i in range(1024):
            piece = i.to_bytes(8, "little") + block[8:]
            digest.update(piece)
            out.write(piece)
    api.upload_file(path_or_fileobj=str(source), path_in_repo="big.bin", repo_id=repo_id)
    [info] = api.get_paths_info(repo_id, ["big.bin"])
    assert (info.size, info.lfs.sha256) == (1024 * MIB, digest.hexdigest())
    source.unlink()
    path = api.hf_hub_download(repo_id, "big.bin", local_dir=tmp_path / "local")
    back = hashlib.sha256()
    with open(path, "rb") as stream:
        while piece := stream.read(8 * MIB):
            back.update(piece)
    assert back.hexdigest() == digest.hexdigest()


def test_delete_copy_and_move(way, api, repo_id):
    regular, large = b"small one", secrets.token_bytes(11 * MIB)
    api.create_commit(
        repo_id,
        operations=[
            CommitOperationAdd("a.txt", regular),
            CommitOperationAdd("b/c.txt", b"c"),
            CommitOperationAdd("b/d.txt", b"d"),
            CommitOperationAdd("big.bin", large),
        ],
        commit_message="Start",
    )
    api.create_commit(
        repo_id,
        operations=[
            CommitOperationCopy("a.txt", "copied/a.txt"),
            CommitOperationCopy("big.bin", "copied/big.bin"),
            CommitOperationDelete("a.txt"),
            CommitOperationDelete("b/", is_folder=True),
        ],
        commit_message="Rearrange",
    )
    assert set(api.list_repo_files(repo_id)) == {".gitattributes", "big.bin", "copied/a.txt", "copied/big.bin"}
    [a, big] = api.get_paths_info(repo_id, ["copied/a.txt", "copied/big.bin"])
    assert a.blob_id == git_blob_oid(regular)
    assert big.lfs.sha256 == sha256(large)
    api.delete_file("copied/a.txt", repo_id=repo_id)
    assert not api.file_exists(repo_id, "copied/a.txt")
    with pytest.raises(HfHubHTTPError) as missing:
        api.delete_file("copied/a.txt", repo_id=repo_id)
    assert missing.value.response.status_code == 404


def test_a_stale_parent_is_refused_and_a_repeat_is_no_new_commit(api, repo_id):
    first = api.repo_info(repo_id).sha
    api.upload_file(path_or_fileobj=b"1", path_in_repo="n.txt", repo_id=repo_id)
    head = api.upload_file(path_or_fileobj=b"2", path_in_repo="n.txt", repo_id=repo_id).oid
    with pytest.raises(HfHubHTTPError) as stale:
        api.upload_file(path_or_fileobj=b"3", path_in_repo="n.txt", repo_id=repo_id, parent_commit=first)
    assert stale.value.response.status_code == 412
    again = api.upload_file(path_or_fileobj=b"2", path_in_repo="n.txt", repo_id=repo_id)
    assert again.oid == head
    assert len(api.list_repo_commits(repo_id)) == 3


def test_awful_names_are_stored_as_they_are(api, repo_id, cache):
    name = "subdir/odd?file %you:should,never.give"
    api.upload_file(path_or_fileobj=b"content", path_in_repo=name, repo_id=repo_id)
    assert name in api.list_repo_files(repo_id)
    path = api.hf_hub_download(repo_id, name, cache_dir=cache)
    assert open(path, "rb").read() == b"content"


@pytest.mark.parametrize("name", ["..\\ddd", "a/../b", ".git/config", "a/.GIT/x"])
def test_hostile_paths_are_refused(api, repo_id, server, alice_token, name):
    import json
    import urllib.error
    import urllib.request

    lines = [
        {"key": "header", "value": {"summary": "x", "description": ""}},
        {"key": "file", "value": {"path": name, "content": "eA==", "encoding": "base64"}},
    ]
    request = urllib.request.Request(
        f"{server.url}/api/models/{repo_id}/commit/main",
        data="\n".join(map(json.dumps, lines)).encode(),
        headers={"Authorization": f"Bearer {alice_token}", "Content-Type": "application/x-ndjson"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 422
    assert api.list_repo_files(repo_id) == [".gitattributes"]
