# dulwich: clone <url> <folder> | fetch <folder> | push <folder> <files>; says the commit it then has.
import os
import sys
from pathlib import Path

from dulwich import porcelain
from dulwich.repo import Repo

verb, *args = sys.argv[1:]
person = b"Ada <ada@example.org>"
account = {"username": os.environ["CLIENT_USER"], "password": os.environ["CLIENT_TOKEN"]}
quiet = {"errstream": porcelain.NoneStream()}


def clone(url, folder):
    return porcelain.clone(url, folder, **account, **quiet).head()


def fetch(folder):
    repo = Repo(folder)
    porcelain.fetch(repo, "origin", **account, **quiet)
    return repo.refs[b"refs/remotes/origin/main"]


def push(folder, count):
    repo = Repo(folder)
    paths = [f"by-dulwich/{count}/{i % 20}/{i}.txt" for i in range(int(count))]
    for path in paths:
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{path}\n")
    porcelain.add(repo, [str(Path(folder, path)) for path in paths])
    sha = porcelain.commit(repo, message=f"{count} files".encode(), author=person, committer=person)
    porcelain.push(repo, "origin", "refs/heads/main", **account, outstream=porcelain.NoneStream(), **quiet)
    return sha


print({"clone": clone, "fetch": fetch, "push": push}[verb](*args).decode())
