"""What Collections promise beyond their single rows: an order, a title that changes, and nothing shown to others."""

import secrets

import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import HfHubHTTPError


@pytest.fixture()
def other(server, bob_token):
    """bob, who has no right on what alice owns."""
    return HfApi(endpoint=server.url, token=bob_token)


@pytest.fixture()
def names(api, alice):
    """Three fresh models of alice's, of which the second is private."""
    made = [f"{alice.username}/kept-{secrets.token_hex(4)}" for _ in range(3)]
    for i, name in enumerate(made):
        api.create_repo(name, private=i == 1)
    return made


def fresh() -> str:
    return f"Kept {secrets.token_hex(4)}"


def status_of(call) -> int:
    with pytest.raises(HfHubHTTPError) as raised:
        call()
    return raised.value.response.status_code


def ids(collection) -> list[str]:
    return [item.item_id for item in collection.items]


def test_the_order_of_items_is_kept_and_hidden_ones_are_left_out(api, other, names):
    slug = api.create_collection(fresh()).slug
    for name in names:
        api.add_collection_item(slug, name, "model")
    a, b, c = names
    last = api.get_collection(slug).items[-1]
    api.update_collection_item(slug, last.item_object_id, position=0, note="First now.")
    mine = api.get_collection(slug)
    assert ids(mine) == [c, a, b]
    assert [item.position for item in mine.items] == [0, 1, 2]
    assert mine.items[0].note == "First now."
    theirs = other.get_collection(slug)
    assert (ids(theirs), [item.position for item in theirs.items]) == ([c, a], [0, 1])
    assert [each.slug for each in other.list_collections(item=f"models/{b}")] == []
    assert status_of(lambda: other.add_collection_item(slug, a, "model")) == 403
    assert status_of(lambda: other.delete_collection(slug)) == 403
    own = other.create_collection(fresh()).slug
    assert status_of(lambda: other.add_collection_item(own, b, "model")) == 404
    assert status_of(lambda: other.add_collection_item(own, a, "dataset")) == 404


def test_a_former_slug_leads_to_what_was_renamed(api, alice, names):
    first = api.create_collection(fresh(), description="As it was.").slug
    api.add_collection_item(first, names[0], "model")
    title = fresh()
    changed = api.update_collection_metadata(first, title=title)
    assert changed.slug != first
    assert changed.url == f"{api.endpoint}/collections/{changed.slug}"
    for slug in (first, changed.slug):
        read = api.get_collection(slug)
        assert (read.title, read.slug, read.description, ids(read)) == (title, changed.slug, "As it was.", names[:1])
    api.move_repo(names[0], moved := f"{names[0]}-moved")
    assert ids(api.get_collection(first)) == [moved]
    assert [each.slug for each in api.list_collections(item=f"models/{names[0]}")] == [changed.slug]
    api.delete_repo(moved)
    assert ids(api.get_collection(first)) == []


def test_a_private_one_is_there_for_its_owner_alone(api, other, alice):
    slug = api.create_collection(fresh(), private=True).slug
    assert slug in [each.slug for each in api.list_collections(owner=alice.username, limit=500)]
    assert slug not in [each.slug for each in other.list_collections(owner=alice.username, limit=500)]
    for call in (other.get_collection, other.delete_collection):
        assert status_of(lambda call=call: call(slug)) == 404
    api.update_collection_metadata(slug, private=False)
    assert other.get_collection(slug).private is False


def test_lists_go_on_over_pages(api, alice):
    slugs = [api.create_collection(fresh()).slug for _ in range(5)]
    listed = [each.slug for each in api.list_collections(owner=alice.username, sort="lastModified", limit=5)]
    assert listed == slugs[::-1]
    assert set(slugs) <= {each.slug for each in api.list_collections(owner=alice.username)}
    assert status_of(lambda: list(api.list_collections(sort="best"))) == 400
