"""Files of every size that chunks, containers and requests have a border at, however a script hands them over."""

import io

import pytest
from huggingface_hub import CommitOperationAdd

from client import Got
from samples import KIB, MIB, noise, sha256, write_noise

BORDERS = [1, *(border + by for border in (8 * KIB, 64 * KIB, 128 * KIB) for by in (-1, 0, 1))]


@pytest.mark.parametrize("size", BORDERS)
def test_a_file_of_one_border_size_alone(chunked, api, repo_id, server, alice_token, size):
    data = noise(size, f"alone {size}")
    api.upload_file(path_or_fileobj=data, path_in_repo="f.bin", repo_id=repo_id)
    got = Got(server, alice_token, repo_id, "f.bin")
    assert (got.size, got.sha256) == (size, sha256(data))


def test_all_border_sizes_in_one_commit(chunked, api, repo_id, server, alice_token):
    files = {f"{size}.bin": noise(size, f"together {size}") for size in (0, *BORDERS)}
    operations = [CommitOperationAdd(name, data) for name, data in files.items()]
    api.create_commit(repo_id, operations=operations, commit_message="All of them")
    for name, data in files.items():
        got = Got(server, alice_token, repo_id, name)
        assert (got.size, got.sha256) == (len(data), sha256(data)), name


def test_around_64_mib_where_a_container_is_full(chunked, api, repo_id, server, alice_token, tmp_path):
    data = noise(64 * MIB + 1, "full")
    for size in (64 * MIB - 1, 64 * MIB, 64 * MIB + 1):
        (tmp_path / "f.bin").write_bytes(data[:size])
        api.upload_file(path_or_fileobj=tmp_path / "f.bin", path_in_repo=f"{size}.bin", repo_id=repo_id)
        got = Got(server, alice_token, repo_id, f"{size}.bin")
        assert (got.size, got.sha256) == (size, sha256(data[:size]))


@pytest.mark.parametrize(
    ("kind", "way"), [("path", "chunks"), ("bytes", "chunks"), ("buffer", "whole"), ("open file", "whole")]
)
def test_however_it_is_handed_over(api, repo_id, server, alice_token, tmp_path, kind, way):
    data = noise(11 * MIB, kind)
    (tmp_path / "f.bin").write_bytes(data)
    mark = server.mark()
    with open(tmp_path / "f.bin", "rb") as stream:
        source = {"path": tmp_path / "f.bin", "bytes": data, "buffer": io.BytesIO(data), "open file": stream}[kind]
        api.upload_file(path_or_fileobj=source, path_in_repo="f.bin", repo_id=repo_id)
    assert server.ways(mark) == {way}
    assert Got(server, alice_token, repo_id, "f.bin").sha256 == sha256(data)


def test_300_mib(chunked, api, repo_id, server, alice_token, tmp_path):
    digest = write_noise(tmp_path / "big.bin", 300 * MIB, "big")
    api.upload_file(path_or_fileobj=tmp_path / "big.bin", path_in_repo="big.bin", repo_id=repo_id)
    [info] = api.get_paths_info(repo_id, ["big.bin"])
    assert (info.size, info.lfs.sha256) == (300 * MIB, digest)
    assert Got(server, alice_token, repo_id, "big.bin").sha256 == digest
