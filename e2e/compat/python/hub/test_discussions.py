import os
import secrets

import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.utils import HfHubHTTPError, RepositoryNotFoundError

MIB = 1024 * 1024
SONG = [f"line {i}\n" for i in range(12)]


def song(first: str = SONG[0], last: str = SONG[-1]) -> bytes:
    return "".join([first, *SONG[1:-1], last]).encode()


@pytest.fixture()
def reader(server, bob_token):
    """bob, who may read what is public and no more."""
    return HfApi(endpoint=server.url, token=bob_token)


@pytest.fixture()
def public(api, alice):
    """A fresh public repo of alice's with a song in it."""
    name = f"{alice.username}/talk-{secrets.token_hex(4)}"
    api.create_repo(name, private=False)
    api.upload_file(path_or_fileobj=song(), path_in_repo="song.txt", repo_id=name)
    return name


def status_of(call) -> int:
    with pytest.raises(HfHubHTTPError) as raised:
        call()
    return raised.value.response.status_code


def kinds(details) -> list[str]:
    return [event.type for event in details.events]


def read(api, repo_id: str, path: str, revision: str = "main") -> bytes:
    return open(api.hf_hub_download(repo_id, path, revision=revision), "rb").read()


def test_the_life_of_a_discussion(api, reader, public, alice, bob):
    made = reader.create_discussion(public, "Which licence?", description="It is *not* said. <b>&")
    assert (made.num, made.title, made.status, made.is_pull_request) == (1, "Which licence?", "open", False)
    assert (made.author, made.repo_id, made.repo_type) == (bob.username, public, "model")
    assert made.url == f"{reader.endpoint}/{public}/discussions/1"
    first = made.events[0]
    assert (first.type, first.content, first.author, first.edited, first.hidden) == (
        "comment",
        "It is *not* said. <b>&",
        bob.username,
        False,
        False,
    )
    assert first.rendered == "<p>It is *not* said. &lt;b&gt;&amp;</p>"
    assert (made.diff, made.conflicting_files, made.target_branch, made.git_reference) == (None, None, None, None)

    answer = api.comment_discussion(public, 1, "MITT.")
    assert (answer.type, answer.content, answer.author) == ("comment", "MITT.", alice.username)
    edited = api.edit_discussion_comment(public, 1, answer.id, "MIT.")
    assert (edited.id, edited.content, edited.edited, edited.last_edited_by) == (
        answer.id,
        "MIT.",
        True,
        alice.username,
    )
    assert edited.last_edited_at >= edited.created_at
    renamed = reader.rename_discussion(public, 1, "What licence?")
    assert (renamed.old_title, renamed.new_title) == ("Which licence?", "What licence?")
    closed = reader.change_discussion_status(public, 1, "closed", comment="Thanks!")
    assert (closed.type, closed.new_status) == ("status-change", "closed")
    assert reader.change_discussion_status(public, 1, "closed").new_status == "closed"
    assert api.change_discussion_status(public, 1, "open").new_status == "open"
    hidden = api.hide_discussion_comment(public, 1, answer.id)
    assert (hidden.hidden, hidden.content) == (True, "")

    now = reader.get_discussion_details(public, 1)
    assert (now.title, now.status) == ("What licence?", "open")
    assert kinds(now) == ["comment", "comment", "title-change", "comment", "status-change", "status-change"]
    assert [event.author for event in now.events][:3] == [bob.username, alice.username, bob.username]
    assert "MIT" not in str(now.events)


def test_who_may_do_what(api, reader, public):
    number = api.create_discussion(public, "Mine").num
    comment = api.get_discussion_details(public, number).events[0].id
    assert status_of(lambda: reader.edit_discussion_comment(public, number, comment, "x")) == 403
    assert status_of(lambda: reader.hide_discussion_comment(public, number, comment)) == 403
    assert status_of(lambda: reader.rename_discussion(public, number, "Yours")) == 403
    assert status_of(lambda: reader.change_discussion_status(public, number, "closed")) == 403
    assert status_of(lambda: reader.comment_discussion(public, number + 1, "x")) == 404
    other = api.create_discussion(public, "Another").num
    assert status_of(lambda: api.edit_discussion_comment(public, other, comment, "x")) == 404
    pull = reader.create_commit(public, [CommitOperationAdd("x", b"x")], commit_message="x", create_pr=True)
    assert status_of(lambda: reader.merge_pull_request(public, pull.pr_num)) == 403
    assert status_of(
        lambda: reader.create_commit(public, [CommitOperationAdd("x", b"x")], commit_message="x")
    ) == 403


def test_a_private_repo_is_not_there(reader, repo_id):
    with pytest.raises(RepositoryNotFoundError):
        list(reader.get_repo_discussions(repo_id))
    with pytest.raises(RepositoryNotFoundError):
        reader.get_discussion_details(repo_id, 1)
    with pytest.raises(RepositoryNotFoundError):
        reader.create_discussion(repo_id, "Hello?")
    with pytest.raises(RepositoryNotFoundError):
        reader.create_commit(repo_id, [CommitOperationAdd("x", b"x")], commit_message="x", create_pr=True)


