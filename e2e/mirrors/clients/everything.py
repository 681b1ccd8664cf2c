"""Reads a model by every call of the library that reads; prints what came, as JSON. Arguments: repo, cache folder.

The repo has a large file `weights/model.bin` of more than 1 MiB.
"""

import hashlib
import json
import os
import sys

from huggingface_hub import HfApi, HfFileSystem, hf_hub_download, snapshot_download

repo, cache = sys.argv[1:3]


def sha256_of(path: str) -> str:
    return hashlib.sha256(open(path, "rb").read()).hexdigest()


def files_of(folder: str) -> dict[str, str]:
    paths = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
    return {os.path.relpath(path, folder): sha256_of(path) for path in sorted(paths)}


found = {}
if os.environ.get("HF_HUB_OFFLINE") != "1":
    api = HfApi()
    info = api.model_info(repo, files_metadata=True)
    found["sha"] = info.sha
    found["lfs"] = {each.rfilename: each.lfs.sha256 for each in info.siblings if each.lfs}
    tree = api.list_repo_tree(repo, recursive=True)
    found["tree"] = {each.path: getattr(each, "blob_id", None) for each in tree}
    [one] = api.get_paths_info(repo, ["weights/model.bin"])
    found["paths"] = one.lfs.sha256
    fs = HfFileSystem()
    found["ls"] = sorted(each["name"].removeprefix(f"{repo}/") for each in fs.ls(f"{repo}/weights", detail=True))
    with fs.open(f"{repo}/weights/model.bin", "rb", block_size=2**16) as file:
        file.seek(2**20)
        found["range"] = file.read(100).hex()
found["one"] = sha256_of(hf_hub_download(repo, "weights/model.bin", cache_dir=cache))
folder = snapshot_download(repo, cache_dir=cache)
found["commit"] = os.path.basename(folder)
found["files"] = files_of(folder)
print(json.dumps(found))
