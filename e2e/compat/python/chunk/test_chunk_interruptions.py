"""What does not go smoothly: killed clients, killed and restarted servers, many at once."""

import secrets
import signal
import time

import pytest

from client import Client, Got, finished
from samples import MIB, noise, sha256, write_noise

UPLOAD = """
api.upload_file(path_or_fileobj=args[0], path_in_repo=args[1], repo_id=args[2])
"""


def test_a_killed_upload_goes_on_where_it_was(gated, carol, tmp_path):
    size = 200 * MIB
    digest = write_noise(tmp_path / "f.bin", size, secrets.token_hex(4))
    repo_id = gated.repo(carol)
    # The client notes every 20 s or 64 containers what has gone; here after each, and one goes at a time, so that
    # two of 64 MiB are noted when it is killed.
    settings = {
        "HF_XET_DATA_SESSION_XORB_METADATA_FLUSH_MAX_COUNT": "1",
        "HF_XET_CLIENT_AC_INITIAL_UPLOAD_CONCURRENCY": "1",
        "HF_XET_CLIENT_AC_MAX_UPLOAD_CONCURRENCY": "1",
    }
    gated.gate.hold_after(size - 40 * MIB)
    begun = carol.start(UPLOAD, tmp_path / "f.bin", "f.bin", repo_id, **settings)
    assert gated.gate.held.wait(60)
    # It notes them beside its work, and nothing tells when it has.
    time.sleep(2)
    begun.kill()
    finished(begun)
    gated.gate.release()
    before = gated.gate.sent
    carol.run(UPLOAD, tmp_path / "f.bin", "f.bin", repo_id)
    assert gated.gate.sent - before < size - 110 * MIB
    assert Got(gated.server, gated.token, repo_id, "f.bin").sha256 == digest


def test_a_killed_upload_that_noted_nothing_begins_anew(gated, carol, tmp_path):
    digest = write_noise(tmp_path / "f.bin", 70 * MIB, secrets.token_hex(4))
    repo_id = gated.repo(carol)
    gated.gate.hold_after(50 * MIB)
    begun = carol.start(UPLOAD, tmp_path / "f.bin", "f.bin", repo_id)
    assert gated.gate.held.wait(60)
    begun.kill()
    finished(begun)
    gated.gate.release()
    carol.run(UPLOAD, tmp_path / "f.bin", "f.bin", repo_id)
    assert Got(gated.server, gated.token, repo_id, "f.bin").sha256 == digest


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_server_restarts_while_chunks_come(gated, carol, tmp_path, how):
    digest = write_noise(tmp_path / "f.bin", 140 * MIB, secrets.token_hex(4))
    repo_id = gated.repo(carol)
    gated.gate.hold_after(80 * MIB)
    begun = carol.start(UPLOAD, tmp_path / "f.bin", "f.bin", repo_id)
    assert gated.gate.held.wait(60)
    assert gated.server.process
    gated.server.process.send_signal(how)
    gated.gate.release()
    gated.server.process.wait(timeout=60)
    gated.server.start()
    status, output = finished(begun)
    assert status == 0, output
    assert Got(gated.server, gated.token, repo_id, "f.bin").sha256 == digest


AT_ONCE = """
api.upload_file(path_or_fileobj=args[0], path_in_repo=args[1], repo_id=args[2])
api.upload_folder(folder_path=args[3], path_in_repo=args[1] + "-folder", repo_id=args[2])
"""


def test_eight_sessions_at_once(chunked, server, alice_token, api, repo_id, tmp_path):
    common = noise(6 * MIB, "eight")
    folder = tmp_path / "folder"
    folder.mkdir()
    for i in range(5):
        (folder / f"{i}.bin").write_bytes(noise(30_000 + i, f"eight {i}"))
    contents, running = {}, []
    for i in range(8):
        contents[f"{i}.bin"] = common + noise(3 * MIB, f"own {i}")
        (tmp_path / f"{i}.bin").write_bytes(contents[f"{i}.bin"])
        # Half of them on one machine, where they share what they know of chunks.
        client = Client(server, alice_token, tmp_path / ("shared" if i % 2 else f"home-{i}"))
        running.append(client.start(AT_ONCE, tmp_path / f"{i}.bin", f"{i}.bin", repo_id, folder))
    outcomes = [finished(each) for each in running]
    assert [status for status, _ in outcomes] == [0] * 8, outcomes
    for name, data in contents.items():
        assert Got(server, alice_token, repo_id, name).sha256 == sha256(data)
        assert Got(server, alice_token, repo_id, f"{name}-folder/4.bin").sha256 == sha256(noise(30_004, "eight 4"))


WHOLE = {"HF_HUB_DISABLE_XET": "1"}


def test_an_upload_in_parts_begins_anew_after_a_kill(server, client, alice_token, api, repo_id, tmp_path):
    digest = write_noise(tmp_path / "f.bin", 100 * MIB, secrets.token_hex(4))
    mark = server.mark()
    begun = client.start(UPLOAD, tmp_path / "f.bin", "f.bin", repo_id, **WHOLE)
    while not server.ways(mark) and begun.poll() is None:
        time.sleep(0.02)
    assert begun.poll() is None
    begun.kill()
    finished(begun)
    client.run(UPLOAD, tmp_path / "f.bin", "f.bin", repo_id, **WHOLE)
    assert server.ways(mark) == {"whole"}
    assert Got(server, alice_token, repo_id, "f.bin").sha256 == digest
