"""`hf auth login` as clients since 1.20 begin it: by a device code that a person approves in the browser."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

HF = str(pathlib.Path(sys.executable).parent / "hf")


def test_login_by_device_code(server, alice, tmp_path):
    home = tmp_path / "home"
    environment = {**os.environ, "HF_HOME": str(home), "HF_ENDPOINT": server.url, "NO_COLOR": "1", "BROWSER": "true"}
    log = open(tmp_path / "login.log", "w+")
    login = subprocess.Popen(
        [HF, "auth", "login"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=tmp_path
    )
    try:
        code = None
        deadline = time.monotonic() + 60
        while not code and time.monotonic() < deadline and login.poll() is None:
            found = re.search(r"\b([B-Z]{4}-[B-Z]{4})\b", pathlib.Path(log.name).read_text())
            code = found and found.group(1)
            time.sleep(0.2)
        assert code, pathlib.Path(log.name).read_text()
        asked = alice.native("GET", f"/me/device?user_code={code}")
        assert asked["client_name"]
        alice.native("POST", "/me/device", {"user_code": code, "decision": "approve"})
        assert login.wait(timeout=60) == 0, pathlib.Path(log.name).read_text()
    finally:
        login.kill()
    shown = subprocess.run([HF, "auth", "whoami"], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert alice.username in shown.stdout + shown.stderr
    names = [token["name"] for token in alice.native("GET", "/me/tokens")["items"]]
    assert len(names) == len(set(names)) >= 2, json.dumps(names)
