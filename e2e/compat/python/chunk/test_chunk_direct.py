"""The published hf-xet, driven without the hub client around it."""

import json
import secrets
import time
import urllib.error
import urllib.request

import hf_xet
import pytest

from client import Got
from samples import MIB, noise, sha256

FAR = 4_000_000_000


class Direct:
    """Sends bytes for one repo."""

    def __init__(self, server, token, repo_id):
        self.server, self.repo_id = server, repo_id
        self.headers = {"Authorization": f"Bearer {token}"}
        self.refresh_url = f"{server.url}/api/models/{repo_id}/xet-write-token/main"

    def issued(self) -> dict:
        request = urllib.request.Request(self.refresh_url, headers=self.headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def commit(self, **options):
        refresh = {"token_refresh_url": self.refresh_url, "token_refresh_headers": self.headers}
        return hf_xet.XetSession().new_upload_commit(**{**refresh, **options})

    def send(self, data: bytes, sha256: object, **options) -> object:
        with self.commit(**options) as commit:
            handle = commit.start_upload_bytes(data, sha256=sha256)
        return handle.result().xet_info

    def link(self, path: str, data: bytes) -> None:
        """Commits a file that was sent, as the hub client does at the end."""
        file = {"path": path, "algo": "sha256", "oid": sha256(data), "size": len(data)}
        lines = [{"key": "header", "value": {"summary": "x"}}, {"key": "lfsFile", "value": file}]
        urllib.request.urlopen(
            urllib.request.Request(
                f"{self.server.url}/api/models/{self.repo_id}/commit/main",
                data="\n".join(map(json.dumps, lines)).encode(),
                headers={**self.headers, "Content-Type": "application/x-ndjson"},
            )
        )

    def refreshes(self, mark: int) -> int:
        return sum("xet-write-token" in each["path"] for each in self.server.requests(mark))


@pytest.fixture()
def direct(server, alice_token, repo_id):
    return Direct(server, alice_token, repo_id)


@pytest.mark.parametrize("how", ["computed", "told", "skipped"])
def test_a_sha256_is_computed_told_or_left_to_the_server(direct, server, alice_token, repo_id, how):
    data = noise(3 * MIB, f"sha {how} {secrets.token_hex(4)}")
    wanted = {"computed": hf_xet.COMPUTE_SHA256, "told": sha256(data), "skipped": hf_xet.SKIP_SHA256}[how]
    sent = direct.send(data, wanted)
    assert sent.file_size == len(data)
    assert sent.sha256 == (None if how == "skipped" else sha256(data))
    direct.link("f.bin", data)
    assert Got(server, alice_token, repo_id, "f.bin").sha256 == sha256(data)


def test_a_wrong_sha256_is_told_to_the_person_and_leaves_nothing(direct):
    data = noise(MIB, f"wrong {secrets.token_hex(4)}")
    with pytest.raises(RuntimeError, match="(?i)sha-?256") as refused:
        direct.send(data, "ab" * 32)
    assert "ab" * 32 in str(refused.value)
    with pytest.raises(urllib.error.HTTPError) as unlinked:
        direct.link("f.bin", data)
    assert unlinked.value.code == 400


def test_a_stream_outlives_its_token(direct, server, alice_token, repo_id):
    data = noise(70 * MIB, f"stream {secrets.token_hex(4)}")
    seed = direct.issued()
    mark = server.mark()
    # hf-xet asks for another 30 s before the end.
    with direct.commit(
        endpoint=seed["casUrl"], token=seed["accessToken"], token_expiry_unix_secs=int(time.time()) + 32
    ) as commit:
        stream = commit.start_upload_stream(sha256=hf_xet.COMPUTE_SHA256)
        stream.write(data[: 66 * MIB])
        time.sleep(3)
        before = direct.refreshes(mark)
        stream.write(data[66 * MIB :])
        sent = stream.finish().xet_info
    assert (before, direct.refreshes(mark)) in ((0, 1), (1, 1))
    assert sent.sha256 == sha256(data)
    direct.link("stream.bin", data)
    assert Got(server, alice_token, repo_id, "stream.bin").sha256 == sha256(data)


def test_an_expired_token_is_exchanged_before_the_first_call(direct, server):
    mark = server.mark()
    direct.send(noise(9999, secrets.token_hex(4)), hf_xet.COMPUTE_SHA256, token="xw1.old.one", token_expiry_unix_secs=1)
    assert direct.refreshes(mark) >= 1


def test_a_forged_token_ends_it_at_once(direct):
    good = direct.issued()
    head, payload, mac = good["accessToken"].split(".")
    for token in (f"{head}.{payload}.{mac[::-1]}", "xw1.a.b", direct.headers["Authorization"].split()[1]):
        begun = time.monotonic()
        with pytest.raises(Exception, match="401"):
            direct.send(
                noise(9999, token),
                hf_xet.COMPUTE_SHA256,
                endpoint=good["casUrl"],
                token=token,
                token_expiry_unix_secs=FAR,
                token_refresh_url=None,
                token_refresh_headers=None,
            )
        assert time.monotonic() - begun < 10
