"""`push_to_hf_hub` of timm; anyone makes the model by its address on the hub."""

import json

import pytest
import timm
import torch
from huggingface_hub import HfApi, ModelCard, hf_hub_download
from timm.models import push_to_hf_hub


@pytest.mark.row(
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "GET /{repo}/resolve/{rev}/{path}",
    "HEAD /{repo}/resolve/{rev}/{path}",
    client="timm",
)
def test_a_model_round_trips(publisher):
    name = publisher.new_name("timm")
    torch.manual_seed(3)
    made = timm.create_model("test_resnet", num_classes=3).eval()
    card = {"tags": ["image-classification", "timm", "tiny"], "license": "mit", "description": "Made by a test."}
    labels = {"label_names": ["cat", "dog", "owl"]}
    push_to_hf_hub(made, name, model_config=dict(labels), model_card=card)
    later = timm.create_model("test_resnet", num_classes=3).eval()
    HfApi().create_branch(name, branch="later")
    push_to_hf_hub(later, name, revision="later", model_config=labels)

    hub = publisher.sign_out()
    image = torch.rand(1, 3, 32, 32)
    for address, model in ((name, made), (f"{name}@later", later)):
        back = timm.create_model(f"hf-hub:{address}", pretrained=True).eval()
        assert back.pretrained_cfg["label_names"] == ["cat", "dog", "owl"]
        with torch.no_grad():
            assert torch.equal(back(image), model(image))
    assert {"config.json", "model.safetensors"} <= publisher.fetched(name)

    info = hub.model_info(name)
    assert (info.private, info.library_name, info.pipeline_tag) == (False, "timm", "image-classification")
    assert {"timm", "tiny", "license:mit"} <= set(info.tags)
    assert hub.get_safetensors_metadata(name).parameter_count["F32"] > 0
    # Both forms of the weights are there.
    assert {"model.safetensors", "pytorch_model.bin"} <= set(hub.list_repo_files(name))
    assert json.load(open(hf_hub_download(name, "config.json")))["architecture"] == "test_resnet"
    assert "Made by a test." in ModelCard.load(name).text
