"""What collections promise beyond their single rows: an order, a title that changes, and nothing shown to others."""

import secrets

import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import HfHubHTTPError, build_hf_headers, get_session, hf_raise_for_status


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


def upvote(api, slug, method="POST"):
    """As the public hub's page does: the library has no call for it."""
    url = f"{api.endpoint}/api/collections/{slug}/upvote"
    answer = get_session().request(method, url, headers=build_hf_headers(token=api.token))
    hf_raise_for_status(answer)
    return answer.json()


def test_collections_hold_collections_by_their_slug(api, other, names):
    inner, hidden = api.create_collection(fresh()), api.create_collection(fresh(), private=True)
    api.add_collection_item(inner.slug, names[0], "model")
    outer = api.create_collection(fresh()).slug
    filled = api.add_collection_item(outer, inner.slug, "collection", note="More of them.")
    assert [(item.item_id, item.item_type, item.note) for item in filled.items] == [
        (inner.slug, "collection", "More of them.")
    ]
    assert ids(api.add_collection_item(outer, inner.slug, "collection", exists_ok=True)) == [inner.slug]
    assert status_of(lambda: api.add_collection_item(outer, inner.slug, "collection")) == 409
    assert status_of(lambda: api.add_collection_item(outer, outer, "collection")) == 422
    api.add_collection_item(outer, hidden.slug, "collection")
    api.add_collection_item(outer, names[0], "model")
    assert ids(api.get_collection(outer)) == [inner.slug, hidden.slug, names[0]]
    assert ids(other.get_collection(outer)) == [inner.slug, names[0]]
    mine = other.create_collection(fresh()).slug
    assert status_of(lambda: other.add_collection_item(mine, hidden.slug, "collection")) == 404
    assert [each.slug for each in api.list_collections(item=f"collections/{inner.slug}")] == [outer]
    item = api.get_collection(outer).items[0]
    api.update_collection_item(outer, item.item_object_id, position=2)
    assert ids(api.get_collection(outer)) == [hidden.slug, names[0], inner.slug]
    api.delete_collection(inner.slug)
    assert ids(api.get_collection(outer)) == [hidden.slug, names[0]]


def test_upvotes_are_counted_once_each_and_make_orders(api, other):
    first, second = api.create_collection(fresh()), api.create_collection(fresh())
    for _ in range(2):
        assert upvote(api, first.slug) == {"upvotes": 1, "isUpvotedByUser": True}
    assert upvote(other, first.slug) == {"upvotes": 2, "isUpvotedByUser": True}
    assert api.get_collection(first.slug).upvotes == 2

    def order(sort):
        slugs = [each.slug for each in api.list_collections(owner=first.owner["name"], sort=sort)]
        return [slug for slug in slugs if slug in (first.slug, second.slug)]

    assert order("lastModified") == [second.slug, first.slug]
    for sort in ("upvotes", "trending"):
        assert order(sort) == [first.slug, second.slug]
    assert upvote(other, first.slug, "DELETE") == {"upvotes": 1, "isUpvotedByUser": False}
    kept = api.create_collection(fresh(), private=True).slug
    assert status_of(lambda: upvote(other, kept)) == 404
