"""`load_dataset` and `push_to_hub` of the datasets library, with tables made here and real ones from packages."""

import secrets
import time

import pandas
import pyarrow
import pytest
from datasets import Dataset, load_dataset
from pyarrow import parquet
from sklearn.datasets import load_iris
from vega_datasets import data as vega


@pytest.fixture()
def dataset_repo(api, alice):
    name = f"{alice.username}/table-{secrets.token_hex(4)}"
    api.create_repo(name, repo_type="dataset", private=True)
    return name


@pytest.mark.row("loading with datasets", client="datasets")
def test_a_csv_and_a_parquet_repo(api, dataset_repo, alice_token, tmp_path):
    frame = pandas.DataFrame({"id": range(500), "text": [f"row {i} ü" for i in range(500)]})
    for suffix, write in (("csv", frame.to_csv), ("parquet", frame.to_parquet)):
        path = tmp_path / f"train.{suffix}"
        write(path, index=False)
        api.upload_file(
            path_or_fileobj=path, path_in_repo=f"{suffix}/train.{suffix}", repo_id=dataset_repo, repo_type="dataset"
        )
        loaded = load_dataset(
            dataset_repo, data_dir=suffix, split="train", token=alice_token, cache_dir=str(tmp_path / f"c-{suffix}")
        )
        assert loaded.num_rows == 500
        assert loaded[499] == {"id": 499, "text": "row 499 ü"}


@pytest.mark.row(
    "GET /{repo}/resolve/{rev}/{path}", "HEAD /{repo}/resolve/{rev}/{path}", "GET /api/{type}s/{repo}/tree/{rev}/{path}", client="datasets"
)
def test_real_tables(api, dataset_repo, alice_token, tmp_path):
    # Both in one format: datasets picks one builder for a whole repo.
    tables = {"cars": vega.cars(), "iris": load_iris(as_frame=True).frame}
    tables["cars"]["Year"] = tables["cars"]["Year"].astype(str)
    configs = "".join(f"- config_name: {name}\n  data_files: {name}.parquet\n" for name in tables)
    (tmp_path / "README.md").write_text(f"---\nconfigs:\n{configs}---\n# Two tables\n")
    for name, table in tables.items():
        table.to_parquet(tmp_path / f"{name}.parquet", index=False)
    api.upload_folder(
        repo_id=dataset_repo, repo_type="dataset", folder_path=tmp_path, allow_patterns=["*.parquet", "*.md"]
    )
    options = {"split": "train", "token": alice_token, "cache_dir": str(tmp_path / "cache")}
    for name, table in tables.items():
        pandas.testing.assert_frame_equal(load_dataset(dataset_repo, name, **options).to_pandas(), table, check_dtype=False)


@pytest.mark.row(
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "GET /{repo}/resolve/{rev}/{path} · Range",
    client="datasets",
)
def test_push_to_hub_and_stream(alice, alice_token, tmp_path):
    dataset_repo = f"{alice.username}/pushed-{secrets.token_hex(4)}"
    made = Dataset.from_dict({"n": list(range(1000)), "sq": [i * i for i in range(1000)]})
    made.push_to_hub(dataset_repo, private=True, token=alice_token)
    streamed = load_dataset(dataset_repo, split="train", streaming=True, token=alice_token)
    assert [row["sq"] for row in streamed.take(5)] == [0, 1, 4, 9, 16]
    loaded = load_dataset(dataset_repo, split="train", token=alice_token, cache_dir=str(tmp_path))
    assert loaded["sq"][-1] == 999 * 999


def tags_of(api, repo, until):
    """The tags once the server has read the files."""
    deadline = time.monotonic() + 60
    while True:
        tags = api.dataset_info(repo).tags
        if until in tags:
            return tags
        assert time.monotonic() < deadline, tags
        time.sleep(0.1)


@pytest.mark.row("GET /api/datasets", "GET /api/datasets/{repo}")
def test_optimized_parquet_is_a_format(api, dataset_repo, tmp_path):
    """As the public hub: by the mark that `datasets` writes, else by the sizes of pages, as pyarrow makes them."""
    rows = [{"text": secrets.token_hex(8) * (1 + i % 9)} for i in range(1500)]
    table = pyarrow.Table.from_pylist(rows)
    cut = {"min_chunk_size": 4096, "max_chunk_size": 16384}
    Dataset.from_list(rows[:50]).to_parquet(tmp_path / "marked.parquet")
    Dataset.from_list(rows[:50]).to_parquet(tmp_path / "unmarked.parquet", use_content_defined_chunking=False)
    options = {"use_dictionary": False, "write_page_index": True}
    parquet.write_table(table, tmp_path / "cut.parquet", use_content_defined_chunking=cut, **options)
    parquet.write_table(table, tmp_path / "whole.parquet", **options)
    expected = {"marked": True, "unmarked": False, "cut": True, "whole": False}
    for name, is_optimized in expected.items():
        repo = f"{dataset_repo}-{name}"
        api.create_repo(repo, repo_type="dataset")
        api.upload_file(
            path_or_fileobj=tmp_path / f"{name}.parquet",
            path_in_repo="train.parquet",
            repo_id=repo,
            repo_type="dataset",
        )
        tags = tags_of(api, repo, until="format:parquet")
        assert ("format:optimized-parquet" in tags) == is_optimized, name
        found = {dataset.id for dataset in api.list_datasets(filter="format:optimized-parquet", author=repo.split("/")[0])}
        assert (repo in found) == is_optimized, name
