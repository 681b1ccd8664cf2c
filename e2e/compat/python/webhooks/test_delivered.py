"""What webhooks are sent, received by the library's own server; one environment has its dependencies."""

import asyncio
import http.server
import queue
import subprocess
import threading

import fastapi
import huggingface_hub
import pytest
import uvicorn
from huggingface_hub import CommitOperationAdd
from server import Server, free_port

SECRET = "open sesame, said Ali"


class Ui:
    """Stands where the server wants a page of gradio: FastAPI alone, on a port of its own."""

    share_url = None

    def __init__(self):
        self.port = free_port()
        self.local_url = f"http://127.0.0.1:{self.port}"

    def launch(self, **_):
        app = fastapi.FastAPI()
        self.server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=self.port, log_level="error"))
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve()), daemon=True)
        return app, self.local_url, None


@pytest.fixture()
def receiver():
    """The client's own WebhooksServer, and the payloads it has parsed."""
    told = queue.Queue()
    ui = Ui()
    hooks = huggingface_hub.WebhooksServer(ui=ui, webhook_secret=SECRET)

    async def tell(payload: huggingface_hub.WebhookPayload):
        told.put(payload)

    hooks.add_webhook("/told")(tell)
    hooks.launch(prevent_thread_lock=True)
    ui.thread.start()
    yield ui.local_url + "/webhooks/told", told
    ui.server.should_exit = True
    ui.thread.join(timeout=30)


def test_the_clients_own_server_receives_and_parses(server, api, alice, alice_token, repo_id, receiver, tmp_path):
    url, told = receiver
    webhook = api.create_webhook(
        url=url, watched=[{"type": "model", "name": repo_id}], domains=["repo", "discussions"], secret=SECRET
    )

    def next_of(scope):
        """The next payload about `scope`; those of one change come in any order."""
        passed = []
        while True:
            payload = told.get(timeout=60)
            if payload.event.scope == scope:
                for other in passed:
                    told.put(other)
                return payload
            passed.append(payload)

    made = api.upload_file(path_or_fileobj=b"one", path_in_repo="a.txt", repo_id=repo_id)
    payload = next_of("repo.content")
    assert (payload.event.action, payload.repo.name, payload.repo.type, payload.repo.private) == (
        "update",
        repo_id,
        "model",
        True,
    )
    assert (payload.webhook.id, payload.webhook.version) == (webhook.id, 3)
    assert len(payload.repo.id) == 24
    assert payload.repo.url.web == f"{server.url}/{repo_id}"
    assert [(ref.ref, ref.newSha) for ref in payload.updatedRefs] == [("refs/heads/main", made.oid)]

    remote = f"http://{alice.username}:{alice_token}@127.0.0.1:{server.port}/{repo_id}"

    def git(*arguments):
        done = subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    git("clone", "-q", remote, ".")
    (tmp_path / "b.txt").write_text("two")
    git("add", "b.txt")
    git("commit", "-qm", "two")
    git("tag", "v1")
    git("push", "-q", "origin", "main", "v1")
    head = git("rev-parse", "HEAD")
    pushed = {ref.ref: (ref.oldSha, ref.newSha) for ref in next_of("repo.content").updatedRefs}
    assert pushed == {"refs/heads/main": (made.oid, head), "refs/tags/v1": (None, head)}

    opened = api.create_commit(
        repo_id,
        [CommitOperationAdd("c.txt", b"three")],
        commit_message="Three",
        create_pr=True,
    )
    discussion = next_of("discussion")
    assert (discussion.event.action, discussion.discussion.num, discussion.discussion.isPullRequest) == (
        "create",
        opened.pr_num,
        True,
    )
    assert (discussion.discussion.status, discussion.discussion.changes.base) == ("open", "refs/heads/main")
    said = api.comment_discussion(repo_id, opened.pr_num, "Fine.")
    comment = next_of("discussion.comment").comment
    assert (comment.content, comment.hidden, comment.id) == ("Fine.", False, said.id)
    api.merge_pull_request(repo_id, opened.pr_num)
    merged = next_of("discussion").discussion
    assert merged.status == "merged"
    assert merged.changes.mergeCommitId == api.model_info(repo_id).sha
    name = f"{alice.username}/moved-{repo_id[-8:]}"
    api.move_repo(repo_id, name)
    moved = next_of("repo")
    assert (moved.event.action, moved.repo.name, moved.movedTo.name) == ("move", repo_id, name)
    api.delete_repo(name)
    assert next_of("repo").event.action == "delete"


def test_a_message_survives_kill_9_and_keeps_its_id():
    told = queue.Queue()
    restarted = threading.Event()

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            told.put(self.headers["webhook-id"])
            restarted.wait(60)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    server = Server(**{"jobs.lease": "2s"})
    try:
        person = server.new_person("ada")
        url = f"http://127.0.0.1:{receiver.server_port}/"
        webhook = person.native("POST", "/webhooks", {"url": url, "watched": [{"ns": "ada"}], "events": ["repo"]})
        person.native("POST", "/repos", {"type": "model", "ns": "ada", "name": "told"})
        first = told.get(timeout=60)
        server.kill()
        server.start()
        restarted.set()
        assert told.get(timeout=60) == first
        deliveries = person.native("GET", f"/webhooks/{webhook['id']}/deliveries")
        assert [delivery["id"] for delivery in deliveries["items"]] == [first]
    finally:
        server.stop()
        receiver.shutdown()
