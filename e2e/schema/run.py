"""Schemathesis over the server's OpenAPI document, as each kind of caller: no 5xx, no undocumented status, no answer that
breaks its schema. `run.py <report folder>`; SCHEMATHESIS_EXAMPLES says how many requests an operation gets per caller, and
SCHEMATHESIS_PHASES how they are made up: at random (`fuzzing`), or one for each bound of each parameter (`coverage`).
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compat" / "python"))

from server import BASE, Person, Server  # noqa: E402

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
#: What takes away what the others are tried on, a caller's own token as well: tried last.
FINAL = (
    "deleteRepo",
    "renameRepo",
    "transferRepo",
    "deleteOrg",
    "deleteCollection",
    "deleteWebhook",
    "updateRepoAsAdmin",
    "revokeToken",
)
#: What `{id}` names, by address.
KINDS_OF_IDS = {
    "comment": "/comments/",
    "item": "/items/",
    "job": "^/(jobs|exports)/",
    "upload": "/uploads/",
    "account": "^/admin/users/",
    "invite": "^/admin/invites/",
    "passkey": "^/me/passkeys/",
    "session": "^/me/sessions/",
    "token": "^/me/tokens/",
}
#: `oidc.providers` of the server: nothing answers there, since only its name is asked for.
PROVIDER = {"id": "corp", "name": "Corp", "issuer": "http://127.0.0.1:9", "client_id": "arsenal"}
#: A stream that ends with its job, not with its answer.
ENDLESS = ("watchJob",)


def seed(server: Server) -> tuple[dict[str, Person], dict[str, list]]:
    """People, and values that name what there is."""
    people = {name: server.new_person(f"{name}-schema") for name in ("reader", "writer", "other")}
    people["admin"] = server.admin()
    writer = people["writer"]
    ns, org = writer.username, "acme-schema"
    writer.native("POST", "/orgs", {"ns": org, "display_name": "Acme"})
    writer.native("PUT", f"/orgs/{org}/members/{people['reader'].username}", {"role": "read"})
    shas: list[str] = []
    ids: dict[str, list] = {name: [] for name in KINDS_OF_IDS}
    for kind in ("model", "dataset"):
        repo = f"/repos/{kind}s/{ns}/tiny"
        writer.native("POST", "/repos", {"type": kind, "ns": ns, "name": "tiny", "visibility": "public"})
        add = {"op": "add", "path": "docs/a b.txt", "text": "alpha\n"}
        done = writer.native("POST", f"{repo}/commits", {"title": "Add", "operations": [add]})
        shas.append(done["commit"])
        for title in ("First", "Second"):
            opened = writer.native("POST", f"{repo}/discussions", {"title": title, "body": "Hm."})
            ids["comment"].append(writer.native("GET", f"{repo}/discussions/{opened['num']}")["events"][0]["id"])
        edit = {"op": "add", "path": "docs/new.txt", "text": "new\n"}
        pull = {"title": "Propose", "operations": [edit], "create_pull_request": True}
        writer.native("POST", f"{repo}/commits", pull)
        writer.native("POST", f"{repo}/tags", {"name": "v1"})
        ids["job"].append(writer.native("POST", f"{repo}/zip?rev=main")["id"])
    file = {"path": "w.bin", "size": 20_000_000, "sha256": "0" * 64}
    [planned] = writer.native("POST", f"/repos/models/{ns}/tiny/uploads", {"files": [file]})["files"]
    ids["upload"].append(planned["upload"]["id"])
    collection = writer.native("POST", "/collections", {"ns": ns, "title": "Fine things"})
    held = {"item": {"type": "model", "ns": ns, "name": "tiny"}}
    added = writer.native("POST", f"/collections/{ns}/{collection['slug']}/items", held)
    ids["item"].append(added["items"][0]["id"])
    spare = seed_people(server, people, ids)
    values: dict[str, list] = {
        **spare,
        "type": ["models", "datasets"],
        "ns": [ns, ns, ns, org],
        "name": ["tiny"],
        "user": [people["reader"].username, ns],
        "sha": shas,
        "rev": ["main", "v1", "refs/pr/3", *shas],
        "branch": ["main", "side"],
        "tag": ["v1"],
        "path": ["docs", "docs/a b.txt"],
        "num": [1, 2, 3],
        "slug": [collection["slug"]],
        **ids,
    }
    return people, values


def seed_people(server: Server, people: dict[str, Person], ids: dict[str, list]) -> dict[str, list]:
    """Accounts that admins may disable, since no caller is one of them, invites, and what the writer signs in with."""
    admin, writer = people["admin"], people["writer"]
    values: dict[str, list] = {"token_id": [], "secret": [], "provider": [PROVIDER["id"]], "email": []}
    for name in ("spare", "former"):
        spare = server.new_person(f"{name}-schema")
        address = f"{name}@example.org"
        spare.native("PATCH", "/me", {"email": address})
        spare.token("laptop")
        [listed] = spare.native("GET", "/me/tokens")["items"]
        ids["account"].append(spare.native("GET", "/me")["id"])
        values["token_id"].append(listed["id"])
        values["email"].append(address)
        invite = admin.native("POST", "/admin/invites", {"note": name})
        values["secret"].append(invite["url"].rsplit("/", 1)[-1])
    ids["invite"] += [each["id"] for each in admin.native("GET", "/admin/invites")["items"]]
    writer.token("spare")
    ids["token"] += [each["id"] for each in writer.native("GET", "/me/tokens")["items"]]
    ids["session"] += [each["id"] for each in writer.native("GET", "/me/sessions")["items"]]
    ids["passkey"].append(str(uuid.uuid4()))
    user, now = writer.native("GET", "/me")["id"], int(time.time() * 1000)
    # No authenticator and no provider takes part here: what they would leave is written as rows.
    with contextlib.closing(sqlite3.connect(server.dir / "service.db", timeout=30)) as database, database:
        passkey = (ids["passkey"][0], user, "Laptop", "AAAA", "AAAA", 0, "[]", now)
        columns = "id, user_id, name, credential_id, public_key, counter, transports, created_at"
        database.execute(f"INSERT INTO passkeys ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", passkey)
        identity = (str(uuid.uuid4()), user, PROVIDER["id"], "subject", "writer", now, now)
        columns = "id, user_id, provider, subject, name, created_at, last_used_at"
        database.execute(f"INSERT INTO identities ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", identity)
    assert len(writer.native("GET", "/me/passkeys")["items"]) == 1
    assert [each["provider"] for each in writer.native("GET", "/me")["identities"]] == [PROVIDER["id"]]
    return values


def unreached(server: Server, values: dict[str, list]) -> list[str]:
    """Kinds of ids that no request named with success; passkeys and identities are for sessions, which no caller has."""
    done = [each for each in server.requests() if each["status"] < 400]
    kinds = ("account", "invite", "session", "token", "token_id")
    missed = [kind for kind in kinds if not any(known in each["path"] for known in values[kind] for each in done)]
    # The log does not have the secrets of links.
    return missed if any(each["route"].endswith("/links/:secret") for each in done) else [*missed, "secret"]


def settings(values: dict[str, list]) -> str:
    """Parameters name what there is, mostly; else nearly every request would only be not found."""
    lines = []
    for name, known in values.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(known)}"]
    usual = [name for name in values if name not in KINDS_OF_IDS and name != "email"]
    lines += ["[parameters]", *(binding(f"path.{name}", name) for name in usual)]
    lines += [binding(f"body.{name}", name) for name in ("ns", "name")]
    lines += ["[[operations]]", 'include-operation-id = "createEmailLink"', "[operations.parameters]"]
    lines += [binding("path.id", "account"), binding("body.email", "email")]
    for name, path in KINDS_OF_IDS.items():
        lines += ["[[operations]]", f"include-path-regex = {json.dumps(path)}", "[operations.parameters]"]
        lines += [binding(f"path.{other}", other) for other in usual]
        lines.append(binding("path.id", name))
    return "\n".join(lines) + "\n"


def binding(parameter: str, dictionary: str) -> str:
    return f'"{parameter}" = {{ dictionary = "{dictionary}", probability = 0.85 }}'


def run(server: Server, caller: str, token: str | None, config: pathlib.Path, report: pathlib.Path, chosen: list[str]) -> int:
    command = [
        str(pathlib.Path(sys.executable).parent / "st"),
        "--config-file",
        str(config),
        "run",
        f"{server.url}{BASE}/openapi.json",
        "--url",
        f"{server.url}{BASE}",
        f"--phases={os.environ.get('SCHEMATHESIS_PHASES', 'fuzzing')}",
        "--mode=all",
        f"--max-examples={os.environ.get('SCHEMATHESIS_EXAMPLES', '3')}",
        f"--checks={','.join(CHECKS)}",
        "--seed=7",
        # Python 3.11 loses count of its depth when two threads parse at once; so callers run side by side instead.
        "--workers=1",
        "--no-shrink",
        "--continue-on-failure",
        "--generation-database=none",
        "--suppress-health-check=all",
        "--warnings=off",
        "--request-timeout=30",
        "--report=junit",
        f"--report-junit-path={report / f'schemathesis-{caller}.xml'}",
        *chosen,
    ]
    if token:
        command.append(f"--header=Authorization: Bearer {token}")
    done = subprocess.run(command, cwd=config.parent, check=False, capture_output=True, text=True)
    print(f"\n── as {caller} ──\n{done.stdout}{done.stderr}", flush=True)
    return done.returncode


def main() -> int:
    report = pathlib.Path(sys.argv[1]).resolve()
    report.mkdir(parents=True, exist_ok=True)
    server = Server(**{"oidc.providers": json.dumps([PROVIDER])})
    try:
        people, values = seed(server)
        config = pathlib.Path(tempfile.mkdtemp(prefix="arsenal-schema-")) / "schemathesis.toml"
        config.write_text(settings(values))
        scopes = {"reader": ("read",), "writer": ("write",), "other": ("write",), "admin": ("admin",)}
        tokens = {name: person.token("schema", scopes[name]) for name, person in people.items()}
        most = [f"--exclude-operation-id={name}" for name in (*FINAL, *ENDLESS)]
        runs = [(caller, tokens.get(caller), most) for caller in ("anonymous", "reader", "other", "writer", "admin")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            statuses = list(pool.map(lambda each: run(server, each[0], each[1], config, report, each[2]), runs))
        final = [f"--include-operation-id={name}" for name in FINAL]
        statuses.append(run(server, "the-end", tokens["writer"], config, report, final))
        if missed := unreached(server, values):
            raise RuntimeError(f"no request succeeded with an id of: {', '.join(missed)}")
    finally:
        server.stop()
    if any(statuses):
        return 1
    shutil.rmtree(server.dir)
    return 0


if __name__ == "__main__":
    sys.exit(main())
