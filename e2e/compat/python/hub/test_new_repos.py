"""What a new repo is when its maker says nothing of it: its visibility, its first commit, its rules for large files."""

import json
import pathlib
import secrets
import subprocess

import pytest
from huggingface_hub import HfApi
from server import ROOT

# What a new repo of the public hub has; datasets have media beside them.
PUBLIC_HUB = """
*.7z *.arrow *.bin *.bz2 *.ckpt *.ftz *.gz *.h5 *.joblib *.lfs.* *.mlmodel *.model *.msgpack *.npy *.npz *.onnx *.ot
*.parquet *.pb *.pickle *.pkl *.pt *.pth *.rar *.safetensors saved_model/**/* *.tar.* *.tar *.tflite *.tgz *.wasm *.xz
*.zip *.zst *tfevents*
""".split()
PUBLIC_HUB_DATASET = """
*.lz4 *.mds *.pcm *.sam *.raw *.aac *.flac *.mp3 *.ogg *.wav *.bmp *.gif *.png *.tiff *.jpg *.jpeg *.webp *.mp4 *.webm
""".split()

LIST = """
const { gitattributes } = await import(process.argv[1])
process.stdout.write(JSON.stringify({ model: gitattributes('model'), dataset: gitattributes('dataset') }))
"""


@pytest.fixture(scope="module")
def the_list() -> dict[str, str]:
    """The one list, where it is written down."""
    source = (ROOT / "api/rooms/repos/lifecycle/first-commit.ts").as_uri()
    command = [ROOT / "node_modules/.bin/tsx", "--input-type=module", "-e", LIST, source]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


@pytest.fixture()
def maker(server):
    """A person of their own, whose settings no other test sees, with what they call by the client."""
    person = server.new_person(f"maker-{secrets.token_hex(3)}")
    return person, HfApi(endpoint=server.url, token=person.token())


def is_private(api, namespace) -> bool:
    """Of a repo that is created without saying which."""
    name = f"{namespace}/repo-{secrets.token_hex(4)}"
    api.create_repo(name)
    return api.repo_info(name).private


def test_a_new_repo_is_public_until_its_owner_says_otherwise(maker, bob_token, server):
    person, api = maker
    assert is_private(api, person.username) is False
    person.native("PATCH", "/me", {"default_visibility": "private"})
    name = f"{person.username}/repo-{secrets.token_hex(4)}"
    api.create_repo(name)
    assert api.repo_info(name).private is True
    assert not HfApi(endpoint=server.url, token=bob_token).repo_exists(name)
    # What the call says goes before what the owner said.
    api.create_repo(f"{name}-open", private=False)
    assert api.repo_info(f"{name}-open").private is False


def test_a_new_repo_of_an_organisation_follows_the_organisation(maker):
    person, api = maker
    names = {each: f"{each}-{secrets.token_hex(3)}" for each in ("silent", "shut")}
    person.native("PATCH", "/me", {"default_visibility": "private"})
    person.native("POST", "/orgs", {"ns": names["silent"]})
    person.native("POST", "/orgs", {"ns": names["shut"], "default_visibility": "private"})
    assert is_private(api, names["silent"]) is False
    assert is_private(api, names["shut"]) is True
    person.native("PATCH", f"/orgs/{names['shut']}", {"default_visibility": "public"})
    assert is_private(api, names["shut"]) is False


@pytest.mark.parametrize("repo_type", ["model", "dataset"])
def test_a_new_repo_has_the_full_list_of_large_files(api, alice, cache, the_list, repo_type):
    name = f"{alice.username}/listed-{secrets.token_hex(4)}"
    api.create_repo(name, repo_type=repo_type)
    path = api.hf_hub_download(name, ".gitattributes", repo_type=repo_type, cache_dir=cache)
    text = pathlib.Path(path).read_text()
    assert text == the_list[repo_type]
    rules = [line.split(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    assert {rest for _, rest in rules} == {"filter=lfs diff=lfs merge=lfs -text"}
    patterns = [pattern for pattern, _ in rules]
    assert len(patterns) == len(set(patterns))
    wanted = PUBLIC_HUB + (PUBLIC_HUB_DATASET if repo_type == "dataset" else [])
    assert [pattern for pattern in wanted if pattern not in patterns] == []


def test_the_commits_of_a_new_repo_are_its_makers_and_come_formatted(api, alice):
    name = f"{alice.username}/first-{secrets.token_hex(4)}"
    api.create_repo(name)
    api.upload_file(
        path_or_fileobj=b"x",
        path_in_repo="a.txt",
        repo_id=name,
        commit_message="Use `a` < b & c",
        commit_description="<script>alert(1)</script>\nand `code`",
    )
    latest, first = api.list_repo_commits(name, formatted=True)
    assert (first.title, first.authors, first.formatted_title) == ("initial commit", [alice.username], "initial commit")
    assert (latest.title, latest.message) == ("Use `a` < b & c", "<script>alert(1)</script>\nand `code`")
    assert latest.formatted_title == "Use <code>a</code> &lt; b &amp; c"
    assert latest.formatted_message == "&lt;script&gt;alert(1)&lt;/script&gt;<br>and <code>code</code>"
    assert api.list_repo_commits(name)[0].formatted_title is None
