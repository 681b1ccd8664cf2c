"""Sounds, as files in folders and in tables. They stay encoded: FFmpeg, which decodes them, is on few machines."""

import io
import json
import tarfile
import wave

import fsspec
import numpy
import pytest
from datasets import Audio, Dataset, load_dataset
from huggingface_hub import HfApi

LOADING = "loading with datasets"


def wav(pitch):
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes((numpy.sin(numpy.arange(400) * pitch / 100) * 9000).astype("<i2").tobytes())
    return out.getvalue()


SOUNDS = [wav(pitch) for pitch in range(1, 5)]


def check(name, column="audio"):
    """Whole and streamed they are the same bytes."""
    whole = load_dataset(name, split="train").cast_column(column, Audio(decode=False))
    streamed = load_dataset(name, split="train", streaming=True).decode(False)
    for sounds in (list(whole[column]), [row[column] for row in streamed]):
        assert [each["bytes"] or read(each["path"]) for each in sounds] == SOUNDS


def read(address):
    """Of a file here, or of one that a stream only names, as `hf://…`."""
    with fsspec.open(address) as file:
        return file.read()


def upload(name, folder):
    HfApi().create_repo(name, repo_type="dataset")
    HfApi().upload_folder(repo_id=name, repo_type="dataset", folder_path=folder)


@pytest.mark.row(LOADING, client="datasets")
def test_a_folder_of_sounds(publisher, tmp_path):
    (tmp_path / "clips").mkdir()
    for i, sound in enumerate(SOUNDS):
        (tmp_path / "clips" / f"{i}.wav").write_bytes(sound)
    lines = [json.dumps({"file_name": f"clips/{i}.wav", "said": f"word {i}"}) for i in range(len(SOUNDS))]
    (tmp_path / "metadata.jsonl").write_text("\n".join(lines))
    name = publisher.new_name("audiofolder")
    upload(name, tmp_path)
    publisher.sign_out()
    check(name)
    loaded = load_dataset(name, split="train").cast_column("audio", Audio(decode=False))
    assert loaded["said"] == [f"word {i}" for i in range(len(SOUNDS))]


@pytest.mark.row(LOADING, client="datasets")
def test_sounds_in_an_archive(publisher, tmp_path):
    with tarfile.open(tmp_path / "train.tar", "w") as tar:
        for i, sound in enumerate(SOUNDS):
            member = tarfile.TarInfo(f"{i}.wav")
            member.size = len(sound)
            tar.addfile(member, io.BytesIO(sound))
    name = publisher.new_name("webdataset")
    upload(name, tmp_path)
    publisher.sign_out()
    check(name, "wav")


@pytest.mark.row("POST /api/repos/create", "POST /api/{type}s/{repo}/commit/{rev}", LOADING, client="datasets")
def test_a_table_of_sounds(publisher, tmp_path):
    paths = [tmp_path / f"{i}.wav" for i in range(len(SOUNDS))]
    for path, sound in zip(paths, SOUNDS, strict=True):
        path.write_bytes(sound)
    made = Dataset.from_dict({"audio": [str(path) for path in paths]}).cast_column("audio", Audio())
    name = publisher.new_name("sounds")
    made.push_to_hub(name)
    for path in paths:
        path.unlink()
    publisher.sign_out()
    assert load_dataset(name, split="train").features == made.features
    check(name)
