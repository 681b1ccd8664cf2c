"""Files of each kind that `load_dataset` knows, in a public repo: loaded whole and streamed without a token."""

import pytest
from datasets import get_dataset_config_names, get_dataset_split_names, load_dataset
from files import ROWS, WRITERS, picture, write_csv
from huggingface_hub import HfApi

TREE = "GET /api/{type}s/{repo}/tree/{rev}/{path}"
RANGE = "GET /{repo}/resolve/{rev}/{path} · Range"


@pytest.fixture()
def upload(publisher):
    """Makes a repo of the files in a folder."""

    def make(folder):
        name = publisher.new_name("files")
        api = HfApi()
        api.create_repo(name, repo_type="dataset")
        api.upload_folder(repo_id=name, repo_type="dataset", folder_path=folder)
        return name

    return make


@pytest.fixture()
def folder(tmp_path):
    (tmp_path / "files").mkdir()
    return tmp_path / "files"


def rows(dataset, wanted):
    """Of the columns that are wanted: loaders add some of their own."""
    return [{name: picture(row[name]) for name in wanted[0]} for row in dataset]


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.row("loading with datasets", TREE, client="datasets")
def test_a_folder_of_files(upload, publisher, folder, kind):
    wanted = WRITERS[kind](folder)
    name = upload(folder)
    hub = publisher.sign_out()
    assert not hub.dataset_info(name).private
    assert rows(load_dataset(name, split="train"), wanted) == wanted
    assert rows(load_dataset(name, split="train", streaming=True), wanted) == wanted


@pytest.mark.row("loading with datasets", TREE, RANGE, client="datasets")
def test_configs_of_a_card(upload, publisher, folder):
    # In one format: the library takes one loader for a whole repo.
    for config in ("all", "halves"):
        (folder / config).mkdir()
        write_csv(folder / config)
    (folder / "README.md").write_text(
        "---\npretty_name: Two\nconfigs:\n"
        "- config_name: all\n  default: true\n  data_files: all/*.csv\n"
        "- config_name: halves\n  data_files:\n  - {split: train, path: halves/train.csv}\n"
        "  - {split: held, path: halves/test.csv}\n---\n"
    )
    name = upload(folder)
    publisher.sign_out()
    assert get_dataset_config_names(name) == ["all", "halves"]
    assert get_dataset_split_names(name, "halves") == ["train", "held"]
    assert list(load_dataset(name, split="train")) == ROWS + ROWS
    assert list(load_dataset(name, split="train[10:20]")) == ROWS[10:20]
    assert list(load_dataset(name, "halves", split="held", streaming=True).skip(45)) == ROWS[45:]


def test_addresses_of_files(upload, publisher, folder):
    write_csv(folder)
    name = upload(folder)
    publisher.sign_out()
    at = f"hf://datasets/{name}/train.csv"
    assert list(load_dataset("csv", data_files=at, split="train")) == ROWS
    assert list(load_dataset(name, data_files="test.csv", split="train", revision="main")) == ROWS
    url = f"{publisher.server.url}/datasets/{name}/resolve/main/train.csv"
    assert list(load_dataset("csv", data_files=url, split="train", streaming=True)) == ROWS
