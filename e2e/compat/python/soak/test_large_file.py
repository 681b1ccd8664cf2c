"""A file that takes longer than `npm test` may, and what the server needs of memory for it."""

import pathlib
import time

from client import Client, Got, finished
from samples import MIB, write_noise

SIZE = 5 * 1024 * MIB
MOST_GROWTH = 400 * MIB
LONGEST_UPLOAD = 20 * 60

UPLOAD = """
api.upload_file(path_or_fileobj=args[0], path_in_repo="f.bin", repo_id=args[1])
"""


def peak(pid: int) -> int:
    """The most memory the process has had resident, in bytes (proc(5), VmHWM)."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    [line] = [line for line in lines if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


def test_5_gib_go_up_in_chunks_and_come_down_whole(
    server, alice_token, api, repo_id, tmp_path, record_property
):
    digest = write_noise(tmp_path / "f.bin", SIZE, "5 GiB")
    client = Client(server, alice_token, tmp_path / "home")
    mark, before = server.mark(), peak(server.process.pid)
    began = time.monotonic()
    status, output = finished(client.start(UPLOAD, tmp_path / "f.bin", repo_id), LONGEST_UPLOAD)
    assert status == 0, output
    record_property("upload_seconds", round(time.monotonic() - began))
    assert server.ways(mark) == {"chunks"}
    got = Got(server, alice_token, repo_id, "f.bin")
    assert (got.size, got.sha256) == (SIZE, digest)
    growth = peak(server.process.pid) - before
    record_property("growth_mib", growth // MIB)
    assert growth < MOST_GROWTH
