"""
Files of the loaders that need further packages, in a public repo: loaded whole and streamed without a token, and decoded.
Videos stay encoded: FFmpeg, which decodes them, is on few machines. XML is left out: the loader of datasets 5.2.0 opens
`str(FilesIterable)` (packaged_modules/xml/xml.py, `_generate_tables`), so that it reads no file of any place.
"""

import fsspec
import pytest
from datasets import Video, load_dataset
from huggingface_hub import HfApi
from rich_files import WRITERS, plain

TREE = "GET /api/{type}s/{repo}/tree/{rev}/{path}"

# The library of tsfile opens local files alone, that of vortex asks https alone.
STREAMED = [kind for kind in WRITERS if kind not in ("tsfile", "vortex")]


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
