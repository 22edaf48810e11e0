"""What the documents say runs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys

import mindrel
import pytest

from data import ROOT

MODULES = [
    "mindrel",
    *(f"mindrel.{module.name}" for module in pkgutil.iter_modules(mindrel.__path__) if module.name != "_mindrel"),
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings_are_true(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert found.failed == 0


def test_there_are_examples_in_docstrings():
    assert "\n>>> " in mindrel.__doc__ and ">>> " in mindrel.Minimizer.__doc__


@pytest.mark.parametrize("document", ["python/README.md", "docs/python.md"])
def test_the_python_of_the_documents_runs(document, tmp_path):
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert blocks
    script = "\n".join(blocks).replace("crates/mindrel-cli/data", str(ROOT / "crates/mindrel-cli/data"))
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_quickstart_runs():
    example = ROOT / "python/examples/quickstart.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "with everything known: 0." in done.stdout and "'guarantee': 'proved'" in done.stdout


def test_the_stubs_name_what_is_there():
    """Every public name of the compiled half is in its stub, and the other way round."""
    from mindrel import _mindrel

    stub = (ROOT / "python/src/mindrel/_mindrel.pyi").read_text(encoding="utf-8")
    for name in ("Audit", "Pipeline", "Plan", "Session"):
        body = stub.split(f"class {name}:")[1].split("\nclass ")[0]
        named = set(re.findall(r"def (\w+)\(", body)) - {"__init__", "__new__"}
        there = {member for member in vars(getattr(_mindrel, name)) if not member.startswith("_")}
        assert named == there, name
