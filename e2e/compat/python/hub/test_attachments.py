import secrets
import urllib.error
import urllib.request

import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import build_hf_headers

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


@pytest.fixture()
def private(api, alice):
    """A fresh private repo of alice's."""
    name = f"{alice.username}/picture-{secrets.token_hex(4)}"
    api.create_repo(name, private=True)
    return name


def request(url: str, token: str | None, data: bytes | None = None, kind: str = "image/png"):
    headers = build_hf_headers(token=token or False)
    if data is not None:
        headers["Content-Type"] = kind
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers)) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def upload(api: HfApi, path) -> str:
    """By the client where it has the call (2.4.0 does), else by the request that it makes."""
    if hasattr(api, "upload_attachment"):
        return api.upload_attachment(path)
    status, _, body = request(f"{api.endpoint}/uploads", api.token, path.read_bytes())
    assert status == 200, body
    return body.decode().strip()


def test_an_image_is_uploaded_shown_in_a_comment_and_as_private_as_the_repo(api, private, alice, bob_token, tmp_path):
    path = tmp_path / "shot.png"
    path.write_bytes(PNG)
    url = upload(api, path)
    assert url.startswith(f"{api.endpoint}/uploads/") and url.endswith(".png")
    made = api.create_discussion(private, "Look", description=f"![shot]({url})")
    assert url in made.events[0].content

    status, headers, body = request(url, api.token)
    assert (status, headers["Content-Type"], body) == (200, "image/png", PNG)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "private, no-store"
    assert request(url, bob_token)[0] == 404

    alice.native("PATCH", f"/repos/models/{private}", {"visibility": "public"})
    assert request(url, bob_token)[2] == PNG
    api.hide_discussion_comment(private, made.num, made.events[0].id)
    assert request(url, bob_token)[0] == 404


def test_what_is_no_image_is_refused_in_words(api):
    for data, kind in [(b"<svg/>", "image/svg+xml"), (b"\x00\x00\x00\x18ftypmp42", "video/mp4"), (b"x", "image/png")]:
        status, headers, _ = request(f"{api.endpoint}/uploads", api.token, data, kind)
        assert status == 415 and "PNG, JPEG, GIF or WebP" in headers["X-Error-Message"]
    status, headers, _ = request(f"{api.endpoint}/uploads", api.token, PNG + bytes(10 * 1024 * 1024))
    assert status == 413 and "at most 10485760 bytes" in headers["X-Error-Message"]
    assert request(f"{api.endpoint}/uploads", None, PNG)[0] == 401
