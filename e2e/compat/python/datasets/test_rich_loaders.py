"""
Files of the loaders that need further packages, in a public repo: loaded whole and streamed without a token, and decoded.
Videos stay encoded: FFmpeg, which decodes them, is on few machines.
"""

import fsspec
import pytest
from datasets import Video, load_dataset
from datasets.exceptions import DatasetGenerationError
from datasets.packaged_modules import _PACKAGED_DATASETS_MODULES as LOADERS
from files import WRITERS as PLAIN_WRITERS
from huggingface_hub import HfApi
from rich_files import WRITERS, plain

TREE = "GET /api/{type}s/{repo}/tree/{rev}/{path}"

# Loaders of datasets 5.2.0 that are not among those tested, and why.
LEFT_OUT = {
    "iceberg": "reads tables of a catalog, an object that the caller makes, and no files of a repo",
    "pandas": "the library refuses to read pickles, since they run code",
    "xml": "opens the text of an iterator instead of a file, so that it reads no file of any place",
}

# Kinds that the library cannot stream from any http server, and why.
NOT_STREAMED = {
    "tsfile": "the package that reads them opens local files alone",
    "vortex": "the package that reads them asks https alone",
}
STREAMED = [kind for kind in WRITERS if kind not in NOT_STREAMED]


@pytest.fixture()
def upload(publisher, tmp_path):
    """Makes a repo of files of one kind; answers its name and what it holds."""

    def make(kind):
        (tmp_path / "files").mkdir()
        wanted = WRITERS[kind](tmp_path / "files")
        name = publisher.new_name(kind)
        HfApi().create_repo(name, repo_type="dataset")
        HfApi().upload_folder(repo_id=name, repo_type="dataset", folder_path=tmp_path / "files")
        return name, wanted

    return make


def rows(dataset, wanted):
    """Of the columns that are wanted: loaders add some of their own."""
    return [{name: content(row[name]) for name in wanted.rows[0]} for row in dataset]


def content(value):
    """Of a file that is not decoded: its bytes, here or where a stream only names it as `hf://…`."""
    if not (isinstance(value, dict) and set(value) == {"bytes", "path"}):
        return plain(value)
    if value["bytes"] is not None:
        return value["bytes"]
    with fsspec.open(value["path"]) as file:
        return file.read()


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.row("loading with datasets", TREE, client="datasets")
def test_files_loaded_whole(publisher, upload, kind):
    name, wanted = upload(kind)
    publisher.sign_out()
    loaded = load_dataset(name, split=wanted.split, **wanted.options)
    if kind == "video":
        loaded = loaded.cast_column("video", Video(decode=False))
    assert rows(loaded, wanted) == wanted.rows


@pytest.mark.parametrize("kind", STREAMED)
@pytest.mark.row("loading with datasets", TREE, client="datasets")
def test_files_streamed(publisher, upload, bob_token, kind):
    name, wanted = upload(kind)
    publisher.sign_out()
    # lance 14.0 gets None for a token that is not there, and refuses it: anybody's will do.
    token = {"token": bob_token} if kind == "lance" else {}
    streamed = load_dataset(name, split=wanted.split, streaming=True, **token, **wanted.options)
    if kind == "video":
        streamed = streamed.decode(False)
    assert rows(streamed, wanted) == wanted.rows


def test_every_loader_of_the_library_is_tested_or_has_its_reason():
    kinds = {*WRITERS, *PLAIN_WRITERS}
    # test_sounds.py has the sounds.
    tested = {name for name in LOADERS if name in kinds or name.removesuffix("folder") in kinds} | {"audiofolder"}
    assert LOADERS.keys() - tested == LEFT_OUT.keys()


@pytest.mark.parametrize("place", ["hub", "folder"])
@pytest.mark.parametrize("loader", ["pandas", "xml"])
def test_what_is_left_out_fails_in_the_library_wherever_the_file_lies(publisher, tmp_path, loader, place):
    path = tmp_path / f"train.{loader}"
    path.write_text("<a/>")
    at = str(path)
    if place == "hub":
        name = publisher.new_name(loader)
        HfApi().create_repo(name, repo_type="dataset")
        HfApi().upload_file(repo_id=name, repo_type="dataset", path_or_fileobj=path, path_in_repo=path.name)
        publisher.sign_out()
        at = f"hf://datasets/{name}/{path.name}"
    error, words = {
        "pandas": (ValueError, "Pickle loading with the pandas dataset builder is disabled"),
        "xml": (DatasetGenerationError, "FilesIterable"),
    }[loader]
    with pytest.raises(error) as failed:
        load_dataset(loader, data_files=at, split="train", cache_dir=tmp_path / "cache")
    assert words in str(failed.value.__cause__ or failed.value)
