import email.utils
import http.server
import os
import pathlib
import secrets
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest
from huggingface_hub import HfFileSystem, hf_hub_download, hf_hub_url, snapshot_download

MIB = 1024 * 1024


@pytest.fixture()
def stocked(api, repo_id):
    data = {"README.md": b"# Card\n", "config.json": b"{}", "sub/w.bin": secrets.token_bytes(11 * MIB)}
    for name, content in data.items():
        api.upload_file(path_or_fileobj=content, path_in_repo=name, repo_id=repo_id)
    return repo_id, data


def test_pins_by_branch_tag_and_sha(api, repo_id, cache):
    old = api.upload_file(path_or_fileobj=b"old", path_in_repo="f.txt", repo_id=repo_id).oid
    api.create_tag(repo_id, tag="t1")
    api.create_branch(repo_id, branch="side")
    api.upload_file(path_or_fileobj=b"new", path_in_repo="f.txt", repo_id=repo_id)
    for revision, content in (("main", b"new"), ("t1", b"old"), ("side", b"old"), (old, b"old"), (old[:8], b"old")):
        path = api.hf_hub_download(repo_id, "f.txt", revision=revision, cache_dir=cache)
        assert open(path, "rb").read() == content, revision


def test_files_say_when_they_were_committed(api, stocked, alice_token):
    repo_id, data = stocked
    committed = api.list_repo_commits(repo_id)[0].created_at
    for name, content in data.items():
        url = hf_hub_url(repo_id, name, endpoint=api.endpoint)
        headers = {"Authorization": f"Bearer {alice_token}"}
        for method in ("HEAD", "GET"):
            request = urllib.request.Request(url, headers=headers, method=method)
            with urllib.request.urlopen(request) as answer:
                stamp = answer.headers["Last-Modified"]
                assert email.utils.parsedate_to_datetime(stamp) == committed.replace(microsecond=0)
                assert len(answer.read()) == (len(content) if method == "GET" else 0)
        with pytest.raises(urllib.error.HTTPError) as unchanged:
            urllib.request.urlopen(urllib.request.Request(url, headers={**headers, "If-Modified-Since": stamp}))
        assert unchanged.value.code == 304


@pytest.mark.parametrize("name", ["README.md", "sub/w.bin"])
def test_a_part_of_another_version_is_refused(api, stocked, alice_token, name):
    repo_id, data = stocked
    content = data[name]
    url = hf_hub_url(repo_id, name, endpoint=api.endpoint)

    def get(**headers: str):
        asked = {"Authorization": f"Bearer {alice_token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=asked)) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers, refused.read()

    etag = get()[1]["ETag"]
    assert get(If_Match=etag, Range="bytes=1-3")[::2] == (206, content[1:4])
    assert get(If_Match=f'"other", {etag}', Range="bytes=1-3")[::2] == (206, content[1:4])
    assert get(If_Match="*", Range="bytes=1-3")[::2] == (206, content[1:4])
    other = f'"{"0" * 40}"'
    for headers in ({"Range": "bytes=1-3"}, {"Range": "bytes=0-"}, {}):
        status, _, body = get(If_Match=other, **headers)
        assert status == 412 and content not in body, headers
    # A weak tag never matches: two versions may share it.
    assert get(If_Match=f"W/{etag}", Range="bytes=1-3")[0] == 412


def test_the_cache_is_revalidated_and_kept(api, stocked, cache):
    repo_id, data = stocked
    first = api.hf_hub_download(repo_id, "sub/w.bin", cache_dir=cache)
    blob = os.path.realpath(first)
    stamp = os.stat(blob).st_mtime_ns
    api.upload_file(path_or_fileobj=b"other", path_in_repo="other.txt", repo_id=repo_id)
    second = api.hf_hub_download(repo_id, "sub/w.bin", cache_dir=cache)
    assert second != first
    assert os.path.realpath(second) == blob
    assert os.stat(blob).st_mtime_ns == stamp


def test_snapshot_with_patterns(stocked, server, alice_token, cache):
    repo_id, data = stocked
    local = pathlib.Path(
        snapshot_download(
            repo_id, allow_patterns=["*.json", "sub/*"], endpoint=server.url, token=alice_token, cache_dir=cache
        )
    )
    files = {str(p.relative_to(local)) for p in local.rglob("*") if p.is_file()}
    assert files == {"config.json", "sub/w.bin"}
    assert (local / "sub/w.bin").read_bytes() == data["sub/w.bin"]


class _Cutting(http.server.BaseHTTPRequestHandler):
    """Forwards to the server and drops the connection halfway through the first download of the large file."""

    target = ""
    cuts = 0
    ranges: list[str] = []

    def _forward(self):
        wanted = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection")}
        request = urllib.request.Request(self.target + self.path, headers=wanted, method=self.command)
        opener = urllib.request.build_opener(_KeepErrors())
        with self._followed(opener.open(request)) as answer:
            cut = self.command == "GET" and "w.bin" in self.path and _Cutting.cuts == 0
            if self.command == "GET" and "w.bin" in self.path and "Range" in self.headers:
                _Cutting.ranges.append(self.headers["Range"])
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                if name.lower() not in ("transfer-encoding", "connection", "date", "server"):
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command == "HEAD":
                return
            left = 25 * MIB if cut else 1 << 60
            while left > 0 and (piece := answer.read(min(MIB, left))):
                self.wfile.write(piece)
                left -= len(piece)
            if cut:
                _Cutting.cuts += 1
                self.wfile.flush()
                self.connection.close()

    def _followed(self, answer):
        """The bytes themselves where the answer says where a bucket has them, so that they come by here."""
        location = answer.headers.get("Location", "")
        if answer.status != 302 or location.startswith((self.target, "/")):
            return answer
        answer.close()
        wanted = {k: v for k, v in self.headers.items() if k.lower() == "range"}
        return urllib.request.urlopen(urllib.request.Request(location, headers=wanted))

    do_GET = do_HEAD = _forward

    def log_message(self, *_):
        pass


class _KeepErrors(urllib.request.HTTPErrorProcessor):
    def http_response(self, request, response):
        return response

    https_response = http_response


@pytest.mark.row("GET /{repo}/resolve/{rev}/{path} · resumed")
def test_a_cut_download_resumes_where_it_broke(api, repo_id, server, alice_token, cache):
    # Clients write in pieces of 10 MB, and only what is written is kept.
    data = {"sub/w.bin": secrets.token_bytes(40 * MIB)}
    api.upload_file(path_or_fileobj=data["sub/w.bin"], path_in_repo="sub/w.bin", repo_id=repo_id)
    _Cutting.target, _Cutting.cuts, _Cutting.ranges = server.url, 0, []
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Cutting)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        endpoint = f"http://127.0.0.1:{proxy.server_port}"
        for _ in range(2):
            try:
                path = hf_hub_download(
                    repo_id, "sub/w.bin", endpoint=endpoint, token=alice_token, cache_dir=cache
                )
                break
            except Exception as error:  # 0.x resumes in its own next run
                assert _Cutting.cuts == 1, error
    finally:
        proxy.shutdown()
    assert _Cutting.cuts == 1
    assert open(path, "rb").read() == data["sub/w.bin"]
    assert any(r.startswith("bytes=") and not r.startswith("bytes=0-") for r in _Cutting.ranges)


