"""A network and a whole pipeline of diffusers by `push_to_hub`; anyone draws the same picture with them."""

import numpy
import pytest
import torch
from diffusers import DDPMPipeline, DDPMScheduler, DiffusionPipeline, UNet2DModel
from huggingface_hub import ModelCard
from tiny_models import same_weights

ROWS = (
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "GET /{repo}/resolve/{rev}/{path}",
    "HEAD /{repo}/resolve/{rev}/{path}",
)


@pytest.fixture()
def unet():
    torch.manual_seed(6)
    return UNet2DModel(
        sample_size=8,
        in_channels=3,
        out_channels=3,
        layers_per_block=1,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    ).eval()


def picture(pipeline):
    pipeline.set_progress_bar_config(disable=True)
    return pipeline(generator=torch.Generator().manual_seed(1), num_inference_steps=2, output_type="np").images


@pytest.mark.row(*ROWS, client="diffusers")
def test_a_pipeline_draws_the_same(publisher, unet):
    name = publisher.new_name("pipeline")
    made = DDPMPipeline(unet, DDPMScheduler(num_train_timesteps=10))
    made.push_to_hub(name)

    hub = publisher.sign_out()
    back = DiffusionPipeline.from_pretrained(name)
    assert type(back) is DDPMPipeline
    assert same_weights(back.unet, unet)
    # Sums of float32 depend on how the weights lie in memory: torch chooses its kernels by that.
    numpy.testing.assert_allclose(picture(back), picture(made), rtol=0, atol=1e-5)
    weights = "unet/diffusion_pytorch_model.safetensors"
    assert {"model_index.json", "scheduler/scheduler_config.json", weights} <= publisher.fetched(name)
    # Its parts load on their own.
    assert same_weights(UNet2DModel.from_pretrained(name, subfolder="unet"), unet)
    assert DDPMScheduler.from_pretrained(name, subfolder="scheduler").config.num_train_timesteps == 10

    info = hub.model_info(name)
    assert (info.private, info.library_name) == (False, "diffusers")
    assert ModelCard.load(name).data.library_name == "diffusers"
    found = hub.parse_safetensors_file_metadata(name, weights)
    assert found.parameter_count == {"F32": unet.num_parameters()}


def test_a_network_and_its_half_precision(publisher, unet):
    name = publisher.new_name("unet")
    unet.push_to_hub(name)
    half = UNet2DModel.from_config(unet.config).half()
    half.push_to_hub(name, variant="fp16")

    publisher.sign_out()
    assert same_weights(UNet2DModel.from_pretrained(name), unet)
    back = UNet2DModel.from_pretrained(name, variant="fp16", torch_dtype=torch.float16)
    assert same_weights(back, half)
