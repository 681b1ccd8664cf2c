"""Lists of models and datasets, as the library asks for them."""

import secrets
from urllib.parse import urlencode

import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import BadRequestError
from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

CARD = """---
license: apache-2.0
library_name: transformers
pipeline_tag: text-generation
language: en
tags: [{tag}]
datasets: [{name}/words]
---
"""
DATA = """---
language: en
task_categories: [translation]
size_categories: n<1K
tags: [{tag}]
---
"""


@pytest.fixture(scope="module")
def shelf(server, alice, alice_token):
    """Two models and a dataset with a tag of their own."""
    api, tag = HfApi(endpoint=server.url, token=alice_token), f"tag-{secrets.token_hex(4)}"
    names = {kind: f"{alice.username}/{kind}-{tag}" for kind in ("bert", "base", "words")}
    for kind, name in names.items():
        repo_type = "dataset" if kind == "words" else "model"
        api.create_repo(name, repo_type=repo_type, private=kind == "base")
        card = (DATA if kind == "words" else CARD).format(tag=tag, name=alice.username)
        api.upload_file(
            path_or_fileobj=card.encode(), path_in_repo="README.md", repo_id=name, repo_type=repo_type
        )
    return {"tag": tag, **names}


def ids(found) -> list[str]:
    return sorted(each.id for each in found)


def test_models_are_found_by_every_filter(api, shelf, alice):
    tag, both = shelf["tag"], sorted([shelf["bert"], shelf["base"]])
    for query in (
        {"filter": tag},
        {"filter": [tag, "transformers", "license:apache-2.0"]},
        {"filter": [tag, "language:en"]},
        {"filter": tag, "pipeline_tag": "text-generation"},
        {"filter": tag, "trained_dataset": f"{alice.username}/words"},
        {"author": alice.username, "search": tag},
        {"search": tag, "gated": False},
    ):
        assert ids(api.list_models(**query)) == both, query
    for query in ({"gated": True}, {"pipeline_tag": "translation"}):
        assert ids(api.list_models(filter=tag, **query)) == [], query


def test_a_tag_that_no_name_contains_is_found_by_filter_and_by_words(api, alice):
    """`search` is "contained in the returned model ids", as the library says; the words of a page's address go further."""
    tag = f"only-a-tag-{secrets.token_hex(4)}"
    names = {repo_type: f"{alice.username}/plain-{secrets.token_hex(4)}" for repo_type in ("model", "dataset")}
    for repo_type, name in names.items():
        api.create_repo(name, repo_type=repo_type)
        card = f"---\ntags: [{tag}]\n---\n".encode()
        api.upload_file(path_or_fileobj=card, path_in_repo="README.md", repo_id=name, repo_type=repo_type)
    for repo_type, listed in (("model", api.list_models), ("dataset", api.list_datasets)):
        name = names[repo_type]
        assert ids(listed(filter=tag)) == [name]
        assert ids(listed(search=tag)) == []
        assert ids(listed(search=name)) == [name]
        for words in (tag, tag.upper(), f"plain {tag}"):
            found = alice.native("GET", f"/repos?{urlencode({'type': f'{repo_type}s', 'q': words})}")
            assert [f"{each['ns']}/{each['name']}" for each in found["items"]] == [name], words


def test_models_come_in_the_order_asked_for(api, shelf):
    for sort in ("last_modified", "created_at", "downloads", "likes", "trending_score"):
        found = list(api.list_models(filter=shelf["tag"], sort=sort, limit=1))
        assert len(found) == 1
    # The library passes the order unchanged, known or not.
    with pytest.raises(BadRequestError, match='"sort" must be one of'):
        list(api.list_models(sort="beauty"))


