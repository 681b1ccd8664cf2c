"""The oldest `datasets` that is supported loads each kind of files that it knows, by the name of the repo and of the builder."""

import json
import os
import pathlib
import subprocess

import pytest
from files import WRITERS, write
from huggingface_hub import HfApi
from test_sounds import SOUNDS

PYTHON = os.environ["ARSENAL_OLDEST_DATASETS"]
LOADER = pathlib.Path(__file__).with_name("oldest_loader.py")


def write_audiofolder(folder):
    write(folder, {f"train/{i}.wav": sound for i, sound in enumerate(SOUNDS)})
    return [{"audio": sound} for sound in SOUNDS]


# Version 2.15 knows no WebDataset yet, and refuses none of the others.
KINDS = {**{kind: make for kind, make in WRITERS.items() if kind != "webdataset"}, "audiofolder": write_audiofolder}
# Builders that take files by their addresses.
BY_ADDRESS = {"arrow": "train.arrow", "csv": "train.csv", "json": "data/train.json", "parquet": "train.parquet", "text": "train.txt"}
EXPORT = "export"


@pytest.fixture(scope="module")
def loaded(server, alice, alice_token, converted, tmp_path_factory):
    """What the library answered of each, by one process; and the rows that it should."""
    api = HfApi(endpoint=server.url, token=alice_token)
    orders, wanted = {}, {}
    for kind, make in KINDS.items():
        folder = tmp_path_factory.mktemp(kind)
        wanted[kind] = make(folder)
        repo = f"{alice.username}/oldest-{kind}"
        api.create_repo(repo, repo_type="dataset", private=True)
        api.upload_folder(repo_id=repo, repo_type="dataset", folder_path=folder)
        orders[kind] = (repo, {})
        if kind in BY_ADDRESS:
            orders[f"{kind} by address"] = (kind, {"data_files": f"hf://datasets/{repo}/{BY_ADDRESS[kind]}"})
            wanted[f"{kind} by address"] = wanted[kind]
    repo, _ = converted({"train.csv": "id,text\n1,a ü\n2,\n"})
    orders[EXPORT] = (repo, {"revision": "refs/convert/parquet"})
    wanted[EXPORT] = [{"id": 1, "text": "a ü"}, {"id": 2, "text": None}]
    env = {**os.environ, "HF_TOKEN": alice_token, "HF_HOME": str(tmp_path_factory.mktemp("home"))}
    run = subprocess.run([PYTHON, LOADER], input=json.dumps(orders), env=env, text=True, stdout=subprocess.PIPE, check=True, timeout=180)
    found = json.loads(run.stdout.splitlines()[-1])
    assert found["version"] == "2.15.0"
    return found["answers"], wanted


def plain(value):
    return value.hex() if isinstance(value, bytes) else value


@pytest.mark.parametrize("how", ["whole", "streamed"])
@pytest.mark.parametrize("name", [*KINDS, *(f"{kind} by address" for kind in BY_ADDRESS), EXPORT])
def test_rows_are_those_of_the_files(loaded, name, how):
    answers, wanted = loaded
    assert answers[name][how] == {"rows": [{column: plain(cell) for column, cell in row.items()} for row in wanted[name]]}
