"""What the server says of a dataset is what the datasets library and pyarrow find in the same files."""

import base64
import datetime
import decimal
import io
import json
import math

import pyarrow.parquet
import pytest
from cases import CASES
from datasets import Features
from figures import figures

READ = [name for name, case in CASES.items() if not case.fails and not case.lenient]
WIDE = [name for name in READ if name.endswith("/wide")]
NARROW = [name for name in READ if name not in WIDE]


def plain(features: Features, builder: str) -> dict:
    """As the server writes types: strings of text formats are one type, however large pandas makes their buffers."""

    def of(given: object) -> object:
        if isinstance(given, (list, tuple)):
            return [of(one) for one in given]
        if not isinstance(given, dict):
            return given
        if builder == "csv" and given.get("dtype") == "large_string":
            return {"dtype": "string", "_type": "Value"}
        return {key: of(one) for key, one in given.items() if not (key == "length" and one == -1)}

    return of(features.to_dict())


def old_form(given: object) -> object:
    """Lists as `/info` writes them, for `datasets` before 4."""
    if not isinstance(given, dict):
        return given
    if given.get("_type") == "List" and "length" not in given:
        return [old_form(given["feature"])]
    return {key: old_form(one) for key, one in given.items()}


def cell(value: object, type: dict) -> object:
    """A value as JSON of the viewer."""
    if value is None:
        return None
    kind = type.get("_type")
    if kind == "Json":
        return json.loads(value) if isinstance(value, str) else value
    if kind in ("List", "LargeList"):
        return [cell(one, type["feature"]) for one in value]
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return {key: cell(one, {} if kind else type[key]) for key, one in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.timedelta):
        return str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat().replace("+00:00", "Z")
    return value


def as_read(value: object, wanted: object) -> object:
    """JSON of large doubles has the digits of an integer."""
    return float(value) if isinstance(wanted, float) and isinstance(value, int) else value


def memory_bytes(file: bytes) -> int:
    """Of the row groups, unpacked."""
    metadata = pyarrow.parquet.ParquetFile(io.BytesIO(file)).metadata
    return sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))


@pytest.mark.parametrize("name", READ)
def test_columns_and_counts(name, viewers):
    viewer, case, builder = viewers[name], CASES[name], name.split("/")[0]
    types = plain(next(iter(viewer.loaded.values())).features, builder)
    assert viewer.config["status"] == "ready", viewer.config
    assert {column["name"]: column["type"] for column in viewer.config["features"]} == types
    assert [column["name"] for column in viewer.config["features"]] == list(types)
    info = viewer.ask("info")
    if case.inexact:
        assert info["code"] == "ResponseNotReady"
    else:
        found = info["dataset_info"]
        assert found["features"] == old_form(types)
        assert {split: each["num_examples"] for split, each in found["splits"].items()} == viewer.loaded.num_rows
        assert (found["builder_name"], found["config_name"]) == (builder, viewer.name)
    size = viewer.ask("size")["size"]
    files = viewer.ask("parquet")["parquet_files"]
    assert {split["split"]: split["num_rows"] for split in size["splits"]} == viewer.loaded.num_rows
    assert {split["num_columns"] for split in size["splits"]} == {len(types)}
    assert size["config"]["num_rows"] == sum(viewer.loaded.num_rows.values())
    assert size["config"]["num_bytes_original_files"] == sum(map(len, case.files.values()))
    assert size["config"]["num_bytes_parquet_files"] == sum(file["size"] for file in files)
    memory = dict.fromkeys(viewer.loaded, 0)
    for file in files:
        memory[file["split"]] += memory_bytes(viewer.fetch(file["url"]))
    assert {split["split"]: split["num_bytes_memory"] for split in size["splits"]} == memory
    assert size["config"]["num_bytes_memory"] == sum(memory.values())
    if not case.inexact:
        assert {split: each["num_bytes"] for split, each in found["splits"].items()} == memory
        assert (found["dataset_size"], found["download_size"]) == (sum(memory.values()), size["config"]["num_bytes_original_files"])


