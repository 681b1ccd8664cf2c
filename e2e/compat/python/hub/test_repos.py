import secrets

import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError


def test_whoami_names_the_person_and_the_token(api, alice):
    me = api.whoami()
    assert me["name"] == alice.username
    assert me["type"] == "user"
    assert me["auth"]["accessToken"]["displayName"] == "compat"
    assert me["auth"]["accessToken"]["role"] == "write"
    assert isinstance(me["orgs"], list)


@pytest.mark.parametrize("repo_type", ["model", "dataset"])
def test_create_is_private_and_holds_the_first_commit(api, alice, server, repo_type):
    name = f"{alice.username}/made-{secrets.token_hex(4)}"
    url = api.create_repo(name, repo_type=repo_type, private=True)
    assert url.repo_id == name
    assert str(url).startswith(server.url)
    info = api.repo_info(name, repo_type=repo_type)
    assert info.private is True
    assert len(info.sha) == 40
    assert [s.rfilename for s in info.siblings] == [".gitattributes"]
    commits = api.list_repo_commits(name, repo_type=repo_type)
    assert [c.title for c in commits] == ["initial commit"]


def test_creating_twice_conflicts_unless_exist_ok(api, alice):
    name = f"{alice.username}/twice-{secrets.token_hex(4)}"
    first = api.create_repo(name)
    with pytest.raises(HfHubHTTPError) as refused:
        api.create_repo(name)
    assert refused.value.response.status_code == 409
    assert str(api.create_repo(name, exist_ok=True)) == str(first)


def test_delete_then_missing_ok_then_the_name_is_free(api, alice):
    name = f"{alice.username}/gone-{secrets.token_hex(4)}"
    api.create_repo(name)
    api.delete_repo(name)
    with pytest.raises(RepositoryNotFoundError):
        api.repo_info(name)
    with pytest.raises(RepositoryNotFoundError):
        api.delete_repo(name)
    api.delete_repo(name, missing_ok=True)
    api.create_repo(name)
    assert api.repo_exists(name)


def test_move_keeps_the_old_address(api, alice, repo_id, cache):
    api.upload_file(path_or_fileobj=b"moved", path_in_repo="a.txt", repo_id=repo_id)
    target = f"{alice.username}/moved-{secrets.token_hex(4)}"
    api.move_repo(repo_id, target)
    assert api.repo_info(repo_id).id == target
    path = api.hf_hub_download(repo_id, "a.txt", cache_dir=cache)
    assert open(path, "rb").read() == b"moved"
    api.upload_file(path_or_fileobj=b"through", path_in_repo="b.txt", repo_id=repo_id)
    assert api.file_exists(target, "b.txt")


def test_settings_change_visibility_and_gating(api, repo_id, bob_token, server):
    stranger = HfApi(endpoint=server.url, token=bob_token)
    assert not stranger.repo_exists(repo_id)
    if hasattr(api, "update_repo_settings"):
        try:
            api.update_repo_settings(repo_id, private=False)
        except TypeError:
            api.update_repo_settings(repo_id, visibility="public")
    assert stranger.repo_exists(repo_id)
    api.update_repo_settings(repo_id, gated="manual")
    assert stranger.repo_info(repo_id).gated == "manual"


def test_list_models_filters_by_author_and_search(api, alice):
    marker = secrets.token_hex(4)
    names = {f"{alice.username}/list-{marker}-{i}" for i in range(3)}
    for name in names:
        api.create_repo(name, private=True)
    found = {m.id for m in api.list_models(author=alice.username, search=marker)}
    assert found == names
    assert len(list(api.list_models(author=alice.username, search=marker, limit=2))) == 2
    assert list(api.list_datasets(author=alice.username, search=marker)) == []


def test_branches_and_tags(api, repo_id):
    api.create_branch(repo_id, branch="feat/x")
    with pytest.raises(HfHubHTTPError) as conflict:
        api.create_branch(repo_id, branch="feat/x")
    assert conflict.value.response.status_code == 409
    api.create_branch(repo_id, branch="feat/x", exist_ok=True)
    head = api.upload_file(
        path_or_fileobj=b"on a branch", path_in_repo="x.txt", repo_id=repo_id, revision="feat/x"
    ).oid
    api.create_tag(repo_id, tag="v1.0", revision="feat/x", tag_message="first")
    api.create_tag(repo_id, tag="v1.0", revision="feat/x", exist_ok=True)
    refs = api.list_repo_refs(repo_id)
    assert {b.name: b.target_commit for b in refs.branches}["feat/x"] == head
    assert {t.name: t.target_commit for t in refs.tags} == {"v1.0": head}
    assert api.repo_info(repo_id, revision="v1.0").sha == head
    assert api.file_exists(repo_id, "x.txt", revision="feat/x")
    assert not api.file_exists(repo_id, "x.txt")
    api.delete_tag(repo_id, tag="v1.0")
    api.delete_branch(repo_id, branch="feat/x")
    with pytest.raises(RevisionNotFoundError):
        api.repo_info(repo_id, revision="feat/x")
    with pytest.raises(RevisionNotFoundError):
        api.delete_tag(repo_id, tag="v1.0")
    with pytest.raises(HfHubHTTPError) as forbidden:
        api.delete_branch(repo_id, branch="main")
    assert forbidden.value.response.status_code == 403
