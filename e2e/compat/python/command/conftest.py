"""`hf` through its entry point, in this process: a start of Python takes longer than most commands."""

import json
import sys

import pytest
from huggingface_hub.cli.hf import main


@pytest.fixture()
def hf(alice_token, monkeypatch, capsys):
    """Runs a command and answers what it printed; of `--json`, what that means."""
    monkeypatch.setenv("HF_TOKEN", alice_token)

    def run(*arguments, status=0):
        monkeypatch.setattr(sys, "argv", ["hf", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert (ended.value.code or 0) == status, said.out + said.err
        return json.loads(said.out) if "--json" in arguments else said.out + said.err

    return run
