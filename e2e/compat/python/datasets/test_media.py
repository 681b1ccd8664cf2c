"""Folders of media: columns, rows and bytes are those that the library finds in the same files."""

import datetime
import decimal
import io
import tarfile
import wave
import zipfile

import fsspec
import pyarrow
import pyarrow.parquet
import pytest
import requests
from datasets import Audio, Image, load_dataset
from huggingface_hub import HfFileSystem
from PIL import Image as Pictures


def png(shade: int) -> bytes:
    out = io.BytesIO()
    Pictures.new("RGB", (3 + shade, 2), (shade, 0, 0)).save(out, "png")
    return out.getvalue()


def wav(frames: int) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\1\0" * frames)
    return out.getvalue()


def table(rows: dict) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(rows), out)
    return out.getvalue()


def zipped(members: dict) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


# Columns of a table of metadata: what text has a form for, and what only Parquet has.
KINDS = {
    "d": pyarrow.array([datetime.date(2024, 2, 29), None]),
    "m": pyarrow.array([decimal.Decimal("-1.50"), None], pyarrow.decimal128(9, 2)),
    "u": pyarrow.array([2**32 - 1, 0], pyarrow.uint32()),
    "file_name": ["1.png", "2.png"],
    **{unit: pyarrow.array([1_700_000_000, None], pyarrow.timestamp(unit)) for unit in ("ms", "us", "ns")},
    **{f"z{unit}": pyarrow.array([1_700_000_123, None], pyarrow.timestamp(unit, "UTC")) for unit in ("ms", "us")},
    "berlin": pyarrow.array([1_700_000_000, None], pyarrow.timestamp("us", "Europe/Berlin")),
    "t32": pyarrow.array([86_399_999, None], pyarrow.time32("ms")),
    "t64": pyarrow.array([86_399_999_999, None], pyarrow.time64("us")),
    "b": pyarrow.array([b"\\x41\x00\xff", None]),
    "lb": pyarrow.array([b"", None], pyarrow.large_binary()),
    "fb": pyarrow.array([b"\xfe\\", None], pyarrow.binary(2)),
    "bs": pyarrow.array([[b"\xff", None], None]),
    "f": pyarrow.array([0.5, None], pyarrow.float32()),
    "s": [{"x": [1, None], "y": "ü", "b": b"\xff", "t": datetime.time(1, 2, 3, 4)}, None],
}
CASES = {
    "labels": {"cat/1.png": png(1), "cat/2.PNG": png(2), "dog/a b.png": png(3)},
    "labels-of-splits": {"train/a/1.png": png(1), "train/b/2.png": png(2), "test/a/3.png": png(3)},
    "one-folder": {"all/1.png": png(1), "all/2.png": png(2)},
    "depths": {"a/1.png": png(1), "b/c/2.png": png(2)},
    "no-labels": {
        "README.md": "---\nconfigs:\n- config_name: default\n  data_files: '**/*.png'\n  drop_labels: true\n---\n",
        "a/1.png": png(1),
        "b/2.png": png(2),
    },
    "csv": {"train/metadata.csv": "file_name,n,said\n1.png,1,x\nsub/2.png,,\"y, z\"\n", "train/1.png": png(1), "train/sub/2.png": png(2)},
    "jsonl": {"metadata.jsonl": '{"file_name": "1.png", "n": 1.5}\n{"file_name": "2.png", "n": 2}\n', "1.png": png(1), "2.png": png(2)},
    "parquet": {"metadata.parquet": table(KINDS), "1.png": png(1), "2.png": png(2)},
    "pairs": {
        "metadata.csv": "left_file_name,right_file_name\n1.png,2.png\n3.png,1.png\n",
        **{f"{i}.png": png(i) for i in (1, 2, 3)},
    },
    "lists": {
        "metadata.jsonl": '{"file_names": ["1.png", "2.png"], "n": 1}\n{"file_names": ["3.png"], "n": 2}\n',
        **{f"{i}.png": png(i) for i in (1, 2, 3)},
    },
    "sounds": {"metadata.csv": "file_name,said\n1.wav,one\n2.wav,two\n", "1.wav": wav(10), "2.wav": wav(20)},
    "zip": {"train.zip": zipped({"2.png": png(2), "1.png": png(1)}), "test.zip": zipped({"a b.png": png(3)})},
    "zip-of-folders": {
        "README.md": "---\nconfigs:\n- config_name: default\n  data_files: '*.zip'\n  drop_labels: true\n---\n",
        "x.zip": zipped({"b/1.png": png(1), "a/2.png": png(2), "3.png": png(3)}),
    },
    "zips-of-sounds": {"a.zip": zipped({"1.wav": wav(10)}), "b.zip": zipped({"2.wav": wav(20), "__3.wav": wav(30)})},
    "zip-with-csv": {
        "train.zip": zipped({"x/metadata.csv": "file_name,n,said\n2.png,1,x\nsub/1.png,,\"y, z\"\n", "x/2.png": png(2), "x/sub/1.png": png(1)}),
        "test.zip": zipped({"metadata.csv": "file_name,n,said\n3.png,2.5,w\n", "3.png": png(3)}),
    },
    "zip-with-jsonl": {
        "train.zip": zipped(
            {
                "metadata.jsonl": '{"file_names": ["2.png", "1.png"], "mask_file_name": "m/3.png", "b": true, "i": 9007199254740993, "l": [1.5, null], "o": {"s": "x"}, "t": "2020-01-01"}\n' * 2,
                "1.png": png(1),
                "2.png": png(2),
                "m/3.png": png(3),
            }
        )
    },
    "zip-with-parquet": {
        "train.zip": zipped(
            {
                "metadata.parquet": table(KINDS),
                "1.png": png(1),
                "2.png": png(2),
            }
        )
    },
    "zip-of-sounds-with-csv": {"a.zip": zipped({"metadata.csv": "said,file_name\none,1.wav\ntwo,2.wav\n", "1.wav": wav(10), "2.wav": wav(20), "3.wav": wav(30)})},
    "sounds-in-folders": {"no/1.wav": wav(10), "yes/2.wav": wav(20)},
}


