"""An adapter and the model below it, each in a repo of its own."""

import pytest
import torch
from huggingface_hub import HfApi, ModelCard
from peft import AutoPeftModelForSequenceClassification, LoraConfig, PeftConfig, PeftModel, get_peft_model
from tiny_models import bert
from transformers import AutoModelForSequenceClassification, BertForSequenceClassification

WORDS = torch.tensor([[2, 5, 6, 4]])


def tuned(base_name):
    """An adapter whose weights are not those it begins with, which would change nothing."""
    base = AutoModelForSequenceClassification.from_pretrained(base_name)
    model = get_peft_model(base, LoraConfig(task_type="SEQ_CLS", r=2, target_modules=["query", "value"]))
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight)
    return model.eval()


def answers(model):
    with torch.no_grad():
        return model.eval()(input_ids=WORDS).logits


@pytest.mark.row(
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "GET /{repo}/resolve/{rev}/{path}",
    "HEAD /{repo}/resolve/{rev}/{path}",
    client="peft",
)
def test_an_adapter_round_trips(publisher, tmp_path):
    base_name, name = publisher.new_name("base"), publisher.new_name("adapter")
    bert(BertForSequenceClassification).push_to_hub(base_name)
    model = tuned(base_name)
    model.push_to_hub(name)
    # `push_to_hub` puts a plain card in the place of the one that the library writes.
    model.save_pretrained(tmp_path)
    HfApi().upload_folder(repo_id=name, folder_path=tmp_path)
    wanted = answers(model)

    hub = publisher.sign_out()
    assert PeftConfig.from_pretrained(name).base_model_name_or_path == base_name
    assert torch.equal(answers(AutoPeftModelForSequenceClassification.from_pretrained(name)), wanted)
    base = AutoModelForSequenceClassification.from_pretrained(base_name)
    assert not torch.equal(answers(base), wanted)
    assert torch.equal(answers(PeftModel.from_pretrained(base, name)), wanted)
    # transformers finds the adapter by itself, and by it the model.
    assert torch.equal(answers(AutoModelForSequenceClassification.from_pretrained(name)), wanted)
    assert {"adapter_config.json", "adapter_model.safetensors"} <= publisher.fetched(name)

    info = hub.model_info(name)
    assert (info.private, info.library_name) == (False, "peft")
    assert {f"base_model:{base_name}", f"base_model:adapter:{base_name}", "lora"} <= set(info.tags)
    assert ModelCard.load(name).data.base_model == base_name
