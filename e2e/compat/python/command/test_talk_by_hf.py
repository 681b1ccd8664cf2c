"""Rows that `hf` calls about discussions and collections."""

import secrets

import pytest

DISCUSSIONS = "/api/{type}s/{repo}/discussions"
COLLECTIONS = "/api/collections"


def row(*rows):
    return pytest.mark.row(*rows, client="hf")


@pytest.fixture()
def talk(api, alice):
    """A fresh model with a discussion, 1, and a pull request, 2."""
    name = f"{alice.username}/talk-{secrets.token_hex(4)}"
    api.create_repo(name)
    api.create_discussion(name, "Why so?", description="Tell me.")
    api.upload_file(path_or_fileobj=b"new", path_in_repo="new.txt", repo_id=name, create_pr=True)
    return name


@row(
    f"GET {DISCUSSIONS}",
    f"POST {DISCUSSIONS}",
    f"GET {DISCUSSIONS}/{{num}}",
    f"POST {DISCUSSIONS}/{{num}}/comment",
    f"POST {DISCUSSIONS}/{{num}}/title",
    f"POST {DISCUSSIONS}/{{num}}/status",
    f"POST {DISCUSSIONS}/{{num}}/merge",
)
def test_discussions(hf, talk):
    hf("discussions", "create", talk, "--title", "And this?", "--body", "Hm.")
    listed = hf("discussions", "list", talk, "--json")
    assert [(each["num"], each["title"]) for each in listed][-1] == (1, "Why so?") and len(listed) == 3
    hf("discussions", "comment", talk, 1, "--body", "Because.")
    hf("discussions", "rename", talk, 1, "Why not?")
    hf("discussions", "close", talk, 1, "--yes")
    thread = hf("discussions", "info", talk, 1, "--json")
    assert (thread["title"], thread["status"]) == ("Why not?", "closed")
    hf("discussions", "merge", talk, 2, "--yes")
    assert hf("discussions", "info", talk, 2, "--json")["status"] == "merged"


@row(
    f"POST {COLLECTIONS}",
    f"GET {COLLECTIONS}",
    f"GET {COLLECTIONS}/{{slug}}",
    f"PATCH {COLLECTIONS}/{{slug}}",
    f"POST {COLLECTIONS}/{{slug}}/items",
    f"PATCH {COLLECTIONS}/{{slug}}/items/{{id}}",
    f"DELETE {COLLECTIONS}/{{slug}}/items/{{id}}",
    f"DELETE {COLLECTIONS}/{{slug}}",
)
def test_collections(hf, alice, repo_id):
    slug = hf("collections", "create", f"By hf {secrets.token_hex(4)}", "--json")["slug"]
    assert slug in {each["slug"] for each in hf("collections", "ls", "--owner", alice.username, "--json")}
    hf("collections", "update", slug, "--description", "Some.")
    hf("collections", "add-item", slug, repo_id, "model", "--note", "Look.")
    read = hf("collections", "info", slug, "--json")
    [item] = read["items"]
    assert (read["description"], item["item_id"], item["note"]) == ("Some.", repo_id, "Look.")
    hf("collections", "update-item", slug, item["item_object_id"], "--note", "Seen.")
    assert hf("collections", "info", slug, "--json")["items"][0]["note"] == "Seen."
    hf("collections", "delete-item", slug, item["item_object_id"])
    hf("collections", "delete", slug)
    hf("collections", "info", slug, status=1)
