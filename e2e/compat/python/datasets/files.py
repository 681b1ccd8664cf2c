"""Data files of many kinds, made here. Each writer answers the rows that the split `train` must have."""

from __future__ import annotations

import gzip
import io
import json
import pathlib
import tarfile
import zipfile

import numpy
import pyarrow
import pyarrow.parquet
from PIL import Image

ROWS = [{"id": i, "text": f"row {i} ü"} for i in range(50)]


def png(shade: int) -> bytes:
    return picture(Image.fromarray(numpy.full((4, 6, 3), shade, dtype=numpy.uint8)))


def picture(value: object) -> object:
    """A decoded picture as the bytes of its file; anything else as it is."""
    if not isinstance(value, Image.Image):
        return value
    out = io.BytesIO()
    value.save(out, "png")
    return out.getvalue()


def write(folder: pathlib.Path, files: dict[str, bytes | str]) -> None:
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)


def write_csv(folder: pathlib.Path) -> list[dict]:
    for split in ("train", "test"):
        write(folder, {f"{split}.csv": "id,text\n" + "".join(f"{row['id']},{row['text']}\n" for row in ROWS)})
    return ROWS


def write_json(folder: pathlib.Path) -> list[dict]:
    write(folder, {"data/train.json": json.dumps(ROWS)})
    return ROWS


def write_jsonl(folder: pathlib.Path) -> list[dict]:
    lines = [json.dumps(row) + "\n" for row in ROWS]
    write(folder, {"train-00000-of-00002.jsonl": "".join(lines[:20]), "train-00001-of-00002.jsonl": "".join(lines[20:])})
    return ROWS


def write_gzip(folder: pathlib.Path) -> list[dict]:
    data = "".join(json.dumps(row) + "\n" for row in ROWS)
    write(folder, {"train.jsonl.gz": gzip.compress(data.encode())})
    return ROWS


def write_zip(folder: pathlib.Path) -> list[dict]:
    with zipfile.ZipFile(folder / "train.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside/part.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))
    return ROWS


def write_parquet(folder: pathlib.Path) -> list[dict]:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), folder / "train.parquet", row_group_size=10)
    return ROWS


def write_text(folder: pathlib.Path) -> list[dict]:
    write(folder, {"train.txt": "".join(f"{row['text']}\n" for row in ROWS)})
    return [{"text": row["text"]} for row in ROWS]


def write_arrow(folder: pathlib.Path) -> list[dict]:
    table = pyarrow.Table.from_pylist(ROWS)
    with pyarrow.OSFile(str(folder / "train.arrow"), "wb") as out, pyarrow.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    return ROWS


def write_webdataset(folder: pathlib.Path) -> list[dict]:
    for shard in range(2):
        with tarfile.open(folder / f"train-{shard:06}.tar", "w") as tar:
            for i in range(shard * 5, shard * 5 + 5):
                for ending, data in (("png", png(i)), ("json", json.dumps({"n": i}).encode()), ("cls", str(i).encode())):
                    member = tarfile.TarInfo(f"{i:04}.{ending}")
                    member.size = len(data)
                    tar.addfile(member, io.BytesIO(data))
    return [{"__key__": f"{i:04}", "json": {"n": i}, "cls": i, "png": png(i)} for i in range(10)]


def write_imagefolder(folder: pathlib.Path) -> list[dict]:
    wanted = []
    for split in ("train", "test"):
        for label, name in enumerate(("cat", "dog")):
            for i in range(3):
                write(folder, {f"{split}/{name}/{i}.png": png(10 * label + i)})
                wanted += [{"image": png(10 * label + i), "label": label}] if split == "train" else []
    return wanted


WRITERS = {
    name.removeprefix("write_"): value for name, value in sorted(globals().items()) if name.startswith("write_")
}
