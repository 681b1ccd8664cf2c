"""The libraries of this run stand on the newest client, and each allows it by what it requires."""

import importlib.metadata
import os

import huggingface_hub
import pytest
from packaging.requirements import Requirement

LIBRARIES = ["transformers", "datasets", "diffusers", "peft", "timm", "sentence-transformers"]
NEWEST = os.environ["ARSENAL_NEWEST_HUB"]


def test_the_newest_client_is_the_one_in_use():
    assert huggingface_hub.__version__ == importlib.metadata.version("huggingface_hub") == NEWEST


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_library_allows_the_newest_client(library):
    asked = [Requirement(line) for line in importlib.metadata.requires(library)]
    hub = [each for each in asked if each.name.replace("_", "-") == "huggingface-hub" and each.marker is None]
    assert hub and all(NEWEST in each.specifier for each in hub), [str(each) for each in hub]