def read(cell: dict) -> bytes:
    if cell["bytes"] is not None:
        return cell["bytes"]
    with fsspec.open(cell["path"]) as file:
        return file.read()


def content(value):
    """Cells with media become their bytes."""
    if isinstance(value, list):
        return [content(one) for one in value]
    return read(value) if isinstance(value, dict) and set(value) == {"bytes", "path"} else value


@pytest.mark.parametrize("name", CASES)
def test_folders_are_what_the_library_makes_of_them(name, converted, server, alice_token, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", alice_token)
    repo, found = converted(CASES[name])
    assert found["status"] == "ready", found
    [config] = found["configs"]
    loaded = load_dataset(repo, token=alice_token, streaming=True)
    whole = load_dataset(repo, token=alice_token, cache_dir=str(tmp_path / "own"))
    assert {column["name"]: column["type"] for column in config["features"]} == {
        name: type for name, type in plain(whole).items()
    }
    assert {split["name"]: split["rows"] for split in config["splits"]} == whole.num_rows
    files = HfFileSystem(token=alice_token)
    headers = {"Authorization": f"Bearer {alice_token}"}
    media = {one["name"] for one in config["features"] if {"Image", "Audio"} & {kind_of(one["type"]), kind_of(one["type"].get("feature"))}}
    assert media
    for split in config["splits"]:
        paths = [f"datasets/{repo}@refs%2Fconvert%2Fparquet/{file['path']}" for file in split["parquet_files"]]
        exported = [row for path in paths for row in pyarrow.parquet.read_table(files.open(path)).to_pylist()]
        wanted = [{key: content(cell) for key, cell in row.items()} for row in loaded[split["name"]].decode(False)]
        assert [{key: content(cell) for key, cell in row.items()} for row in exported] == wanted
        page = requests.get(
            f"{server.url}/viewer-api/rows?dataset={repo}&config={config['name']}&split={split['name']}",
            headers=headers,
            timeout=60,
        ).json()
        for row, cells in zip(page["rows"], wanted, strict=True):
            for column, cell in row["row"].items():
                if column not in media:
                    continue
                for shown, bytes_ in zip(addresses(cell), contents(cells[column]), strict=True):
                    assert requests.get(shown, headers=headers, timeout=60).content == bytes_


def tar(members: dict, **how) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", **how) as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


FOLDER = "a-long-name-of-a-folder/" * 6
ARCHIVES = {
    "images": {
        "train.tar": tar(
            {
                f"{key}.{field}": content
                for key in range(7)
                for field, content in {
                    "png": png(key),
                    "txt": f"é {key}".encode(),
                    "cls": f"{key}\n".encode(),
                    "json": b'{"n": 9007199254740993, "f": [1.5, 2], "s": {"t": "2020-01-01", "b": true}, "x": null}',
                    "bin": bytes([key]),
                }.items()
            }
        ),
    },
    "splits": {
        "train-0.tar": tar({"a/1.png": png(1), "a/2.png": png(2)}),
        "train-1.tar": tar({"b/1.png": png(3)}),
        "test-0.tar": tar({"c/1.png": png(4)}),
    },
    "missing": {"x.tar": tar({**{f"{i}.{e}": b"1" for i in range(6) for e in ("txt", "id")}, "9.txt": b"alone"})},
    "gnu": {"x.tar": tar({f"{FOLDER}{i}.wav": wav(10 + i) for i in range(3)}, format=tarfile.GNU_FORMAT)},
    "pax": {"x.tar": tar({f"{FOLDER}é{i}.seg.wav": wav(10 + i) for i in range(3)}, format=tarfile.PAX_FORMAT)},
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_are_what_the_library_makes_of_them(name, converted, server, alice_token, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", alice_token)
    repo, found = converted(ARCHIVES[name])
    assert found["status"] == "ready", found
    [config] = found["configs"]
    loaded = load_dataset(repo, token=alice_token, streaming=True)
    types = {column["name"]: column["type"] for column in config["features"]}
    assert types == strings(next(iter(loaded.values())).features.to_dict())
    files = HfFileSystem(token=alice_token)
    headers = {"Authorization": f"Bearer {alice_token}"}
    for split in config["splits"]:
        [file] = split["parquet_files"]
        path = f"datasets/{repo}@refs%2Fconvert%2Fparquet/{file['path']}"
        exported = pyarrow.parquet.read_table(files.open(path)).to_pylist()
        wanted = list(loaded[split["name"]].decode(False))
        assert [known(row) for row in exported] == [known(row) for row in wanted]
        page = requests.get(
            f"{server.url}/viewer-api/rows?dataset={repo}&config=default&split={split['name']}", headers=headers, timeout=60
        ).json()
        assert len(page["rows"]) == len(wanted)
        for row, cells in zip(page["rows"], wanted, strict=True):
            for column, cell in row["row"].items():
                if types[column].get("_type") in ("Image", "Audio"):
                    [address] = addresses(cell)
                    # Signed addresses need no token.
                    assert requests.get(address, timeout=60).content == cells[column]["bytes"]


def known(row: dict) -> dict:
    """Without the address, which names the copy of the library."""
    return {key: cell for key, cell in row.items() if key != "__url__"}


def plain(loaded) -> dict:
    return strings(next(iter(loaded.values())).features.to_dict())


def strings(given):
    """Strings are one type, however large their buffers are."""
    if not isinstance(given, dict):
        return given
    if given.get("dtype") == "large_string":
        return {"dtype": "string", "_type": "Value"}
    return {key: strings(one) for key, one in given.items() if not (key == "length" and one == -1)}


def kind_of(type) -> str | None:
    return type.get("_type") if isinstance(type, dict) else None


def addresses(cell) -> list[str]:
    """Of media in a cell of the viewer."""
    cells = cell if isinstance(cell, list) else [cell]
    return [one["src"] for one in cells if isinstance(one, dict)]


def contents(cell) -> list[bytes]:
    return [one for one in (cell if isinstance(cell, list) else [cell]) if isinstance(one, bytes)]


def test_a_loaded_folder_stays_what_it_was_once_it_is_converted(converted, alice_token, tmp_path):
    repo, _ = converted(CASES["csv"])
    loaded = load_dataset(repo, token=alice_token, split="train", cache_dir=str(tmp_path))
    assert isinstance(loaded.features["image"], Image)
    assert [image.size for image in loaded["image"]] == [(4, 2), (5, 2)]
    repo, _ = converted(CASES["sounds"])
    sounds = load_dataset(repo, token=alice_token, split="train", cache_dir=str(tmp_path))
    assert [read(one) for one in sounds.cast_column("audio", Audio(decode=False))["audio"]] == [wav(10), wav(20)]
