"""The headers of models, read by the client itself and in one answer of the server."""

import json
import struct
import time
from importlib.util import find_spec

import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError

INDEX = "model.safetensors.index.json"


def shard(tensors, metadata=None):
    """A safetensors file of F32 tensors: name → shape."""
    header, at = ({"__metadata__": metadata} if metadata else {}), 0
    for name, shape in tensors.items():
        size = 4
        for length in shape:
            size *= length
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(at)


@pytest.fixture()
def sharded(api, repo_id):
    """A model in two shards, of which one is a large file."""
    shards = {
        "model-00001-of-00002.safetensors": {"a.weight": (3, 4), "a.bias": (3,)},
        "model-00002-of-00002.safetensors": {"b.weight": (500, 20)},
    }
    weight_map = {name: path for path, tensors in shards.items() for name in tensors}
    index = {"metadata": {"total_size": 40060}, "weight_map": weight_map}
    for path, tensors in shards.items():
        api.upload_file(path_or_fileobj=shard(tensors, {"format": "pt"}), path_in_repo=path, repo_id=repo_id)
    api.upload_file(path_or_fileobj=json.dumps(index).encode(), path_in_repo=INDEX, repo_id=repo_id)
    return repo_id


def test_headers_by_ranges(api, sharded):
    found = api.get_safetensors_metadata(sharded)
    assert found.sharded and found.parameter_count == {"F32": 12 + 3 + 10_000}


# Newer clients ask for all headers at once; older ones lack the call.
if hasattr(HfApi, "get_sharded_safetensors_metadata"):

    def test_headers_in_one_answer(api, sharded):
        assert api.get_sharded_safetensors_metadata(sharded) == api.get_safetensors_metadata(sharded)

    def test_a_model_without_an_index(api, repo_id):
        with pytest.raises(HfHubHTTPError) as refused:
            api.get_sharded_safetensors_metadata(repo_id)
        assert refused.value.response.status_code == 404


def counted_here(alice, repo_id, path):
    """What the server itself counts by dtype."""
    header = alice.native("GET", f"/repos/models/{repo_id}/files/main/{path}/header")
    return {dtype: count for dtype, count in header["parameters_by_dtype"].items() if count > 0}


def test_the_server_counts_parameters_as_the_client_does(api, alice, sharded):
    assert counted_here(alice, sharded, INDEX) == api.get_safetensors_metadata(sharded).parameter_count
    # A job reads them after the commit.
    deadline = time.monotonic() + 60
    while not (known := api.model_info(sharded, expand=["safetensors"]).safetensors):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert (known.total, known.parameters) == (10_015, {"F32": 10_015})


# Not every environment has the library.
if find_spec("safetensors") and find_spec("numpy"):

    def test_a_file_of_the_library_counts_alike(api, alice, repo_id, tmp_path):
        import numpy
        import safetensors.numpy

        tensors = {
            "a": numpy.zeros((3, 5), numpy.float32),
            "b": numpy.zeros((7,), numpy.float16),
            "c": numpy.zeros((2, 2, 2), numpy.int64),
            "empty": numpy.zeros((0, 4), numpy.float32),
        }
        path = tmp_path / "model.safetensors"
        safetensors.numpy.save_file(tensors, path)
        api.upload_file(path_or_fileobj=path, path_in_repo="model.safetensors", repo_id=repo_id)
        theirs = api.get_safetensors_metadata(repo_id).parameter_count
        assert counted_here(alice, repo_id, "model.safetensors") == theirs == {"F32": 15, "F16": 7, "I64": 8}
