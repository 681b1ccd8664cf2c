"""Rows that `hf` calls about repos, files and refusals, one command each."""

import secrets

import pytest


def row(*rows):
    return pytest.mark.row(*rows, client="hf")


@row("GET /api/whoami-v2")
def test_whoami(hf, alice, server):
    assert hf("auth", "whoami", "--json") == {"user": alice.username, "orgs": None, "endpoint": server.url}


@row("POST /api/repos/create", "PUT /api/{type}s/{repo}/settings", "POST /api/repos/move", "DELETE /api/repos/delete")
def test_the_life_of_a_repo(hf, api, alice):
    old, new = (f"{alice.username}/cli-{secrets.token_hex(4)}" for _ in range(2))
    hf("repos", "create", old, "--private")
    assert api.model_info(old).private is True
    hf("repos", "settings", old, "--public", "--gated", "manual")
    assert (api.model_info(old).private, api.model_info(old).gated) == (False, "manual")
    hf("repos", "move", old, new)
    assert api.model_info(old).id == new
    hf("repos", "delete", new, "--yes")
    assert not api.repo_exists(new)


@row("moved Repos")
def test_an_old_address(hf, api, alice, repo_id, tmp_path):
    api.upload_file(path_or_fileobj=b"moved", path_in_repo="a.txt", repo_id=repo_id)
    new = f"{alice.username}/cli-{secrets.token_hex(4)}"
    api.move_repo(repo_id, new)
    hf("download", repo_id, "--local-dir", tmp_path)
    assert (tmp_path / "a.txt").read_text() == "moved"
    assert hf("models", "info", repo_id, "--json")["id"] == new


@row("GET /api/models", "GET /api/datasets")
def test_lists(hf, api, alice):
    names = {kind: f"{alice.username}/listed-{secrets.token_hex(4)}" for kind in ("model", "dataset")}
    for kind, name in names.items():
        api.create_repo(name, repo_type=kind)
        # Without a limit `hf` shows ten repos, by trending: ten of alice's that other tests downloaded hide a new one.
        found = hf(f"{kind}s", "ls", "--author", alice.username, "--limit", "1000", "--json")
        listed = {each["id"]: each for each in found}
        assert listed[name]["private"] is False
    assert names["dataset"] not in hf("models", "ls", "--author", alice.username, "--limit", "1000")


@row(
    "GET /api/models/{repo}",
    "GET /api/models/{repo}/revision/{rev}",
    "GET /api/datasets/{repo}",
    "GET /api/{type}s/{repo}/revision/{rev}",
)
def test_info(hf, api, alice, repo_id):
    sha = api.model_info(repo_id).sha
    about = hf("models", "info", repo_id, "--json")
    assert (about["id"], about["sha"], about["author"]) == (repo_id, sha, alice.username)
    assert hf("models", "info", repo_id, "--revision", "main", "--json")["sha"] == sha
    name = f"{alice.username}/about-{secrets.token_hex(4)}"
    api.create_repo(name, repo_type="dataset")
    assert hf("datasets", "info", name, "--json")["id"] == name
    assert hf("datasets", "info", name, "--revision", "main", "--json")["id"] == name


@row("GET /api/{type}s/{repo}/tree/{rev}/{path}")
def test_files(hf, repo_id):
    assert [each["path"] for each in hf("models", "ls", repo_id, "--json")] == [".gitattributes"]


@row(
    "POST /api/{type}s/{repo}/branch/{branch}",
    "DELETE /api/{type}s/{repo}/branch/{branch}",
    "POST /api/{type}s/{repo}/tag/{rev}",
    "DELETE /api/{type}s/{repo}/tag/{tag}",
    "GET /api/{type}s/{repo}/refs",
)
def test_branches_and_tags(hf, api, repo_id):
    hf("repos", "branch", "create", repo_id, "side")
    hf("repos", "tag", "create", repo_id, "v1", "--revision", "side", "-m", "First")
    assert "v1" in hf("repos", "tag", "list", repo_id)
    refs = api.list_repo_refs(repo_id)
    assert ([each.name for each in refs.branches], [each.name for each in refs.tags]) == (["main", "side"], ["v1"])
    hf("repos", "tag", "delete", repo_id, "v1", "--yes")
    hf("repos", "branch", "delete", repo_id, "side")
    refs = api.list_repo_refs(repo_id)
    assert ([each.name for each in refs.branches], refs.tags) == (["main"], [])


