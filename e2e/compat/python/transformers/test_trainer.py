"""`Trainer(push_to_hub=True)`: what it pushes while it trains, and a training that another person continues."""

import secrets

import pytest
from huggingface_hub import HfApi, ModelCard, snapshot_download
from tiny_models import bert, same_weights
from transformers import (
    AutoModelForSequenceClassification,
    BertForSequenceClassification,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)

ROWS = (
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "loading with transformers",
)
EXAMPLES = [{"input_ids": [2, 3 + i % 5, 4], "attention_mask": [1, 1, 1], "labels": i % 2} for i in range(32)]


class Steps(TrainerCallback):
    """Counts steps, and waits for each push: the library sends a folder that the next save changes."""

    def __init__(self, training):
        self.training, self.count = training, 0

    def on_step_end(self, args, state, control, **_):
        self.count += 1

    def on_save(self, args, state, control, **_):
        self.training.push_in_progress.wait_until_done()


def train(folder, resume=None, **settings):
    arguments = TrainingArguments(
        str(folder),
        push_to_hub=True,
        save_steps=2,
        per_device_train_batch_size=4,
        use_cpu=True,
        report_to=[],
        disable_tqdm=True,
        **settings,
    )
    training = Trainer(model=bert(BertForSequenceClassification), args=arguments, train_dataset=EXAMPLES)
    steps = Steps(training)
    training.add_callback(steps)
    training.train(resume_from_checkpoint=resume)
    return training, steps.count


@pytest.mark.row(*ROWS, client="transformers")
def test_every_save_is_pushed(publisher, tmp_path):
    # Without `hub_model_id` the folder names the repo.
    name = publisher.new_name("every-save")
    training, _ = train(tmp_path / name.partition("/")[2], hub_strategy="every_save", max_steps=4)
    training.push_to_hub(tags=["tiny"], dataset="synthetic", language="en", license="mit")

    hub = publisher.sign_out()
    assert same_weights(AutoModelForSequenceClassification.from_pretrained(name), training.model)
    titles = [commit.title for commit in hub.list_repo_commits(name)]
    assert titles[:3] == ["End of training", "Training in progress, step 4", "Training in progress, step 2"]
    assert {"training_args.bin", "model.safetensors", "README.md"} <= set(hub.list_repo_files(name))
    assert {"generated_from_trainer", "tiny"} <= set(ModelCard.load(name).data.tags)
    info = hub.model_info(name)
    assert (info.private, info.card_data.license, info.library_name) == (False, "mit", "transformers")
    assert {"generated_from_trainer", "license:mit", "en"} <= set(info.tags)


def test_others_resume_from_a_pushed_checkpoint(publisher, bob, bob_token, monkeypatch, tmp_path):
    name = publisher.new_name("checkpoint")
    _, count = train(tmp_path / "first", hub_model_id=name, hub_strategy="checkpoint", max_steps=4)
    assert count == 4

    publisher.sign_out()
    copy = snapshot_download(name)
    monkeypatch.setenv("HF_TOKEN", bob_token)
    own = f"{bob.username}/resumed-{secrets.token_hex(4)}"
    second, count = train(
        tmp_path / "second",
        resume=f"{copy}/last-checkpoint",
        hub_model_id=own,
        hub_strategy="all_checkpoints",
        max_steps=8,
    )
    assert (count, second.state.global_step) == (4, 8)
    monkeypatch.delenv("HF_TOKEN")
    states = {path for path in HfApi().list_repo_files(own) if path.endswith("trainer_state.json")}
    assert states == {"checkpoint-6/trainer_state.json", "checkpoint-8/trainer_state.json"}
