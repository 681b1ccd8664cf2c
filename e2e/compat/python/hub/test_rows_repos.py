"""Rows about repos: lists, what is known of one, its life, its branches and tags. One test a row."""

import datetime
import secrets

import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import RepositoryNotFoundError

row = pytest.mark.row


def new_name(person, what="row") -> str:
    return f"{person.username}/{what}-{secrets.token_hex(4)}"


@row("GET /api/whoami-v2")
def test_whoami(api, alice):
    me = api.whoami()
    assert (me["name"], me["type"], me["isPro"], me["orgs"]) == (alice.username, "user", False, [])
    assert me["auth"]["accessToken"] == {**me["auth"]["accessToken"], "displayName": "compat", "role": "write"}
    assert len(me["id"]) == 24


@row("POST /api/validate-yaml")
def test_validate_yaml(api):
    api._validate_yaml("---\nlicense: mit\n---\n", repo_type="model")
    with pytest.raises(ValueError, match="license"):
        api._validate_yaml("---\nlicense: [[no licence]]\n---\n", repo_type="model")


@row("POST /api/repos/create")
@pytest.mark.parametrize("repo_type", ["model", "dataset"])
def test_create(api, alice, server, repo_type):
    name = new_name(alice)
    url = api.create_repo(name, repo_type=repo_type, private=True)
    assert (url.repo_id, url.repo_type, url.repo_name, url.namespace) == (
        name,
        repo_type,
        name.split("/")[1],
        alice.username,
    )
    assert str(url) == f"{server.url}/{'datasets/' if repo_type == 'dataset' else ''}{name}"
    assert api.create_repo(name, repo_type=repo_type, exist_ok=True) == url


@row("DELETE /api/repos/delete")
def test_delete(api, alice):
    name = new_name(alice)
    api.create_repo(name)
    api.delete_repo(name)
    assert not api.repo_exists(name)
    with pytest.raises(RepositoryNotFoundError):
        api.delete_repo(name)
    api.delete_repo(name, missing_ok=True)


@row("POST /api/repos/move", "moved Repos")
def test_move(api, alice):
    old, new = new_name(alice), new_name(alice)
    api.create_repo(old)
    api.upload_file(path_or_fileobj=b"there", path_in_repo="a.txt", repo_id=old)
    api.move_repo(old, new)
    info = api.model_info(old)
    assert (info.id, info.author) == (new, alice.username)
    api.upload_file(path_or_fileobj=b"by the old name", path_in_repo="b.txt", repo_id=old)
    assert set(api.list_repo_files(new)) == {".gitattributes", "a.txt", "b.txt"}
    api.create_repo(old)
    assert api.model_info(old).id == old


@row("PUT /api/{type}s/{repo}/settings")
def test_settings(api, repo_id, server, bob_token):
    stranger = HfApi(endpoint=server.url, token=bob_token)
    assert not stranger.repo_exists(repo_id)
    api.update_repo_settings(repo_id, private=False, gated="auto")
    info = stranger.model_info(repo_id)
    assert (info.private, info.gated) == (False, "auto")
    api.update_repo_settings(repo_id, private=True, gated=False)
    assert not stranger.repo_exists(repo_id)
    assert api.model_info(repo_id).gated is False


@row("GET /api/models")
def test_list_models(api, alice, model):
    found = {each.id: each for each in api.list_models(author=alice.username, filter="tiny", full=True)}
    assert model in found
    entry = found[model]
    assert (entry.author, entry.private, entry.gated, entry.likes) == (alice.username, False, False, 0)
    assert {"tiny", "license:mit", "en"} <= set(entry.tags) | {"en"}
    assert {sibling.rfilename for sibling in entry.siblings} == {".gitattributes", "README.md", "sub/a b.txt", "sub/w.bin"}
    assert entry.last_modified.tzinfo is not None
    assert [each.id for each in api.list_models(author=alice.username, search="no such thing")] == []
    assert len(list(api.list_models(limit=1, sort="createdAt"))) == 1


@row("GET /api/datasets")
def test_list_datasets(api, alice, dataset):
    [entry] = [each for each in api.list_datasets(author=alice.username, search="stocked") if each.id == dataset]
    assert (entry.author, entry.private, entry.disabled) == (alice.username, False, False)
    assert {"tiny", "license:mit"} <= set(entry.tags)
    assert entry.created_at <= datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=1)


