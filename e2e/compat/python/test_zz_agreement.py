"""Runs last: what the other tests stored is sound."""

import pathlib
import subprocess

from server import TOPOLOGY


def test_own_check_is_clean(server):
    done = server.cli("fsck", "--deep", check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_git_agrees(server):
    target = server.dir / "export"
    server.cli("fsck", "--export", str(target))
    repos = sorted(head.parent for head in pathlib.Path(target).glob("**/*.git/HEAD"))
    assert repos
    for bare in repos:
        done = subprocess.run(["git", "-C", bare, "fsck", "--strict", "--full"], capture_output=True, text=True)
        assert done.returncode == 0, f"{bare}: {done.stdout}{done.stderr}"


def test_no_credential_of_ours_reached_the_store(server):
    """They share a host name there: a client that overlooks the port would send its token on with a redirect."""
    asked = [each for each in server.requests() if "X-Amz-Signature=" in each["path"]]
    assert bool(asked) == (TOPOLOGY == "redirect")
    assert [each for each in asked if each["credentials"]] == []
