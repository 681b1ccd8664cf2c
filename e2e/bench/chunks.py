"""Sends a file by chunks with the published hf-xet, to a server or, for comparison, into its own store on disk."""

import os
import sys
import tempfile
import time

endpoint_or_refresh, token, path = sys.argv[1:]
# A home of its own: what an earlier round has sent must not be known.
os.environ.update(HF_HOME=tempfile.mkdtemp(prefix="home-", dir=os.path.dirname(path)), NO_PROXY="*")

import hf_xet  # noqa: E402

if endpoint_or_refresh.startswith("local://"):
    where = {"endpoint": endpoint_or_refresh, "token": "none", "token_expiry_unix_secs": int(time.time()) + 3600}
else:
    where = {
        "token_refresh_url": endpoint_or_refresh,
        "token_refresh_headers": {"Authorization": f"Bearer {token}"},
    }
began = time.monotonic()
with hf_xet.XetSession().new_upload_commit(**where) as commit:
    commit.start_upload_file(path, sha256=hf_xet.COMPUTE_SHA256)
print(time.monotonic() - began)