@pytest.mark.parametrize("name", NARROW)
def test_rows(name, viewers):
    viewer = viewers[name]
    for split, rows in viewer.loaded.items():
        types = plain(rows.features, name)
        for offset in {0, max(0, rows.num_rows - 100)}:
            page = viewer.ask("rows", split=split, offset=offset)
            wanted = rows.data.table.slice(offset, 100).to_pylist()
            assert [row["row_idx"] for row in page["rows"]] == [offset + i for i in range(len(wanted))]
            for row, values in zip(page["rows"], wanted):
                shown = {column: cell(value, types[column]) for column, value in values.items()}
                row["row"] = {column: as_read(value, shown[column]) for column, value in row["row"].items()}
                assert {**row["row"], **dict.fromkeys(row["truncated_cells"])} == {**shown, **dict.fromkeys(row["truncated_cells"])}
            assert page["num_rows_total"] == rows.num_rows


def close(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        # Answers have five decimals.
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-5)
    return one == other


@pytest.mark.parametrize("name", NARROW)
def test_statistics(name, viewers):
    viewer = viewers[name]
    for split, rows in viewer.loaded.items():
        types = plain(rows.features, name)
        columns = {column: figures(rows.data.column(column).to_pylist(), types[column]) for column in sorted(types)}
        wanted = {column: found for column, found in columns.items() if found}
        answer = viewer.ask("statistics", split=split)
        if not wanted:
            assert answer["code"] == "NoSupportedFeaturesError"
            continue
        assert answer["num_examples"] == rows.num_rows
        assert [each["column_name"] for each in answer["statistics"]] == list(wanted)
        for each in answer["statistics"]:
            kind, found = wanted[each["column_name"]]
            assert each["column_type"] == kind, each
            assert close(each["column_statistics"], found), (each, found)


@pytest.mark.parametrize("name", ["parquet/binary", "arrow/binary"])
def test_bytes_of_a_fixed_size_are_base64_and_found_where_there_are_none(name, viewers):
    viewer = viewers[name]
    [found] = [column["type"] for column in viewer.config["features"] if column["name"] == "f"]
    assert found == {"dtype": "fixed_size_binary[4]", "_type": "Value"}

    def cells(where: str) -> dict[int, object]:
        page = viewer.ask("filter", split="train", where=where)
        return {row["row_idx"]: row["row"]["f"] for row in page["rows"]}

    shown = [base64.b64encode(value).decode() for value in (b"abcd", b"efgh")]
    assert cells("f IS NULL") == {1: None}
    assert cells("f IS NOT NULL") == {0: shown[0], 2: shown[1]}
    assert cells("n >= 2") == {1: None, 2: shown[1]}
    assert viewer.ask("filter", split="train", where="f = 'abcd'")["code"] == "InvalidParameter"
    assert [each["column_name"] for each in viewer.ask("statistics", split="train")["statistics"]] == ["n"]


@pytest.mark.parametrize("name", WIDE)
def test_more_columns_than_are_shown_are_refused(name, viewers):
    for endpoint in ("rows", "first-rows", "statistics"):
        assert viewers[name].ask(endpoint, split="train")["code"] == "TooManyColumnsError"


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.lenient])
def test_what_the_library_alone_refuses_is_shown(name, viewers):
    viewer = viewers[name]
    with pytest.raises(Exception):
        viewer.loaded
    assert viewer.config["status"] == "ready"
    page = viewer.ask("rows", split="train")
    assert [row["row"] for row in page["rows"]] == CASES[name].rows


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.fails])
def test_what_the_library_cannot_read_is_refused_with_a_reason(name, viewers):
    viewer = viewers[name]
    with pytest.raises(Exception):
        viewer.loaded
    assert viewer.config["status"] == "failed"
    assert viewer.config["problem"]["code"] == CASES[name].fails
    assert viewer.ask("rows", split="train")["code"] == CASES[name].fails