def test_where_discussions_are_disabled(api, alice, public):
    alice.native("PATCH", f"/repos/models/{public}", {"discussions_enabled": False})
    with pytest.raises(HfHubHTTPError, match="Discussions are disabled for this repo"):
        list(api.get_repo_discussions(public))
    assert status_of(lambda: api.create_discussion(public, "Hello?")) == 403


def test_lists_by_page_kind_status_and_author(api, reader, public, alice, bob):
    for i in range(53):
        reader.create_discussion(public, f"Number {i + 1}")
    pull = api.create_pull_request(public, "A pull request")
    api.change_discussion_status(public, 7, "closed")

    def numbers(**filters) -> list[int]:
        return [each.num for each in api.get_repo_discussions(public, **filters)]

    assert numbers() == list(range(54, 0, -1))
    assert numbers(discussion_type="pull_request") == [pull.num] == [54]
    assert numbers(discussion_type="discussion", discussion_status="closed") == [7]
    assert numbers(discussion_status="open") == [n for n in range(54, 0, -1) if n != 7]
    assert numbers(author=alice.username) == [54]
    first = next(iter(api.get_repo_discussions(public, author=bob.username)))
    assert (first.title, first.author, first.status, first.created_at.tzinfo is not None) == (
        "Number 53",
        bob.username,
        "open",
        True,
    )


def test_a_pull_request_opened_empty_filled_and_merged(api, reader, public, alice, bob):
    pull = reader.create_pull_request(public, "Sing better", description="In tune.")
    assert (pull.num, pull.is_pull_request, pull.status, pull.git_reference) == (1, True, "draft", "refs/pr/1")
    assert (pull.target_branch, pull.conflicting_files, pull.diff) == ("refs/heads/main", [], "")
    head = api.repo_info(public).sha
    assert reader.repo_info(public, revision="refs/pr/1").sha == head

    commit = reader.upload_file(
        path_or_fileobj=song(first="LINE ONE\n"),
        path_in_repo="song.txt",
        repo_id=public,
        revision="refs/pr/1",
        commit_message="Louder",
    )
    reader.create_commit(
        public,
        [CommitOperationAdd("notes/a b.txt", b"la\n")],
        commit_message="With notes",
        revision="refs/pr/1",
        parent_commit=commit.oid,
    )
    assert read(api, public, "song.txt") == song()
    details = api.get_discussion_details(public, 1)
    assert [(e.type, getattr(e, "summary", None)) for e in details.events[1:]] == [
        ("commit", "Louder"),
        ("commit", "With notes"),
    ]
    assert details.events[1].oid == commit.oid
    assert details.status == "draft"
    assert [each.status for each in api.get_repo_discussions(public, discussion_status="open")] == ["draft"]
    ready = reader.change_discussion_status(public, 1, "open")
    assert (ready.type, ready.new_status) == ("status-change", "open")
    assert reader.get_discussion_details(public, 1).status == "open"
    assert "-line 0\n+LINE ONE\n" in details.diff and "diff --git a/notes/a b.txt" in details.diff
    refs = api.list_repo_refs(public, include_pull_requests=True)
    assert [ref.ref for ref in refs.pull_requests] == ["refs/pr/1"]
    assert [commit.title for commit in reader.list_repo_commits(public, revision="refs/pr/1")][:2] == [
        "With notes",
        "Louder",
    ]

    api.merge_pull_request(public, 1, comment="Bravo!")
    merged = reader.get_discussion_details(public, 1)
    assert (merged.status, merged.merge_commit_oid) == ("merged", api.repo_info(public).sha)
    assert merged.diff == details.diff
    assert merged.events[-1].new_status == "merged"
    assert read(api, public, "song.txt") == song(first="LINE ONE\n")
    last = api.list_repo_commits(public)[0]
    assert (last.title, last.authors) == ("Sing better (#1)", [bob.username])
    assert api.repo_info(public, revision="refs/pr/1").sha == refs.pull_requests[0].target_commit
    assert status_of(lambda: api.merge_pull_request(public, 1)) == 409
    closed = [CommitOperationAdd("late.txt", b"x")]
    assert (
        status_of(lambda: reader.create_commit(public, closed, commit_message="x", revision="refs/pr/1")) == 409
    )


def test_a_reader_opens_one_by_a_commit(api, reader, public, bob):
    base = api.repo_info(public).sha
    made = reader.create_commit(
        public,
        [CommitOperationAdd("config.json", b"{}"), CommitOperationDelete("song.txt")],
        commit_message="Silence",
        commit_description="It is late.",
        create_pr=True,
    )
    assert (made.pr_num, made.pr_revision) == (1, "refs/pr/1")
    assert made.pr_url == f"{api.endpoint}/{public}/discussions/1"
    assert made.oid == api.repo_info(public, revision="refs/pr/1").sha
    assert sorted(api.list_repo_files(public, revision="refs/pr/1")) == [".gitattributes", "config.json"]
    assert api.repo_info(public).sha == base
    details = api.get_discussion_details(public, 1)
    assert (details.title, details.author, details.events[0].content) == ("Silence", bob.username, "It is late.")
    assert (details.events[1].summary, details.events[1].oid) == ("Silence", made.oid)


