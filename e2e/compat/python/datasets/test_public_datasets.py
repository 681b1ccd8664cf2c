"""`push_to_hub` of tables and pictures by code that names no token and no visibility; anyone loads them."""

import datetime

import datasets
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, IterableDataset, List, Value, load_dataset
from files import picture, png
from huggingface_hub import DatasetCard, HfApi

ROWS = (
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "loading with datasets",
    "GET /{repo}/resolve/{rev}/{path}",
    "GET /{repo}/resolve/{rev}/{path} · Range",
)
FEATURES = Features(
    {
        "text": Value("string"),
        "label": ClassLabel(names=["no", "yes"]),
        "scores": List(Value("float32")),
        "at": Value("timestamp[s]"),
    }
)


def table(size):
    rows = [
        {"text": f"row {i} ü", "label": i % 2, "scores": [i / 2] * (i % 3), "at": datetime.datetime(2026, 1, 1 + i % 20)}
        for i in range(size)
    ]
    return Dataset.from_list(rows, features=FEATURES)


@pytest.mark.row(*ROWS, client="datasets")
def test_splits_and_configs(publisher):
    name = publisher.new_name("configs")
    made = DatasetDict(train=table(60), test=table(7))
    made.push_to_hub(name)
    more = DatasetDict(train=table(3))
    more.push_to_hub(name, config_name="small", commit_message="A small one")

    hub = publisher.sign_out()
    assert not hub.dataset_info(name).private
    assert datasets.get_dataset_config_names(name) == ["default", "small"]
    assert datasets.get_dataset_split_names(name) == ["train", "test"]
    back = load_dataset(name)
    assert back["train"].features == FEATURES
    assert {split: list(back[split]) for split in back} == {split: list(made[split]) for split in made}
    assert list(load_dataset(name, "small", split="train")) == list(more["train"])
    streamed = load_dataset(name, split="test", streaming=True)
    assert streamed.features == FEATURES
    assert list(streamed) == list(made["test"])
    card = DatasetCard.load(name)
    assert [each["config_name"] for each in card.data.configs] == ["default", "small"]
    assert card.data.dataset_info[0]["splits"][0]["num_examples"] == 60
    assert "A small one" in [commit.title for commit in hub.list_repo_commits(name, repo_type="dataset")]


def test_fewer_files_take_the_place_of_more(publisher):
    name = publisher.new_name("shards")
    table(50).push_to_hub(name, num_shards=5)
    assert len(parquet_files(name)) == 5
    table(20).push_to_hub(name, num_shards=2)

    publisher.sign_out()
    assert parquet_files(name) == [f"data/train-0000{i}-of-00002.parquet" for i in range(2)]
    assert list(load_dataset(name, split="train")) == list(table(20))


def test_branches_and_pull_requests(publisher):
    name = publisher.new_name("changes")
    table(4).push_to_hub(name)
    table(5).push_to_hub(name, revision="next")
    table(6).push_to_hub(name, create_pr=True)

    publisher.sign_out()
    sizes = {at: load_dataset(name, split="train", revision=at).num_rows for at in ("main", "next", "refs/pr/1")}
    assert sizes == {"main": 4, "next": 5, "refs/pr/1": 6}


def test_rows_that_are_made_on_the_way(publisher):
    name = publisher.new_name("iterable")
    made = IterableDataset.from_generator(lambda: ({"n": i} for i in range(30)))
    made.push_to_hub(name)
    publisher.sign_out()
    assert load_dataset(name, split="train")["n"] == list(range(30))


@pytest.mark.row(*ROWS, client="datasets")
def test_pictures(publisher, tmp_path):
    name = publisher.new_name("pictures")
    (tmp_path / "last.png").write_bytes(png(3))
    kept = [{"bytes": png(i), "path": None} for i in range(3)] + [{"bytes": None, "path": str(tmp_path / "last.png")}]
    made = Dataset.from_dict({"picture": kept, "n": [0, 1, 2, 3]}).cast_column("picture", datasets.Image())
    made.push_to_hub(name)

    publisher.sign_out()
    for back in (load_dataset(name, split="train"), load_dataset(name, split="train", streaming=True)):
        assert back.features == made.features
        assert [picture(row["picture"]) for row in back] == [png(i) for i in range(4)]


def parquet_files(name):
    found = HfApi().list_repo_files(name, repo_type="dataset")
    return sorted(path for path in found if path.endswith(".parquet"))
