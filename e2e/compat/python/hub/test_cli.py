import json
import os
import pathlib
import secrets
import subprocess
import sys

import pytest

import huggingface_hub

MODERN = not huggingface_hub.__version__.startswith("0.")
HF = str(pathlib.Path(sys.executable).parent / "hf")


@pytest.fixture()
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture()
def hf(server, home, tmp_path):
    def run(*arguments: str, check: bool = True) -> str:
        environment = {**os.environ, "HF_HOME": str(home), "HF_ENDPOINT": server.url, "NO_COLOR": "1"}
        done = subprocess.run([HF, *arguments], capture_output=True, text=True, env=environment, cwd=tmp_path)
        if check:
            assert done.returncode == 0, f"hf {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    return run


def test_login_create_upload_download(hf, alice, alice_token, tmp_path):
    hf("auth", "login", "--token", alice_token)
    assert alice.username in hf("auth", "whoami")
    name = f"{alice.username}/cli-{secrets.token_hex(4)}"
    hf("repos" if MODERN else "repo", "create", name, "--private")
    source = tmp_path / "folder"
    (source / "in").mkdir(parents=True)
    (source / "in" / "a.txt").write_text("from the command line")
    (source / "w.safetensors").write_bytes(secrets.token_bytes(2_000_000))
    hf("upload", name, str(source), ".", "--commit-message", "From the shell")
    hf("upload", name, str(source / "in" / "a.txt"), "again.txt", "--revision", "side")
    target = tmp_path / "back"
    hf("download", name, "--local-dir", str(target))
    assert (target / "in" / "a.txt").read_text() == "from the command line"
    assert (target / "w.safetensors").read_bytes() == (source / "w.safetensors").read_bytes()
    assert not (target / "again.txt").exists()
    hf("download", name, "again.txt", "--revision", "side", "--local-dir", str(target))
    assert (target / "again.txt").exists()
    if MODERN:
        assert name in hf("models", "ls", "--author", alice.username, "--limit", "1000", "--quiet")


def test_discussions_and_pull_requests(hf, alice, alice_token, tmp_path):
    hf("auth", "login", "--token", alice_token)
    name = f"{alice.username}/cli-{secrets.token_hex(4)}"
    hf("repos" if MODERN else "repo", "create", name)
    (tmp_path / "a.txt").write_text("proposed\n")
    hf("upload", name, str(tmp_path / "a.txt"), "a.txt", "--create-pr")
    hf("download", name, "a.txt", "--revision", "refs/pr/1", "--local-dir", str(tmp_path / "proposed"))
    assert (tmp_path / "proposed" / "a.txt").read_text() == "proposed\n"
    if not MODERN:  # 0.36 has no command for the rest
        return
    hf("discussions", "create", name, "--title", "Why so?", "--body", "Tell me.")
    hf("discussions", "comment", name, "2", "--body", "Because.")
    hf("discussions", "rename", name, "2", "Why not?")
    hf("discussions", "close", name, "2", "--comment", "Enough.", "--yes")
    hf("discussions", "reopen", name, "2", "--yes")
    thread = json.loads(hf("discussions", "info", name, "2", "--format", "json"))
    assert (thread["title"], thread["status"]) == ("Why not?", "open")
    assert "+proposed" in hf("discussions", "diff", name, "1")
    hf("discussions", "merge", name, "1", "--comment", "Thanks!", "--yes")
    merged = json.loads(hf("discussions", "list", name, "--status", "merged", "--format", "json"))
    assert [each["num"] for each in merged] == [1]
    hf("download", name, "a.txt", "--local-dir", str(tmp_path / "back"))
    assert (tmp_path / "back" / "a.txt").read_text() == "proposed\n"
