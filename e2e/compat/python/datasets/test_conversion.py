"""The Parquet export of datasets: what it says must be what the library itself finds in the same files."""

import gzip
import io

import pandas
import pyarrow
import pyarrow.parquet
import pytest
import requests
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value, load_dataset
from huggingface_hub import HfFileSystem
from huggingface_hub.errors import HfHubHTTPError


def parquet(table: dict) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(table), out)
    return out.getvalue()


CASES = {
    "csv-types": {"data.csv": "i,f,b,d,s,n\n1,1.5,true,2020-01-01,a,\n2,2,False,2021-01-01,\"b, c\",\n"},
    "csv-gaps": {"data.csv": "i,b,s\n1,true,x\n,,NA\n3,FALSE,null\n"},
    "csv-large": {"data.csv": "u,n\n18446744073709551615,1e400\n1,inf\n"},
    "csv-lines": {"data.csv": 'a,b\n1,"x\ny"\n\n2,"say ""hi"""\n3\n'},
    "csv-names": {"data.csv": ",a,a,a.1\n1,2,3,4\n"},
    "csv-splits": {"train.csv": "a,b\n1,x\n", "test.csv": "b,a\ny,2\nz,3\n"},
    "csv-bom": {"data.csv": "\ufeffa,b\n1,ü\n"},
    "csv-gzip": {"data.csv.gz": gzip.compress(b"a,b\n1,2\n3,4\n")},
    "tsv": {"data.tsv": "a\tb\n1\tx y\n"},
    "csv-sep": {
        "README.md": "---\nconfigs:\n- config_name: main\n  data_files: a.csv\n  sep: ';'\n---\n",
        "a.csv": "a;b\n1;2\n",
    },
    "json-types": {"data.jsonl": '{"i": 1, "f": 1.0, "s": "x", "b": true, "n": null, "t": "2020-01-01T10:00:00Z"}\n'},
    "json-numbers": {"data.jsonl": '{"a": 1, "b": 9223372036854775808}\n{"a": 2.5, "b": 1}\n'},
    "json-nested": {"data.jsonl": '{"o": {"x": 1, "y": ["a", null]}, "l": [[1], []], "e": []}\n' * 3},
    "json-mixed": {"data.jsonl": '{"a": 1, "o": {"x": 1}}\n{"a": "s", "o": {"y": 2}}\n{"a": true, "o": null}\n'},
    "json-missing": {"data.jsonl": '{"a": 1}\n{"b": "x"}\n{}\n'},
    "json-dates": {"data.jsonl": '{"d": "2020-01-01", "x": "2020-02-30", "f": "2020-01-01T00:00:00.5"}\n'},
    "json-list": {"data.json": '[{"a": 1, "l": [{"x": 1}, {"y": 2}]},\n {"a": 2, "l": []}]'},
    "json-texts": {"data.json": '["x", "y", "z"]'},
    "json-unicode": {"data.jsonl": '{"a": "\\u00fc \\ud83d\\ude00", "é": 1}\n'},
    "text": {"data.txt": "one\n\n three \r\nfour, \"x\n"},
    "text-paragraphs": {
        "README.md": "---\nconfigs:\n- config_name: default\n  data_files: a.txt\n  sample_by: paragraph\n---\n",
        "a.txt": "one\ntwo\n\n\n\nthree\r\n\r\nfour\n",
    },
    "text-documents": {
        "README.md": "---\nconfigs:\n- config_name: default\n  data_files: '*.txt'\n  sample_by: document\n---\n",
        "a.txt": "one\ntwo\n",
        "b.txt": "three",
    },
    "json-field": {
        "README.md": "---\nconfigs:\n- config_name: default\n  data_files: a.json\n  field: rows\n---\n",
        "a.json": '{"v": 1, "rows": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]}',
    },
    "parquet": {"data/train-00000-of-00001.parquet": parquet({"a": [1, None], "b": [["x"], []], "c": [{"d": 1.5}] * 2})},
    "parquet-times": {"t.parquet": parquet({"t": pyarrow.array([1, 2], pyarrow.timestamp("s")), "d": pyarrow.array([1, 2], pyarrow.date32())})},
    "parquet-labels": {
        "README.md": "---\ndataset_info:\n  features:\n  - name: l\n    dtype:\n      class_label:\n        names:\n          '0': no-one\n          '1': some\n---\n",
        "l.parquet": parquet({"l": [0, 1, 1]}),
    },
}


def plain(features: Features) -> dict:
    """As an answer of the API; strings are one type, however large their buffers are."""
    return _plain(features.to_dict())


def _plain(given):
    if isinstance(given, list):
        return [_plain(one) for one in given]
    if not isinstance(given, dict):
        return given
    if given.get("dtype") == "large_string":
        return {"dtype": "string", "_type": "Value"}
    return {key: _plain(one) for key, one in given.items() if not (key == "length" and one == -1)}


