"""Large files that are listed, and deleted for good with the history that had them."""

import subprocess
from urllib.parse import quote, urlsplit

import pytest
from huggingface_hub import CommitOperationAdd
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, RevisionNotFoundError

KEEP, DROP = b"keep" * 1000, b"drop" * 1000


def git(*args, cwd=None):
    done = subprocess.run(["git", *args], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def git_url(server, alice_token):
    at = urlsplit(server.url)
    return lambda repo_id: f"{at.scheme}://x:{quote(alice_token)}@{at.netloc}/{repo_id}"


@pytest.fixture
def clone(git_url, tmp_path):
    """Clones a repo with every ref it has, pull requests among them."""
    numbers = iter(range(100))

    def make(repo_id):
        folder = tmp_path / f"clone-{next(numbers)}.git"
        git("clone", "-q", "--mirror", git_url(repo_id), str(folder))
        return folder

    return make


@pytest.fixture
def stocked(api, repo_id):
    """Two large files, one of them deleted since: a branch, two tags and a pull request still have it."""
    add = [CommitOperationAdd(path, data) for path, data in (("keep.bin", KEEP), ("old/drop.bin", DROP))]
    api.create_commit(repo_id, add[:1], commit_message="Add what stays")
    api.create_commit(repo_id, add[1:], commit_message="Add what goes", commit_description="It is large.")
    api.create_branch(repo_id, branch="side")
    api.create_tag(repo_id, tag="light")
    api.create_tag(repo_id, tag="heavy", tag_message="Of weight")
    api.upload_file(
        path_or_fileobj=b"more", path_in_repo="more.txt", repo_id=repo_id, create_pr=True, commit_message="Propose"
    )
    api.delete_file("old/drop.bin", repo_id=repo_id, commit_message="Delete what goes")
    return repo_id


def named(api, repo_id):
    return {each.filename: each for each in api.list_lfs_files(repo_id)}


def facts_of(commits):
    # git keeps whole seconds.
    return [(each.title, each.message, each.authors, each.created_at.replace(microsecond=0)) for each in commits]


def test_large_files_keep_their_names_when_they_are_deleted(api, stocked):
    files = named(api, stocked)
    assert set(files) == {"keep.bin", "old/drop.bin"}
    keep, drop = files["keep.bin"], files["old/drop.bin"]
    assert (keep.size, keep.ref, len(keep.oid)) == (4000, "main", 64) and keep.pushed_at.tzinfo
    api.delete_branch(stocked, branch="side")
    for tag in ("light", "heavy"):
        api.delete_tag(stocked, tag=tag)
    past = named(api, stocked)["old/drop.bin"]
    assert (past.oid, past.size) == (drop.oid, 4000)


def test_what_a_commit_needs_is_not_deleted_alone(api, stocked):
    drop = named(api, stocked)["old/drop.bin"]
    with pytest.raises(HfHubHTTPError) as needed:
        api.permanently_delete_lfs_files(stocked, [drop], rewrite_history=False)
    assert needed.value.response.status_code == 409
    assert "old/drop.bin" in str(needed.value) and "rewrite_history" in str(needed.value)


def test_a_file_is_deleted_with_the_history_that_had_it(api, stocked, clone, cache):
    log = ["log", "--all", "--topo-order", "--format=%an %ae %at %cn %ct %B"]
    before = clone(stocked)
    commits = api.list_repo_commits(stocked)
    drop = named(api, stocked)["old/drop.bin"]
    pointer = git("rev-parse", "refs/heads/side:old/drop.bin", cwd=before)
    old = git("rev-parse", "refs/heads/side", cwd=before)
    first = git("rev-parse", "refs/heads/side~1", cwd=before)

    assert api.permanently_delete_lfs_files(stocked, [drop]) is None

    assert set(named(api, stocked)) == {"keep.bin"}
    after = clone(stocked)
    assert git("fsck", "--strict", "--no-dangling", cwd=after) == ""
    assert git(*log, cwd=after) == git(*log, cwd=before)
    assert git("log", "--all", "--format=%h", "--", "old", cwd=after) == ""
    objects = git("rev-list", "--all", "--objects", cwd=after)
    assert pointer not in objects and old not in objects and first in objects
    names = ["for-each-ref", "--format=%(refname) %(objecttype) %(contents)"]
    assert git(*names, cwd=after) == git(*names, cwd=before)
    assert facts_of(api.list_repo_commits(stocked)) == facts_of(commits)
    for revision in ("main", "side", "light", "heavy", "refs/pr/1"):
        assert "old/drop.bin" not in api.list_repo_files(stocked, revision=revision)
        path = api.hf_hub_download(stocked, "keep.bin", revision=revision, cache_dir=cache)
        assert open(path, "rb").read() == KEEP
        with pytest.raises(EntryNotFoundError):
            api.hf_hub_download(stocked, "old/drop.bin", revision=revision, cache_dir=cache)
    api.merge_pull_request(stocked, 1)
    assert "more.txt" in api.list_repo_files(stocked)
    # Deleted once is deleted; and what is uploaded again is there again.
    api.permanently_delete_lfs_files(stocked, [drop])
    api.upload_file(path_or_fileobj=DROP, path_in_repo="drop.bin", repo_id=stocked)
    assert named(api, stocked)["drop.bin"].oid == drop.oid


def test_the_old_commits_are_gone_for_clients_and_for_git(api, stocked, git_url, cache, tmp_path):
    old = api.repo_info(stocked, revision="side").sha
    for path, data in (("old/drop.bin", DROP), ("keep.bin", KEEP)):
        assert open(api.hf_hub_download(stocked, path, revision=old, cache_dir=cache), "rb").read() == data
    bare = tmp_path / "bare.git"
    git("init", "-q", "--bare", str(bare))
    git("fetch", "-q", "--depth=1", git_url(stocked), old, cwd=bare)

    api.permanently_delete_lfs_files(stocked, [named(api, stocked)["old/drop.bin"]], rewrite_history=True)

    for path in ("old/drop.bin", "keep.bin"):
        with pytest.raises(RevisionNotFoundError):
            api.hf_hub_download(stocked, path, revision=old, cache_dir=tmp_path / "empty")
    fresh = tmp_path / "fresh.git"
    git("init", "-q", "--bare", str(fresh))
    with pytest.raises(subprocess.CalledProcessError) as refused:
        git("fetch", "-q", "--depth=1", git_url(stocked), old, cwd=fresh)
    assert "not our ref" in refused.value.stderr
    git("fetch", "-q", git_url(stocked), "main", cwd=fresh)
    [(path, keep)] = named(api, stocked).items()
    assert (path, keep.size, keep.ref) == ("keep.bin", len(KEEP), "main")


def test_large_files_are_deleted_for_good_when_history_is_squashed(api, repo_id):
    for name, text in (("keep.bin", KEEP), ("drop.bin", DROP)):
        api.upload_file(path_or_fileobj=text, path_in_repo=name, repo_id=repo_id)
    drop = named(api, repo_id)["drop.bin"]
    api.delete_file("drop.bin", repo_id=repo_id)
    api.super_squash_history(repo_id=repo_id, commit_message="From here on")
    assert [each.title for each in api.list_repo_commits(repo_id)] == ["From here on"]
    api.permanently_delete_lfs_files(repo_id, [drop], rewrite_history=False)
    assert set(named(api, repo_id)) == {"keep.bin"}
