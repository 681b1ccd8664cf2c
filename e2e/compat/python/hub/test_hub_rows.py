"""Calls of the library beside repos' content: profiles, storage, copies; and its errors, over http and https."""

import json
import secrets
import socket
import ssl
import subprocess
import threading

import pytest
from client import Client
from huggingface_hub import HfApi
from huggingface_hub.errors import DisabledRepoError, GatedRepoError, HfHubHTTPError, RepositoryNotFoundError


@pytest.fixture(scope="module")
def org(server, alice, bob):
    """An organisation that alice administers and bob reads, until the end of these tests: others ask who alice is."""
    ns = f"acme-{secrets.token_hex(3)}"
    founder = server.new_person(f"carol-{secrets.token_hex(3)}")
    founder.native("POST", "/orgs", {"ns": ns, "display_name": "Acme"})
    members = {alice.username: "admin", bob.username: "read"}
    for username, role in members.items():
        founder.native("PUT", f"/orgs/{ns}/members/{username}", {"role": role})
    yield ns
    for username in members:
        founder.native("DELETE", f"/orgs/{ns}/members/{username}")


def test_profiles_of_people_and_organisations(api, alice, bob, org):
    user = api.get_user_overview(alice.username)
    assert (user.username, user.user_type, user.is_pro) == (alice.username, "user", False)
    assert user.avatar_url.startswith("http") and org in [each.name for each in user.orgs]
    assert user.num_followers == 0
    acme = api.get_organization_overview(org)
    assert (acme.name, acme.fullname, acme.num_users) == (org, "Acme", 3)
    members = [each.username for each in api.list_organization_members(org)]
    assert len(members) == 3 and {alice.username, bob.username} < set(members)
    assert list(api.list_user_followers(alice.username)) == list(api.list_user_following(alice.username)) == []
    with pytest.raises(HfHubHTTPError) as missing:
        api.get_user_overview(org)
    assert missing.value.response.status_code == 404


def test_followers_of_people_and_organisations(api, alice, bob, org):
    followed = (alice.username, org)
    for ns in followed:
        bob.native("POST", f"/namespaces/{ns}/follow")
    try:
        follower = next(iter(api.list_user_followers(alice.username)))
        assert (follower.username, follower.user_type, follower.is_pro) == (bob.username, "user", False)
        assert [each.username for each in api.list_user_following(bob.username)] == [alice.username]
        assert api.get_user_overview(alice.username).num_followers == 1
        assert api.get_user_overview(bob.username).num_following == 1
        assert api.get_organization_overview(org).num_followers == 1
        if hasattr(api, "list_organization_followers"):
            assert [each.username for each in api.list_organization_followers(org)] == [bob.username]
    finally:
        for ns in followed:
            bob.native("DELETE", f"/namespaces/{ns}/follow")
    assert list(api.list_user_followers(alice.username)) == []


# Older versions of the library do not ask for it.
if hasattr(HfApi, "list_user_repos"):

    def test_what_a_namespace_stores(api, repo_id, org):
        api.create_repo(f"{org}/stored", exist_ok=True)
        mine = {each.id: each for each in api.list_user_repos()}
        assert mine[repo_id].type == "model" and mine[repo_id].visibility == "private"
        assert mine[repo_id].storage > 0 and mine[repo_id].updated_at.tzinfo
        assert [each.id for each in api.list_user_repos(org)] == [f"{org}/stored"]


def test_access_is_checked_beforehand(api, server, repo_id, bob_token):
    assert api.auth_check(repo_id) is None
    stranger = HfApi(endpoint=server.url, token=bob_token)
    with pytest.raises(RepositoryNotFoundError):
        stranger.auth_check(repo_id)
    api.update_repo_settings(repo_id, gated="manual", private=False)
    with pytest.raises(GatedRepoError):
        stranger.auth_check(repo_id)


# Older versions of the library duplicate Spaces alone.
if hasattr(HfApi, "duplicate_repo"):

    def test_a_repo_is_duplicated(api, alice, repo_id, cache):
        api.upload_file(path_or_fileobj=b"weights" * 1000, path_in_repo="model.bin", repo_id=repo_id)
        target = f"{alice.username}/copy-{secrets.token_hex(4)}"
        url = api.duplicate_repo(repo_id, target, private=True)
        assert url.repo_id == target
        path = api.hf_hub_download(target, "model.bin", cache_dir=cache)
        assert open(path, "rb").read() == b"weights" * 1000
        with pytest.raises(HfHubHTTPError) as taken:
            api.duplicate_repo(repo_id, target)
        assert taken.value.response.status_code == 409
        assert str(api.duplicate_repo(repo_id, target, exist_ok=True)) == str(url)


def test_tags_in_use(api, repo_id):
    # The library asks for them without a token.
    api.update_repo_settings(repo_id, private=False)
    api.upload_file(
        path_or_fileobj=b"---\nlicense: mit\n---\n", path_in_repo="README.md", repo_id=repo_id
    )
    assert {"id": "license:mit", "label": "mit", "type": "license"} in api.get_model_tags()["license"]
    assert "size_categories" in api.get_dataset_tags()