@row("GET /api/models/{repo}")
def test_model_info(api, alice, model):
    info = api.model_info(model, files_metadata=True)
    assert (info.id, info.author, info.private, info.gated, info.disabled) == (
        model,
        alice.username,
        False,
        False,
        False,
    )
    assert len(info.sha) == 40 and info.created_at <= info.last_modified
    assert info.card_data.license == "mit" and "tiny" in info.tags
    files = {each.rfilename: each for each in info.siblings}
    assert files["sub/a b.txt"].size == 6 and len(files["sub/a b.txt"].blob_id) == 40
    assert files["sub/w.bin"].lfs.size == 2 * 1024 * 1024 and len(files["sub/w.bin"].lfs.sha256) == 64
    some = api.model_info(model, expand=["sha", "likes"])
    assert (some.sha, some.likes, some.siblings) == (info.sha, 0, None)


@row("GET /api/models/{repo}/revision/{rev}")
def test_model_info_at_a_revision(api, model):
    first = api.list_repo_commits(model)[-1].commit_id
    info = api.model_info(model, revision=first)
    assert (info.sha, [each.rfilename for each in info.siblings]) == (first, [".gitattributes"])
    assert api.model_info(model, revision="main").sha == api.model_info(model).sha


@row("GET /api/datasets/{repo}")
def test_dataset_info(api, alice, dataset):
    info = api.dataset_info(dataset)
    assert (info.id, info.author, info.private, info.card_data.license) == (dataset, alice.username, False, "mit")
    assert "sub/w.bin" in {each.rfilename for each in info.siblings}


@row("GET /api/{type}s/{repo}/revision/{rev}")
def test_dataset_info_at_a_revision(api, dataset):
    head = api.dataset_info(dataset).sha
    assert api.dataset_info(dataset, revision=head[:10]).sha == head


@row("GET /api/{type}s/{repo}/commits/{rev}")
def test_commits(api, alice, model):
    commits = api.list_repo_commits(model)
    assert [each.title for each in commits] == [
        "Upload sub/w.bin with huggingface_hub",
        "Upload sub/a b.txt with huggingface_hub",
        "Upload README.md with huggingface_hub",
        "initial commit",
    ]
    assert commits[0].commit_id == api.model_info(model).sha
    assert [each.authors for each in commits[:3]] == [[alice.username]] * 3
    assert [each.created_at for each in commits] == sorted((each.created_at for each in commits), reverse=True)
    assert "<" not in api.list_repo_commits(model, formatted=True)[0].title


@row("GET /api/{type}s/{repo}/refs")
def test_refs(api, model):
    refs = api.list_repo_refs(model, include_pull_requests=True)
    [main] = refs.branches
    assert (main.name, main.ref, main.target_commit) == ("main", "refs/heads/main", api.model_info(model).sha)
    assert (refs.tags, refs.converts, refs.pull_requests) == ([], [], [])


@row("POST /api/{type}s/{repo}/branch/{branch}")
def test_create_a_branch(api, repo_id):
    first = api.model_info(repo_id).sha
    api.upload_file(path_or_fileobj=b"x", path_in_repo="x.txt", repo_id=repo_id)
    api.create_branch(repo_id, branch="feat/old", revision=first)
    assert {each.name: each.target_commit for each in api.list_repo_refs(repo_id).branches}["feat/old"] == first
    api.create_branch(repo_id, branch="feat/old", exist_ok=True)


@row("DELETE /api/{type}s/{repo}/branch/{branch}")
def test_delete_a_branch(api, repo_id):
    api.create_branch(repo_id, branch="feat/x")
    api.delete_branch(repo_id, branch="feat/x")
    assert [each.name for each in api.list_repo_refs(repo_id).branches] == ["main"]


@row("POST /api/{type}s/{repo}/tag/{rev}")
def test_create_a_tag(api, repo_id):
    head = api.model_info(repo_id).sha
    api.create_tag(repo_id, tag="v1", tag_message="The first", revision=head)
    [tag] = api.list_repo_refs(repo_id).tags
    assert (tag.name, tag.ref, tag.target_commit) == ("v1", "refs/tags/v1", head)


@row("DELETE /api/{type}s/{repo}/tag/{tag}")
def test_delete_a_tag(api, repo_id):
    api.create_tag(repo_id, tag="v/1")
    api.delete_tag(repo_id, tag="v/1")
    assert api.list_repo_refs(repo_id).tags == []
