"""Schemathesis over the server's OpenAPI document, as each kind of caller: no 5xx, no undocumented status, no answer that
breaks its schema. `run.py <report folder>`; SCHEMATHESIS_EXAMPLES says how many requests an operation gets per caller, and
SCHEMATHESIS_PHASES how they are made up: at random (`fuzzing`), or one for each bound of each parameter (`coverage`).
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

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
KINDS_OF_IDS = {"comment": "/comments/", "item": "/items/", "job": "^/(jobs|exports)/", "upload": "/uploads/"}
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
    values: dict[str, list] = {
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


def settings(values: dict[str, list]) -> str:
    """Parameters name what there is, mostly; else nearly every request would only be not found."""
    lines = []
    for name, known in values.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(known)}"]
    usual = [name for name in values if name not in KINDS_OF_IDS]
    lines += ["[parameters]", *(binding(f"path.{name}", name) for name in usual)]
    lines += [binding(f"body.{name}", name) for name in ("ns", "name")]
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
    server = Server()
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
    finally:
        server.stop()
    if any(statuses):
        return 1
    shutil.rmtree(server.dir)
    return 0


if __name__ == "__main__":
    sys.exit(main())