@pytest.mark.row("the filesystem interface")
def test_filesystem_reads_ranges(stocked, server, alice_token):
    repo_id, data = stocked
    fs = HfFileSystem(endpoint=server.url, token=alice_token)
    assert {os.path.basename(p) for p in fs.ls(repo_id, detail=False)} == {
        ".gitattributes",
        "README.md",
        "config.json",
        "sub",
    }
    weights = data["sub/w.bin"]
    with fs.open(f"{repo_id}/sub/w.bin", "rb", block_size=MIB) as stream:
        stream.seek(7 * MIB + 13)
        assert stream.read(1000) == weights[7 * MIB + 13 :][:1000]
        stream.seek(-5, 2)
        assert stream.read() == weights[-5:]
    assert fs.cat_file(f"{repo_id}/sub/w.bin", start=100, end=200) == weights[100:200]
    assert fs.info(f"{repo_id}/sub/w.bin")["size"] == len(weights)
    assert fs.glob(f"{repo_id}/**/*.bin") == [f"{repo_id}/sub/w.bin"]
    assert not fs.exists(f"{repo_id}/sub/none.bin")
    with fs.open(f"{repo_id}/written.txt", "w") as out:
        out.write("through fsspec")
    assert fs.read_text(f"{repo_id}/written.txt") == "through fsspec"


BY_NAME = """
import sys
from huggingface_hub import HfApi
repo_id, cache = sys.argv[1:]
api = HfApi()
assert api.endpoint.startswith("http://localhost:")
assert api.repo_info(repo_id).id == repo_id
result = api.upload_file(path_or_fileobj=b"named", path_in_repo="named.txt", repo_id=repo_id)
assert result.commit_url.startswith(api.endpoint), result.commit_url
print(api.hf_hub_download(repo_id, "sub/w.bin", cache_dir=cache))
"""


def test_works_by_host_name_as_by_address(server, alice_token, stocked, cache):
    repo_id, data = stocked
    environment = {**os.environ, "HF_ENDPOINT": f"http://localhost:{server.port}", "HF_TOKEN": alice_token}
    done = subprocess.run(
        [sys.executable, "-c", BY_NAME, repo_id, cache], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert open(done.stdout.strip(), "rb").read() == data["sub/w.bin"]