@pytest.fixture(scope="module")
def tls(server, tmp_path_factory):
    """The server behind TLS with a certificate of our own: its address, and the certificate."""
    dir = tmp_path_factory.mktemp("tls")
    key, certificate = dir / "key.pem", dir / "certificate.pem"
    request = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1"
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*request.split(), *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def copy(source, sink):
        try:
            while piece := source.recv(65536):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            sink.close()

    def serve(raw):
        try:
            client = context.wrap_socket(raw, server_side=True)
        except OSError:
            return
        onward = socket.create_connection(("127.0.0.1", server.port))
        threading.Thread(target=copy, args=(onward, client), daemon=True).start()
        copy(client, onward)

    def accept():
        while True:
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(raw,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    yield f"https://127.0.0.1:{listener.getsockname()[1]}", certificate
    listener.close()


ERRORS = """
import json
from huggingface_hub import hf_hub_download
tokens, hidden, gated, disabled = json.loads(args[0]), *args[1:]
calls = {
    "info of a hidden repo": (lambda: HfApi(token=token).repo_info(hidden)),
    "info of no repo": (lambda: HfApi(token=token).repo_info(hidden + "-not")),
    "file of a hidden repo": (lambda: hf_hub_download(hidden, "README.md", token=token)),
    "file of a gated repo": (lambda: hf_hub_download(gated, "f.txt", token=token)),
    "access to a gated repo": (lambda: HfApi(token=token).auth_check(gated)),
    "access to a disabled repo": (lambda: HfApi(token=token).auth_check(disabled)),
    "no revision": (lambda: HfApi(token=token).repo_info(gated, revision="none")),
    "no file": (lambda: hf_hub_download(gated, "none.txt", token=token)),
    "no folder": (lambda: list(HfApi(token=token).list_repo_tree(gated, "none"))),
}
said = {}
for who, token in tokens.items():
    for what, call in calls.items():
        try:
            call()
            said[f"{who}: {what}"] = []
        except Exception as error:
            said[f"{who}: {what}"] = [*(each.__name__ for each in type(error).__mro__), str(error)]
print("SAID " + json.dumps(said))
"""

EXPECTED = {
    "info of a hidden repo": "RepositoryNotFoundError",
    "info of no repo": "RepositoryNotFoundError",
    "file of a hidden repo": "RepositoryNotFoundError",
    "file of a gated repo": "GatedRepoError",
    "access to a gated repo": "GatedRepoError",
    "access to a disabled repo": "DisabledRepoError",
    "no revision": "RevisionNotFoundError",
    "no folder": "EntryNotFoundError",
}


@pytest.fixture(scope="module")
def repos(server, alice, alice_token):
    """A hidden repo, a gated one and a disabled one."""
    api, tag = HfApi(endpoint=server.url, token=alice_token), secrets.token_hex(4)
    names = [f"{alice.username}/{kind}-{tag}" for kind in ("hidden", "gated", "disabled")]
    for name in names:
        api.create_repo(name, private="hidden" in name)
        api.upload_file(path_or_fileobj=b"x", path_in_repo="f.txt", repo_id=name)
    api.update_repo_settings(names[1], gated="manual")
    disabled = server.admin().native("GET", f"/repos/models/{names[2]}")["id"]
    server.admin().native("PATCH", f"/admin/repos/{disabled}", {"disabled": True, "reason": "a test"})
    return names


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_failures_are_told_apart(scheme, server, tls, repos, bob_token, tmp_path):
    url, certificate = tls
    home, wrong = tmp_path / "home", "hf_asl_" + "a" * 46
    trust = {"REQUESTS_CA_BUNDLE": str(certificate), "SSL_CERT_FILE": str(certificate)}
    settings = {"HF_ENDPOINT": url, **trust} if scheme == "https" else {}
    client = Client(server, bob_token, home, **settings)
    tokens = {"bob": bob_token, "nobody": False, "wrong": wrong}
    lines = client.run(ERRORS, json.dumps(tokens), *repos).splitlines()
    said = json.loads(next(line for line in lines if line.startswith("SAID ")).removeprefix("SAID "))
    for who in ("bob", "nobody"):
        for what, expected in EXPECTED.items():
            assert expected in said[f"{who}: {what}"], (who, what, said[f"{who}: {what}"])
    for what in EXPECTED:
        told = said[f"wrong: {what}"]
        assert "RepositoryNotFoundError" not in told and "GatedRepoError" not in told, (what, told)
        assert "401" in told[-1] or "LocalEntryNotFoundError" in told, (what, told)


def test_a_disabled_repo_can_be_looked_up_and_deleted(api, repos):
    name = repos[2]
    assert api.model_info(name).disabled is True
    with pytest.raises(DisabledRepoError):
        api.upload_file(path_or_fileobj=b"y", path_in_repo="y.txt", repo_id=name)
    api.delete_repo(name)
    assert not api.repo_exists(name)