def test_models_tell_what_is_asked_for(api, shelf):
    bert = next(m for m in api.list_models(filter=shelf["tag"], full=True, cardData=True) if m.id == shelf["bert"])
    assert [s.rfilename for s in bert.siblings] == [".gitattributes", "README.md"]
    assert len(bert.sha) == 40
    assert (bert.author, bert.private, bert.gated, bert.disabled) == (shelf["bert"].split("/")[0], False, False, False)
    assert (bert.pipeline_tag, bert.library_name) == ("text-generation", "transformers")
    assert bert.card_data.license == "apache-2.0"
    assert bert.created_at.tzinfo and bert.last_modified.tzinfo
    assert (bert.downloads, bert.likes) == (0, 0)
    (line,) = api.list_models(search=f"bert-{shelf['tag']}", expand=["usedStorage", "trendingScore", "sha"])
    assert line.sha == bert.sha
    assert line.siblings is None and line.author is None
    with pytest.raises(BadRequestError, match='"expand" must be one of'):
        list(api.list_models(expand=["secrets"]))


def test_datasets_are_found_and_told(api, shelf):
    tag, words = shelf["tag"], shelf["words"]
    for query in (
        {"filter": tag},
        {"filter": tag, "language": "en"},
        {"task_categories": "translation", "size_categories": "n<1K", "search": tag},
        {"dataset_name": tag, "filter": "task_categories:translation"},
    ):
        assert ids(api.list_datasets(**query)) == [words], query
    assert ids(api.list_datasets(filter=tag, task_ids="none")) == []
    (found,) = api.list_datasets(search=tag, full=True)
    assert [s.rfilename for s in found.siblings] == [".gitattributes", "README.md"]
    assert found.card_data.task_categories == ["translation"]
    (line,) = api.list_datasets(search=tag, expand=["mainSize", "downloadsAllTime"])
    assert line.id == words and line.tags is None


def test_strangers_are_shown_what_is_public(server, shelf, bob_token):
    for token in (bob_token, False):
        stranger = HfApi(endpoint=server.url, token=token)
        assert ids(stranger.list_models(filter=shelf["tag"])) == [shelf["bert"]]


def test_info_tells_of_files_and_their_scan(api, shelf):
    info = api.model_info(shelf["bert"], files_metadata=True, securityStatus=True)
    readme = next(s for s in info.siblings if s.rfilename == "README.md")
    assert readme.size > 0 and len(readme.blob_id) == 40
    assert info.security_repo_status["filesWithIssues"] == []
    expanded = api.model_info(shelf["bert"], expand=["likes", "downloadsAllTime", "safetensors"])
    assert (expanded.likes, expanded.downloads_all_time, expanded.safetensors) == (0, 0, None)
    assert expanded.sha is None
    assert api.dataset_info(shelf["words"], expand=["sha"]).sha == api.dataset_info(shelf["words"]).sha


def test_commits_are_listed_over_pages_that_others_do_not_move(api, alice):
    name = f"{alice.username}/history-{secrets.token_hex(4)}"
    api.create_repo(name)
    for i in range(4):
        api.upload_file(path_or_fileobj=b"%d" % i, path_in_repo="a.txt", repo_id=name, commit_message=f"c{i}")

    def page(url):
        answer = get_session().get(url, headers=build_hf_headers(token=api.token))
        hf_raise_for_status(answer)
        return [each["title"] for each in answer.json()], answer

    url = f"{api.endpoint}/api/models/{name}/commits/main?limit=2"
    titles, first = page(url)
    assert titles == ["c3", "c2"]
    api.upload_file(path_or_fileobj=b"x", path_in_repo="a.txt", repo_id=name, commit_message="later")
    titles, second = page(first.links["next"]["url"])
    assert (titles, second.headers["X-Total-Count"]) == (["c1", "c0"], "5")
    titles, last = page(second.links["next"]["url"])
    assert (titles, "next" in last.links) == (["initial commit"], False)
    titles, jumped = page(f"{url}&p=1")
    assert titles == ["c2", "c1"]
    assert page(jumped.links["next"]["url"])[0] == ["c0", "initial commit"]
    assert [each.title for each in api.list_repo_commits(name)] == ["later", "c3", "c2", "c1", "c0", "initial commit"]
