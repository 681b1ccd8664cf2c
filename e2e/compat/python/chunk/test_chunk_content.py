"""What is inside: duplicates, zeros, text and numbers. What was sent before is not sent again."""

import pytest
from client import Got
from samples import KIB, MIB, edited, noise, sha256, text, weights

UPLOAD = """
api.upload_file(path_or_fileobj=args[0], path_in_repo=args[1], repo_id=args[2])
"""


@pytest.fixture()
def send(gated, carol, tmp_path):
    """Uploads bytes from one and the same machine; answers how many bytes of all requests with chunks it took."""
    repo_id = gated.repo(carol)

    def upload(name: str, data: bytes) -> int:
        (tmp_path / name).write_bytes(data)
        before = gated.gate.sent
        carol.run(UPLOAD, tmp_path / name, name, repo_id)
        assert Got(gated.server, gated.token, repo_id, name).sha256 == sha256(data)
        return gated.gate.sent - before

    return upload


@pytest.mark.parametrize(("kind", "spots"), [("clustered", 1), ("scattered", 16)])
def test_an_edit_of_one_percent_sends_at_most_five(send, kind, spots):
    data = noise(128 * MIB, f"{kind} edit")
    first = send("model.bin", data)
    assert first > len(data)
    again = send("model.bin", edited(data, spots, 0.01, kind))
    assert again <= 0.05 * first, f"{again} of {first}"


def test_an_insertion_and_a_removal_shift_the_rest_for_nothing(send):
    data = noise(48 * MIB, "shift")
    first = send("shift.bin", data)
    middle = len(data) // 2
    shifted = data[: 5 * MIB] + data[5 * MIB + 100_001 : middle] + noise(77_777, "inserted") + data[middle:]
    assert send("shift.bin", shifted) <= 0.05 * first


def test_the_same_again_under_another_name_sends_next_to_nothing(send):
    data = noise(20 * MIB, "again")
    assert send("one.bin", data) > len(data)
    assert send("two.bin", data) < 256 * KIB


def test_duplicates_within_a_file_and_runs_of_zeros_are_sent_once(send):
    piece = noise(3 * MIB, "piece")
    assert send("tiled.bin", piece * 8) < 1.3 * len(piece) + MIB
    assert send("zeros.bin", bytes(40 * MIB)) < MIB
    assert send("holes.bin", piece[:MIB] + bytes(10 * MIB) + piece[MIB : 2 * MIB] + bytes(131_071)) < 3 * MIB


def test_duplicates_across_the_files_of_one_commit(gated, carol, tmp_path):
    repo_id = gated.repo(carol)
    common = noise(10 * MIB, "common")
    contents = {f"{i}.bin": common + noise(MIB, f"own {i}") for i in range(4)} | {"twin.bin": common}
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    # No bound on what is sent: files of one upload are read at once, and hf-xet 1.8 finds only chunks that have gone.
    carol.run("api.upload_folder(folder_path=args[0], repo_id=args[1])", folder, repo_id)
    for name, data in contents.items():
        assert Got(gated.server, gated.token, repo_id, name).sha256 == sha256(data)


def test_what_can_be_compressed_is(send):
    words = text(80 * MIB, "words")
    assert send("words.jsonl", words) < 0.75 * len(words)
    floats = weights(4 * MIB, "weights")
    assert send("weights.safetensors", floats) < 0.95 * len(floats)
