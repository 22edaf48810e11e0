"""The service against its own OpenAPI document: requests that it allows, and many others, are answered as it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from data import LOAN, ROOT

MINDREL = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "mindrel"
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "unsupported_method", "allow_header_conformance",
]  # fmt: skip
SECONDS = 20


def test_no_request_that_schemathesis_thinks_of_is_answered_with_a_mistake(tmp_path):
    plan, ledger = tmp_path / "loan.plan", f"sqlite:{tmp_path / 'ledger.db'}"
    fit = [MINDREL, "fit", LOAN, "--schema", LOAN.with_suffix(".toml"), "-o", plan]
    subprocess.run(fit, check=True, capture_output=True)
    serve = [MINDREL, "serve", plan, "--listen", "127.0.0.1:0", "--rate", "0", "--ledger", ledger]
    with subprocess.Popen(serve, stderr=subprocess.PIPE, text=True) as service:
        try:
            said = iter(service.stderr.readline, "")
            address = next(found[0] for line in said if (found := re.search(r"http://[^/]+", line)))
            schemathesis = [
                Path(sys.executable).with_name("schemathesis"), "run", f"{address}/openapi.json",
                "--checks", ",".join(CHECKS), "--max-time", str(SECONDS), "--seed", "20231210", "--no-color",
            ]  # fmt: skip
            found = subprocess.run(schemathesis, capture_output=True, text=True, cwd=tmp_path)
            assert found.returncode == 0, found.stdout
            assert service.poll() is None
        finally:
            service.terminate()
