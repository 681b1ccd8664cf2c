"""Rows about people talking: discussions, pull requests, likes. One test a row."""

import secrets
import urllib.request

import pytest
from huggingface_hub import CommitOperationAdd, HfApi

row = pytest.mark.row
DISCUSSIONS = "/api/{type}s/{repo}/discussions"


@pytest.fixture(scope="module")
def talk(mine, alice):
    """A public model with a discussion, 1."""
    name = f"{alice.username}/talk-{secrets.token_hex(4)}"
    mine.create_repo(name, private=False)
    mine.create_discussion(name, "First", description="The *first* word.")
    return name


@pytest.fixture()
def number(mine, talk):
    """A fresh discussion on it."""
    return mine.create_discussion(talk, "Fresh", description="To be changed.").num


def comment_of(api, talk, number):
    return api.get_discussion_details(talk, number).events[0]


@row(f"GET {DISCUSSIONS}")
def test_list(api, talk, alice, number):
    listed = {each.num: each for each in api.get_repo_discussions(talk)}
    assert {1, number} <= set(listed)
    first = listed[1]
    assert (first.title, first.status, first.author, first.repo_id, first.is_pull_request) == (
        "First",
        "open",
        alice.username,
        talk,
        False,
    )
    assert [each.num for each in api.get_repo_discussions(talk, discussion_type="pull_request")] == []


@row(f"POST {DISCUSSIONS}")
def test_open(server, talk, bob, bob_token):
    reader = HfApi(endpoint=server.url, token=bob_token)
    made = reader.create_discussion(talk, "A question", description="Why?")
    assert (made.title, made.status, made.author, made.is_pull_request) == ("A question", "open", bob.username, False)
    assert made.url == f"{server.url}/{talk}/discussions/{made.num}"
    assert made.events[0].content == "Why?"


@row(f"GET {DISCUSSIONS}/{{num}}")
def test_read(api, talk, alice):
    details = api.get_discussion_details(talk, 1)
    [comment] = details.events
    assert (details.title, details.num, details.status) == ("First", 1, "open")
    assert (comment.type, comment.content, comment.author) == ("comment", "The *first* word.", alice.username)
    assert (comment.edited, comment.hidden, comment.created_at.tzinfo is not None) == (False, False, True)


@row(f"POST {DISCUSSIONS}/{{num}}/comment")
def test_comment(api, talk, number, alice):
    made = api.comment_discussion(talk, number, "A word.")
    assert (made.type, made.content, made.author, made.edited) == ("comment", "A word.", alice.username, False)
    assert [event.content for event in api.get_discussion_details(talk, number).events] == ["To be changed.", "A word."]


@row(f"POST {DISCUSSIONS}/{{num}}/comment/{{id}}/edit")
def test_edit(api, talk, number, alice):
    before = comment_of(api, talk, number)
    after = api.edit_discussion_comment(talk, number, before.id, "Changed.")
    assert (after.id, after.content, after.edited) == (before.id, "Changed.", True)
    assert after.last_edited_by == alice.username


@row(f"POST {DISCUSSIONS}/{{num}}/comment/{{id}}/hide")
def test_hide(api, talk, number):
    before = comment_of(api, talk, number)
    hidden = api.hide_discussion_comment(talk, number, before.id)
    assert (hidden.id, hidden.hidden, hidden.content) == (before.id, True, "")


@row(f"POST {DISCUSSIONS}/{{num}}/status")
def test_status(api, talk, number):
    closed = api.change_discussion_status(talk, number, "closed", comment="Done.")
    assert (closed.type, closed.new_status) == ("status-change", "closed")
    details = api.get_discussion_details(talk, number)
    assert (details.status, [event.type for event in details.events]) == (
        "closed",
        ["comment", "comment", "status-change"],
    )


@row(f"POST {DISCUSSIONS}/{{num}}/title")
def test_title(api, talk, number):
    renamed = api.rename_discussion(talk, number, "Renamed")
    assert (renamed.type, renamed.old_title, renamed.new_title) == ("title-change", "Fresh", "Renamed")
    assert api.get_discussion_details(talk, number).title == "Renamed"


@row(f"POST {DISCUSSIONS}/{{num}}/merge")
def test_merge(api, repo_id, server):
    made = api.create_commit(repo_id, [CommitOperationAdd("a.txt", b"a")], commit_message="Add a", create_pr=True)
    api.merge_pull_request(repo_id, made.pr_num)
    details = api.get_discussion_details(repo_id, made.pr_num)
    assert (details.status, details.merge_commit_oid) == ("merged", api.model_info(repo_id).sha)
    assert "a.txt" in api.list_repo_files(repo_id)


def like(server, token, repo_id, kind="models"):
    """As the button of the public hub's pages does: no client library gives likes."""
    request = urllib.request.Request(
        f"{server.url}/api/{kind}/{repo_id}/like", method="POST", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request) as answer:
        return answer.status


@pytest.fixture()
def liked(mine, server, alice, alice_token):
    """A fresh public model that alice likes."""
    name = f"{alice.username}/liked-{secrets.token_hex(4)}"
    mine.create_repo(name, private=False)
    like(server, alice_token, name)
    return name


@row("POST /api/{type}s/{repo}/like", client="plain HTTP")
def test_like(server, api, repo_id, dataset, alice_token):
    assert like(server, alice_token, repo_id) == like(server, alice_token, repo_id) == 200
    assert api.model_info(repo_id).likes == 1
    assert like(server, alice_token, dataset, "datasets") == 200
    assert api.dataset_info(dataset).likes == 1


@row("DELETE /api/{type}s/{repo}/like")
def test_unlike(api, liked):
    api.unlike(liked)
    api.unlike(liked)
    assert api.model_info(liked).likes == 0


@row("GET /api/{type}s/{repo}/likers")
def test_likers(api, liked, alice):
    [liker] = api.list_repo_likers(liked)
    assert liker.username == alice.username
    assert liker.fullname and liker.avatar_url


@row("GET /api/users/{user}/likes")
def test_liked_repos(api, liked, alice):
    likes = api.list_liked_repos(alice.username)
    assert likes.user == alice.username
    assert liked in likes.models and liked not in likes.datasets
    assert likes.total == len(likes.models) + len(likes.datasets)
