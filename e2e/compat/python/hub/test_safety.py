"""What clients read of the scan: pickles that Python makes, and weights that torch-like writers make."""

import collections
import io
import pickle
import secrets
import time
import zipfile

import pytest
from huggingface_hub import HfApi, get_session
from huggingface_hub.utils import RepositoryNotFoundError


class Shell:
    def __reduce__(self):
        import os

        return os.system, ("id",)


class Exits:
    def __reduce__(self):
        return exit, ()


def archive(payload):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("archive/data.pkl", payload)
        made.writestr("archive/version", "3\n")
    return file.getvalue()


FILES = {
    "README.md": b"# A model\n",
    "plain.pkl": pickle.dumps({"a": [1, 2.5, None], "b": collections.OrderedDict(x=1)}),
    "shell.pkl": pickle.dumps(Shell()),
    "old/shell.pickle": pickle.dumps([Shell()], protocol=0),
    "pytorch_model.bin": archive(pickle.dumps({"weights": Shell()}, protocol=2)),
    "unknown.joblib": pickle.dumps(Exits()),
}
BAD = {"shell.pkl", "old/shell.pickle", "pytorch_model.bin"}


@pytest.fixture(scope="module")
def scanned(server, alice, alice_token):
    api = HfApi(endpoint=server.url, token=alice_token)
    repo = f"{alice.username}/scanned-{secrets.token_hex(4)}"
    api.create_repo(repo, private=True)
    for path, content in FILES.items():
        api.upload_file(path_or_fileobj=content, path_in_repo=path, repo_id=repo)
    until = time.monotonic() + 120
    while not api.model_info(repo, securityStatus=True).security_repo_status["scansDone"]:
        assert time.monotonic() < until, "the scan does not end"
        time.sleep(0.2)
    return api, repo


def test_model_info_names_the_files_with_issues(scanned):
    api, repo = scanned
    status = api.model_info(repo, securityStatus=True).security_repo_status
    unsafe = {each["path"] for each in status["filesWithIssues"] if each["level"] == "unsafe"}
    assert status["scansDone"] is True
    assert BAD <= unsafe
    assert not {"plain.pkl", "README.md"} & {each["path"] for each in status["filesWithIssues"]}
    assert api.model_info(repo).security_repo_status is None


def test_tree_and_paths_info_have_the_verdict_of_each_file(scanned):
    api, repo = scanned
    listed = {each.path: each for each in api.list_repo_tree(repo, recursive=True, expand=True) if hasattr(each, "blob_id")}
    asked = {each.path: each for each in api.get_paths_info(repo, list(FILES), expand=True)}
    for path in FILES:
        for security in (listed[path].security, asked[path].security):
            assert security.safe == (path not in BAD and path != "unknown.joblib"), path
            assert security.av_scan == {"status": "unscanned"}
            assert security.pickle_import_scan["status"] == ("unscanned" if path == "README.md" else security.status)
    found = asked["shell.pkl"].security.pickle_import_scan["pickleImports"]
    assert {"module": "posix", "name": "system", "safety": "dangerous"} in found
    assert asked["plain.pkl"].security.pickle_import_scan["pickleImports"] == [
        {"module": "collections", "name": "OrderedDict", "safety": "innocuous"}
    ]
    assert all(each.security is None for each in api.get_paths_info(repo, list(FILES)))


def test_the_scan_row_says_the_same(scanned, server, alice_token):
    api, repo = scanned
    wanted = api.model_info(repo, securityStatus=True).security_repo_status
    row = get_session().get(f"{server.url}/api/models/{repo}/scan", headers={"authorization": f"Bearer {alice_token}"})
    assert row.json() == wanted


def test_others_learn_nothing_of_it(scanned, server, bob_token):
    _, repo = scanned
    stranger = HfApi(endpoint=server.url, token=bob_token)
    with pytest.raises(RepositoryNotFoundError):
        stranger.model_info(repo, securityStatus=True)
