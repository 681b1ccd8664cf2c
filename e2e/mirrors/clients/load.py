"""Loads a repo as people do; prints what came, as JSON. Arguments: repo, revision, cache folder."""

import hashlib
import json
import sys

from huggingface_hub import HfApi, hf_hub_download, snapshot_download

repo, revision, cache = sys.argv[1:4]
info = HfApi().model_info(repo, revision=revision)
one = hf_hub_download(repo, "model.bin", revision=revision, cache_dir=cache)
folder = snapshot_download(repo, revision=revision, cache_dir=cache)
found = {"sha": info.sha, "folder": folder, "model": hashlib.sha256(open(one, "rb").read()).hexdigest()}
try:
    from transformers import AutoConfig, AutoTokenizer
except ImportError:
    pass
else:
    found["model_type"] = AutoConfig.from_pretrained(repo, revision=revision, cache_dir=cache).model_type
    try:
        AutoTokenizer.from_pretrained(repo, revision=revision, cache_dir=cache)
    except Exception as error:  # There is none: clients look for a dozen files to learn that.
        found["no_tokenizer"] = type(error).__name__
print(json.dumps(found))
