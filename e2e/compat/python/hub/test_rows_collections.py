"""Rows about collections. One test a row."""

import secrets

import pytest
from huggingface_hub.utils import HfHubHTTPError

row = pytest.mark.row
COLLECTIONS = "/api/collections"


@pytest.fixture()
def slug(mine, alice):
    """A fresh collection of alice's."""
    return mine.create_collection(f"Fresh {secrets.token_hex(4)}", description="To be changed.").slug


@pytest.fixture()
def item(mine, slug, model):
    """A model in it."""
    return mine.add_collection_item(slug, model, "model", note="Look.").items[0].item_object_id


@row(f"POST {COLLECTIONS}")
def test_create(api, alice):
    title = f"Fine things {secrets.token_hex(4)}"
    made = api.create_collection(title, description="Some.", private=True)
    assert (made.title, made.description, made.private, made.items) == (title, "Some.", True, [])
    assert made.slug.startswith(f"{alice.username}/{title.lower().replace(' ', '-')}-")
    assert (made.owner["name"], made.owner["type"]) == (alice.username, "user")
    assert api.create_collection(title, exists_ok=True).slug == made.slug


@row(f"GET {COLLECTIONS}")
def test_list(api, alice, slug, item, model):
    listed = {each.slug: each for each in api.list_collections(owner=alice.username, item=f"models/{model}", limit=100)}
    assert slug in listed
    assert [each.item_id for each in listed[slug].items] == [model]
    assert list(api.list_collections(owner=alice.username, item="models/no/such")) == []


@row(f"GET {COLLECTIONS}/{{slug}}")
def test_read(api, slug, item, model):
    read = api.get_collection(slug)
    [held] = read.items
    assert (read.slug, read.description, read.private, read.upvotes) == (slug, "To be changed.", False, 0)
    assert (held.item_object_id, held.item_id, held.item_type, held.position, held.note) == (
        item,
        model,
        "model",
        0,
        "Look.",
    )


@row(f"PATCH {COLLECTIONS}/{{slug}}")
def test_change(api, slug):
    changed = api.update_collection_metadata(slug, title="Renamed", description="Changed.", private=True, theme="pink")
    assert (changed.title, changed.description, changed.private, changed.theme) == ("Renamed", "Changed.", True, "pink")
    assert api.get_collection(slug).slug == changed.slug


@row(f"DELETE {COLLECTIONS}/{{slug}}")
def test_delete(api, slug):
    api.delete_collection(slug)
    with pytest.raises(HfHubHTTPError) as missing:
        api.delete_collection(slug)
    assert missing.value.response.status_code == 404
    api.delete_collection(slug, missing_ok=True)


@row(f"POST {COLLECTIONS}/{{slug}}/items")
def test_add_an_item(api, slug, item, model, dataset):
    held = api.add_collection_item(slug, dataset, "dataset").items
    assert [(each.item_id, each.item_type, each.position, each.note) for each in held] == [
        (model, "model", 0, "Look."),
        (dataset, "dataset", 1, None),
    ]
    with pytest.raises(HfHubHTTPError) as twice:
        api.add_collection_item(slug, dataset, "dataset")
    assert twice.value.response.status_code == 409
    api.add_collection_item(slug, dataset, "dataset", exists_ok=True)


@row(f"PATCH {COLLECTIONS}/{{slug}}/items/{{id}}")
def test_change_an_item(api, slug, item, model, dataset):
    api.add_collection_item(slug, dataset, "dataset")
    api.update_collection_item(slug, item, note="Seen.", position=1)
    assert [(each.item_id, each.position, each.note) for each in api.get_collection(slug).items] == [
        (dataset, 0, None),
        (model, 1, "Seen."),
    ]


@row(f"DELETE {COLLECTIONS}/{{slug}}/items/{{id}}")
def test_remove_an_item(api, slug, item):
    api.delete_collection_item(slug, item)
    assert api.get_collection(slug).items == []
    api.delete_collection_item(slug, item, missing_ok=True)
