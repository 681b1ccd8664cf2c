"""A server that has too many uploads at once: the library waits and sends again."""

import contextlib
import socket
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from client import Client
from server import TOPOLOGY

# Of 512 places of uploads, callers with one token each take as many as remain free; 64 are kept for callers who signed in,
# and a signed address is used without a token.
TOKENS = 8
EACH = 80

UPLOAD = """
api.upload_file(path_or_fileobj=b"arsenal" * 1000, path_in_repo="large.bin", repo_id=args[0])
print("uploaded")
"""


def _stall(url: str, repo: str, token: str) -> socket.socket:
    """A commit whose body never comes."""
    parts = urllib.parse.urlsplit(url)
    sending = socket.create_connection((parts.hostname, parts.port))
    sending.sendall(
        f"POST /api/models/{repo}/commit/main HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/x-ndjson\r\n"
        "Transfer-Encoding: chunked\r\n\r\n".encode()
    )
    return sending


def _is_busy(url: str) -> bool:
    """Whether one more upload without a token is refused, not answered as one with a wrong address."""
    request = urllib.request.Request(f"{url}/api/info/lfs/objects/{'a' * 64}", method="PUT", data=b"")
    try:
        urllib.request.urlopen(request).close()
    except urllib.error.HTTPError as refusal:
        return refusal.code == 503
    return False


@pytest.mark.skipif(TOPOLOGY is not None, reason="each process has places of its own")
def test_an_upload_waits_until_the_server_is_less_busy(server, alice, alice_token, tmp_path):
    client = Client(server, alice_token, tmp_path / "home", HF_HUB_DISABLE_XET="1")
    repo = f"{alice.username}/busy"
    client.run("api.create_repo(args[0])", repo)
    with contextlib.ExitStack() as stalled:
        for n in range(TOKENS):
            token = alice.token(f"stalled-{n}")
            for _ in range(EACH):
                stalled.enter_context(_stall(server.url, repo, token))
        deadline = time.monotonic() + 60
        while not _is_busy(server.url):
            assert time.monotonic() < deadline, "the server still takes uploads"
        uploading = client.start(UPLOAD, repo)
        said = []
        # The library says what it waits for; only then the server has room again.
        for line in uploading.stdout:
            said.append(line)
            if "503" in line:
                break
        stalled.close()
    rest, _ = uploading.communicate(timeout=120)
    text = "".join(said) + rest
    assert uploading.returncode == 0, text
    assert "HTTP Error 503 thrown while requesting PUT" in text
    assert text.rstrip().endswith("uploaded"), text
