"""A module of one's own becomes a model of the hub by the mixin that the client library brings."""

import secrets

import pytest
import torch
from huggingface_hub import PyTorchModelHubMixin

RESOLVE = "/{repo}/resolve/{rev}/{path}"


class Scale(torch.nn.Module, PyTorchModelHubMixin, license="mit", tags=["tiny"]):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(float(width)))


@pytest.mark.row(
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "GET /api/{type}s/{repo}/chunk-write-token/{rev}",
    f"GET {RESOLVE}",
    f"GET {RESOLVE} · without the chunked protocol",
    f"HEAD {RESOLVE}",
    client="PyTorchModelHubMixin",
)
def test_a_module_round_trips(api, alice, alice_token, tmp_path):
    name = f"{alice.username}/scale-{secrets.token_hex(4)}"
    made = Scale(width=5)
    made.push_to_hub(name, private=True, token=alice_token)
    assert {"config.json", "model.safetensors", "README.md"} <= set(api.list_repo_files(name))
    assert {"tiny", "model_hub_mixin"} <= set(api.model_info(name).tags)
    back = Scale.from_pretrained(name, token=alice_token, cache_dir=tmp_path)
    assert torch.equal(back.weight, made.weight)