@row(
    "upload by the command line",
    "download by the command line",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "POST /api/validate-yaml",
    "GET /{repo}/resolve/{rev}/{path}",
    "GET /{repo}/resolve/{rev}/{path} · without the chunked protocol",
    "HEAD /{repo}/resolve/{rev}/{path}",
    "GET /api/{type}s/{repo}/chunk-write-token/{rev}",
)
def test_up_and_down(hf, repo_id, tmp_path):
    files = {"README.md": b"---\nlicense: mit\n---\n", "w.safetensors": secrets.token_bytes(200_000)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        hf("upload", repo_id, tmp_path / name, name)
    hf("download", repo_id, "--local-dir", tmp_path / "back")
    assert {name: (tmp_path / "back" / name).read_bytes() for name in files} == files


@row("POST /{repo}.git/info/lfs/objects/batch · basic")
def test_up_without_chunks(hf, api, repo_id, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    (tmp_path / "w.safetensors").write_bytes(secrets.token_bytes(200_000))
    hf("upload", repo_id, tmp_path / "w.safetensors")
    [info] = api.get_paths_info(repo_id, ["w.safetensors"])
    assert info.lfs.size == 200_000


@row("POST /api/{type}s/{repo}/commit/{rev}?create_pr=1")
def test_up_on_a_pull_request(hf, api, repo_id, tmp_path, server):
    (tmp_path / "a.txt").write_text("proposed")
    assert f"{server.url}/{repo_id}" in hf("upload", repo_id, tmp_path / "a.txt", "--create-pr")
    assert "a.txt" in api.list_repo_files(repo_id, revision="refs/pr/1")


@row("error: not found", "/api/spaces/...", "/api/jobs/... and /api/inference/...")
def test_refusals(hf, alice):
    assert "not found" in hf("models", "info", f"{alice.username}/never-was", status=1).lower()
    assert f"Space '{alice.username}/demo' not found" in hf("spaces", "info", f"{alice.username}/demo", status=1)
    assert "Jobs are not offered by this server" in hf("jobs", "ls", "--namespace", alice.username, status=1)


@row("error: hidden private Repo", "write permissions", "error: gated Repo")
def test_refusals_to_another(hf, api, repo_id, monkeypatch, bob_token, tmp_path):
    api.upload_file(path_or_fileobj=b"x", path_in_repo="a.txt", repo_id=repo_id)
    monkeypatch.setenv("HF_TOKEN", bob_token)
    assert "not found" in hf("download", repo_id, "a.txt", status=1).lower()
    api.update_repo_settings(repo_id, private=False, gated="manual")
    assert "requires approval" in hf("download", repo_id, "a.txt", "--local-dir", tmp_path, status=1)
    (tmp_path / "b.txt").write_text("b")
    assert "403" in hf("upload", repo_id, tmp_path / "b.txt", status=1)


@row("bad token")
def test_a_bad_token(hf, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_asl_" + "a" * 46)
    assert "401" in hf("models", "ls", status=1)


@row("POST /api/{type}s/{repo}/lfs-files/duplicate")
def test_copies_between_repos(hf, api, alice, repo_id):
    api.upload_file(path_or_fileobj=b"small\n", path_in_repo="in/a.txt", repo_id=repo_id)
    api.upload_file(path_or_fileobj=bytes(range(256)) * 8192, path_in_repo="in/w.bin", repo_id=repo_id)
    target = f"{alice.username}/cli-{secrets.token_hex(4)}"
    hf("repos", "create", target)
    hf("cp", f"hf://{repo_id}/in/", f"hf://{target}/out/")
    oids = {each.path: each.blob_id for each in api.get_paths_info(repo_id, ["in/a.txt", "in/w.bin"])}
    copied = {each.path: each.blob_id for each in api.get_paths_info(target, ["out/a.txt", "out/w.bin"])}
    assert copied == {path.replace("in/", "out/"): oid for path, oid in oids.items()}
