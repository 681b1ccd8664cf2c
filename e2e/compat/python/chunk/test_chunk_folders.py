"""Folders, repos of each kind, branches, people: all that a chunked upload can be for."""

import os
import pathlib
import secrets
import shutil
import subprocess

import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationCopy, HfApi

from client import Got
from samples import KIB, MIB, noise, sha256, text

SIZES = [0, 1, 100, 8 * KIB - 1, 8 * KIB, 8 * KIB + 1, 20_000, 64 * KIB, 128 * KIB, 128 * KIB + 1]


def test_a_folder_of_500_files(chunked, api, repo_id, server, alice_token, tmp_path):
    source = tmp_path / "source"
    digests = {}
    for i in range(500):
        name = f"part {i % 7}/ünter {i % 3}/{i}.{'bin' if i % 4 else 'json'}"
        data = noise(SIZES[i % len(SIZES)] + i // 100, f"folder {i}") if i % 4 else text(500 + i, i)
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
        digests[name] = sha256(data)
    large = noise(70 * MIB, "folder")
    (source / "large.bin").write_bytes(large)
    digests["large.bin"] = sha256(large)
    api.upload_folder(repo_id=repo_id, folder_path=source)
    assert set(api.list_repo_files(repo_id)) == {*digests, ".gitattributes"}
    local = api.snapshot_download(repo_id, cache_dir=tmp_path / "cache")
    got = {name: sha256(pathlib.Path(local, name).read_bytes()) for name in digests}
    assert got == digests


# Programs named `hf` of other client versions, and a script that downloads in JavaScript, as the stage gives them.
OTHERS = [path for path in os.environ.get("ARSENAL_OTHER_HF", "").split(os.pathsep) if path]
SCRIPT = pathlib.Path(__file__).with_name("download.mjs")


def test_every_client_downloads_it(chunked, api, repo_id, server, alice_token, client, tmp_path):
    data = noise(12 * MIB, "for all")
    api.upload_file(path_or_fileobj=data, path_in_repo="in a/file ü.bin", repo_id=repo_id)
    got = {"plain": Got(server, alice_token, repo_id, "in a/file ü.bin").sha256}
    for i, hf in enumerate(OTHERS):
        client.hf("download", repo_id, "in a/file ü.bin", "--local-dir", tmp_path / str(i), program=hf)
        got[hf] = sha256((tmp_path / str(i) / "in a" / "file ü.bin").read_bytes())
    url = f"{server.url}/{repo_id}/resolve/main/in%20a/file%20%C3%BC.bin"
    if shutil.which("curl"):
        target = tmp_path / "by-curl"
        subprocess.run(
            ["curl", "-sSfL", "-H", f"Authorization: Bearer {alice_token}", "-o", target, url], check=True
        )
        got["curl"] = sha256(target.read_bytes())
    if entry := os.environ.get("ARSENAL_HUB_JS"):
        asked = [entry, server.url, alice_token, repo_id, "in a/file ü.bin"]
        done = subprocess.run(["node", SCRIPT, *asked], capture_output=True, text=True)
        got["JavaScript"] = done.stdout.strip() or done.stderr
    assert got == dict.fromkeys(got, sha256(data))


def test_odd_paths(chunked, api, repo_id, server, alice_token):
    names = ["a b/c d.bin", "subdir/odd?file %you:should,never.bin", "日本語/モデル.safetensors", "+plus&amp;#.bin"]
    operations = [CommitOperationAdd(name, noise(5000, name)) for name in names]
    api.create_commit(repo_id, operations=operations, commit_message="Odd")
    for name in names:
        assert Got(server, alice_token, repo_id, name).sha256 == sha256(noise(5000, name)), name


def test_a_dataset_and_a_branch_with_a_slash(chunked, api, alice, server, alice_token):
    name = f"{alice.username}/data-{secrets.token_hex(4)}"
    api.create_repo(name, repo_type="dataset", private=True)
    api.create_branch(name, repo_type="dataset", branch="feat/new-data")
    data = noise(2 * MIB, name)
    made = api.upload_file(
        path_or_fileobj=data,
        path_in_repo="t/train.parquet",
        repo_id=name,
        repo_type="dataset",
        revision="feat/new-data",
    )
    for revision in ("feat/new-data", made.oid):
        assert Got(server, alice_token, f"datasets/{name}", "t/train.parquet", revision).sha256 == sha256(data)
    assert api.list_repo_files(name, repo_type="dataset") == [".gitattributes"]


def test_a_member_uploads_for_an_organisation(chunked, server, alice, bob, bob_token):
    org = f"org-{secrets.token_hex(3)}"
    alice.native("POST", "/orgs", {"ns": org})
    alice.native("PUT", f"/orgs/{org}/members/{bob.username}", {"role": "write"})
    theirs = HfApi(endpoint=server.url, token=bob_token)
    name = f"{org}/shared"
    theirs.create_repo(name, private=True)
    data = noise(MIB, org)
    theirs.upload_file(path_or_fileobj=data, path_in_repo="w.bin", repo_id=name)
    assert Got(server, bob_token, name, "w.bin").sha256 == sha256(data)


def test_copies_need_no_bytes(chunked, api, repo_id, server, alice_token):
    data = noise(3 * MIB, "copied")
    api.upload_file(path_or_fileobj=data, path_in_repo="a.bin", repo_id=repo_id)
    operations = [CommitOperationCopy("a.bin", "b/copy of a.bin"), CommitOperationAdd("c.bin", noise(9, "c"))]
    api.create_commit(repo_id, operations=operations, commit_message="Copy")
    assert Got(server, alice_token, repo_id, "b/copy of a.bin").sha256 == sha256(data)


@pytest.mark.parametrize("is_unchunked", [False, True])
def test_the_command_line(client, api, repo_id, server, alice_token, tmp_path, is_unchunked):
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    data = noise(12 * MIB, f"command line {is_unchunked}")
    (folder / "deep" / "w.safetensors").write_bytes(data)
    (folder / "README.md").write_text("# Card\n")
    settings = {"HF_HUB_DISABLE_XET": "1"} if is_unchunked else {}
    mark = server.mark()
    client.hf("upload", repo_id, folder, ".", **settings)
    client.hf("upload", repo_id, folder / "deep" / "w.safetensors", "one.safetensors", "--revision", "side", **settings)
    assert server.ways(mark) == {"whole" if is_unchunked else "chunks"}
    assert Got(server, alice_token, repo_id, "deep/w.safetensors").sha256 == sha256(data)
    assert Got(server, alice_token, repo_id, "one.safetensors", "side").sha256 == sha256(data)