@pytest.mark.parametrize("name", CASES)
def test_columns_and_rows_are_those_of_the_library(name, converted, viewer_host, alice_token, tmp_path):
    mount, answered = viewer_host
    repo, found = converted(CASES[name])
    assert found["status"] == "ready", found
    for config in found["configs"]:
        loaded = load_dataset(repo, config["name"], token=alice_token, cache_dir=str(tmp_path / "own"))
        # With the viewer's answer the library must load what it loads without it.
        mount()
        informed = load_dataset(repo, config["name"], token=alice_token, cache_dir=str(tmp_path / "informed"))
        assert answered() == [200]
        assert {split: plain(each.features) for split, each in informed.items()} == {split: plain(each.features) for split, each in loaded.items()}
        for split, rows in informed.items():
            pandas.testing.assert_frame_equal(rows.to_pandas(), loaded[split].to_pandas())
        types = {column["name"]: column["type"] for column in config["features"]}
        assert types == plain(next(iter(loaded.values())).features)
        assert {split["name"]: split["rows"] for split in config["splits"]} == loaded.num_rows
        paths = [
            f"datasets/{repo}@refs%2Fconvert%2Fparquet/{file['path']}"
            for split in config["splits"]
            for file in split["parquet_files"]
        ]
        files = HfFileSystem(endpoint=None, token=alice_token)
        tables = [pyarrow.parquet.read_table(files.open(path)) for path in paths]
        assert sum(table.num_rows for table in tables) == sum(loaded.num_rows.values())
        again = load_dataset(repo, revision="refs/convert/parquet", data_dir=config["name"], token=alice_token, cache_dir=str(tmp_path / "export"))
        for split, rows in again.items():
            # Parquet has no column of nothing: its nulls are those of strings.
            empty = [column for column, type in types.items() if type == {"dtype": "null", "_type": "Value"}]
            one, other = (table.to_pandas().drop(columns=empty) for table in (rows, loaded[split]))
            pandas.testing.assert_frame_equal(one, other, check_dtype=False)


def test_the_export_is_a_ref_that_clients_read_and_cannot_change(converted, server, alice_token):
    from huggingface_hub import HfApi

    repo, found = converted({"train.csv": "a,b\n1,x\n2,y\n"})
    api = HfApi(endpoint=server.url, token=alice_token)
    refs = api.list_repo_refs(repo, repo_type="dataset")
    [ref] = refs.converts
    assert (ref.name, ref.ref) == ("parquet", "refs/convert/parquet")
    assert api.dataset_info(repo, revision="refs/convert/parquet").sha == ref.target_commit
    assert "default/train/0000.parquet" in api.list_repo_files(repo, repo_type="dataset", revision="~parquet")
    with pytest.raises(HfHubHTTPError):
        api.upload_file(
            path_or_fileobj=b"x", path_in_repo="x", repo_id=repo, repo_type="dataset", revision="refs/convert/parquet"
        )
    with pytest.raises(HfHubHTTPError):
        api.delete_branch(repo, branch="refs/convert/parquet", repo_type="dataset")
    headers = {"Authorization": f"Bearer {alice_token}"}
    listed = requests.get(f"{server.url}/api/datasets/{repo}/parquet", headers=headers, timeout=30).json()
    [url] = listed["default"]["train"]
    assert requests.head(url, headers=headers, allow_redirects=True, timeout=30).status_code == 200
    tail = requests.get(url, headers={**headers, "Range": "bytes=-4"}, timeout=30)
    assert (tail.status_code, tail.content) == (206, b"PAR1")
    assert pyarrow.parquet.read_table(io.BytesIO(requests.get(url, headers=headers, timeout=30).content)).num_rows == 2
    assert requests.get(url, timeout=30).status_code == 401


def test_what_the_library_pushed_is_ready_in_the_viewer(server, alice, alice_token, settled, viewer_host, tmp_path):
    mount, answered = viewer_host
    features = Features({"text": Value("string"), "label": ClassLabel(names=["no", "yes"]), "n": Value("int64")})

    def rows(count):
        found = [{"text": f"row {i} ü", "label": i % 2, "n": 2**53 + i} for i in range(count)]
        return Dataset.from_list(found, features=features)

    repo = f"{alice.username}/pushed-and-shown"
    made = DatasetDict(train=rows(300), test=rows(7))
    made.push_to_hub(repo, token=alice_token, private=True)
    DatasetDict(train=rows(3)).push_to_hub(repo, "small", token=alice_token)
    found = settled(repo)
    assert found["status"] == "ready", found
    headers = {"Authorization": f"Bearer {alice_token}"}

    def ask(endpoint, **params):
        answer = requests.get(f"{server.url}/viewer-api/{endpoint}", {"dataset": repo, **params}, headers=headers, timeout=60)
        assert (answer.status_code, answer.headers["X-Revision"]) == (200, found["commit"]), answer.text
        return answer.json()

    assert ask("is-valid") == dict.fromkeys(("preview", "viewer", "search", "filter", "statistics"), True)
    splits = ask("splits")
    assert [(each["config"], each["split"]) for each in splits["splits"]] == [("default", "train"), ("default", "test"), ("small", "train")]
    assert (splits["pending"], splits["failed"]) == ([], [])
    for config, split, rows_ in (("default", "train", made["train"]), ("default", "test", made["test"]), ("small", "train", made["train"])):
        page = ask("rows", config=config, split=split, offset=2, length=5)
        assert [row["row"] for row in page["rows"]] == list(rows_.select(range(2, min(7, page["num_rows_total"]))))
        assert [each["type"] for each in page["features"]] == list(features.to_dict().values())
    info = ask("info")
    assert (info["pending"], info["failed"], info["partial"]) == ([], [], False)
    assert {name: split["num_examples"] for name, split in info["dataset_info"]["default"]["splits"].items()} == {"train": 300, "test": 7}
    assert ask("filter", config="default", split="train", where="label='yes'")["num_rows_total"] == 150
    mount()
    again = load_dataset(repo, token=alice_token, cache_dir=str(tmp_path))
    assert answered() == [200]
    assert {split: list(each) for split, each in again.items()} == {split: list(each) for split, each in made.items()}