def test_a_failed_commit_opens_nothing(reader, public):
    absent = [CommitOperationDelete("absent.txt")]
    assert (
        status_of(lambda: reader.create_commit(public, absent, commit_message="x", create_pr=True)) == 404
    )
    assert list(reader.get_repo_discussions(public)) == []
    assert reader.create_discussion(public, "First").num == 1


def test_a_large_file_in_a_pull_request_of_a_reader(way, api, reader, public, tmp_path):
    data = secrets.token_bytes(12 * MIB)
    made = reader.upload_file(
        path_or_fileobj=data, path_in_repo="weights.bin", repo_id=public, create_pr=True, commit_message="Weights"
    )
    [info] = reader.get_paths_info(public, ["weights.bin"], revision=made.pr_revision)
    assert (info.size, info.lfs.size) == (len(data), len(data))
    api.merge_pull_request(public, made.pr_num)
    path = api.hf_hub_download(public, "weights.bin", cache_dir=tmp_path / "cache")
    assert open(path, "rb").read() == data


def test_a_folder_in_a_pull_request_of_a_reader(way, api, reader, public, tmp_path):
    source = tmp_path / "source"
    files = {f"part {i % 3}/f{i}.txt": f"{i}\n".encode() for i in range(40)}
    files["model.safetensors"] = os.urandom(3 * MIB)
    files["data/more.bin"] = os.urandom(2 * MIB)
    for name, data in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    made = reader.upload_folder(
        repo_id=public, folder_path=source, create_pr=True, commit_message="All", commit_description="Of it."
    )
    assert made.pr_url == f"{api.endpoint}/{public}/discussions/1"
    assert set(api.list_repo_files(public)) == {".gitattributes", "song.txt"}
    assert set(api.list_repo_files(public, revision="refs/pr/1")) == {".gitattributes", "song.txt", *files}
    [pull] = api.get_repo_discussions(public)
    # Clients that send chunks (2.4.0) open an empty one first, which is a draft.
    assert (pull.is_pull_request, pull.status) in [(True, "open"), (True, "draft")]
    api.merge_pull_request(public, 1)
    local = api.snapshot_download(public, cache_dir=tmp_path / "cache")
    for name, data in files.items():
        assert open(os.path.join(local, name), "rb").read() == data, name


def test_changes_that_conflict_are_solved_by_another_commit(api, reader, public):
    pull = reader.upload_file(
        path_or_fileobj=song(first="uno\n"), path_in_repo="song.txt", repo_id=public, create_pr=True
    )
    api.upload_file(path_or_fileobj=song(first="eins\n"), path_in_repo="song.txt", repo_id=public)
    head = api.repo_info(public).sha
    assert api.get_discussion_details(public, pull.pr_num).conflicting_files == ["song.txt"]
    assert status_of(lambda: api.merge_pull_request(public, pull.pr_num)) == 409
    assert api.repo_info(public).sha == head
    assert api.get_discussion_details(public, pull.pr_num).status == "open"
    reader.upload_file(
        path_or_fileobj=song(first="eins\n", last="fin\n"),
        path_in_repo="song.txt",
        repo_id=public,
        revision=pull.pr_revision,
    )
    assert api.get_discussion_details(public, pull.pr_num).conflicting_files == []
    api.merge_pull_request(public, pull.pr_num)
    assert read(api, public, "song.txt") == song(first="eins\n", last="fin\n")


def test_both_sides_of_a_file_come_together(api, reader, public):
    pull = reader.upload_file(
        path_or_fileobj=song(first="uno\n"), path_in_repo="song.txt", repo_id=public, create_pr=True
    )
    api.upload_file(path_or_fileobj=song(last="fin\n"), path_in_repo="song.txt", repo_id=public)
    api.merge_pull_request(public, pull.pr_num)
    assert read(api, public, "song.txt") == song(first="uno\n", last="fin\n")


def test_on_a_dataset_and_onto_another_branch(api, reader, alice):
    name = f"{alice.username}/rows-{secrets.token_hex(4)}"
    api.create_repo(name, repo_type="dataset", private=False)
    api.create_branch(name, branch="next", repo_type="dataset")
    pull = reader.upload_file(
        path_or_fileobj=b"a\n1\n",
        path_in_repo="train.csv",
        repo_id=name,
        repo_type="dataset",
        revision="next",
        create_pr=True,
    )
    assert pull.pr_url == f"{api.endpoint}/datasets/{name}/discussions/1"
    details = api.get_discussion_details(name, 1, repo_type="dataset")
    assert (details.target_branch, details.repo_type) == ("refs/heads/next", "dataset")
    api.merge_pull_request(name, 1, repo_type="dataset")
    assert "train.csv" in api.list_repo_files(name, repo_type="dataset", revision="next")
    assert "train.csv" not in api.list_repo_files(name, repo_type="dataset")
