# libgit2 by pygit2: clone <url> <folder> | fetch <folder> | push <folder> <files>; says the commit it then has.
import os
import sys
from pathlib import Path

import pygit2

verb, *args = sys.argv[1:]
person = pygit2.Signature("Ada", "ada@example.org")


class Callbacks(pygit2.RemoteCallbacks):
    def push_update_reference(self, refname, message):
        if message is not None:
            raise RuntimeError(f"{refname}: {message}")


account = pygit2.UserPass(os.environ["CLIENT_USER"], os.environ["CLIENT_TOKEN"])
callbacks = Callbacks(credentials=account)


def clone(url, folder):
    return pygit2.clone_repository(url, folder, callbacks=callbacks).head.target


def fetch(folder):
    repo = pygit2.Repository(folder)
    repo.remotes["origin"].fetch(callbacks=callbacks)
    return repo.references["refs/remotes/origin/main"].target


def push(folder, count):
    repo = pygit2.Repository(folder)
    for i in range(int(count)):
        path = f"by-libgit2/{count}/{i % 20}/{i}.txt"
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{path}\n")
        repo.index.add(path)
    repo.index.write()
    made = repo.create_commit(
        "refs/heads/main", person, person, f"{count} files", repo.index.write_tree(), [repo.head.target]
    )
    repo.remotes["origin"].push(["refs/heads/main"], callbacks=callbacks)
    return made


print({"clone": clone, "fetch": fetch, "push": push}[verb](*args))
