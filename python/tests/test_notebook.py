"""The notebook of the examples runs, and every cell that ends with an object shows it."""

from __future__ import annotations

import ast
import json

from data import ROOT


def shown(path) -> list[str]:
    """What the code cells show, as a notebook would: the last expression of each, as HTML if it has some."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names: dict = {}
    results = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "outputs are not kept in the repository"
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), str(path), "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), str(path), "eval"), names)
            results.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    return results


def test_the_notebook_runs_and_shows_what_it_says(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT / "python/examples")
    results = shown(ROOT / "python/examples/loan.ipynb")
    page = "\n".join(results)
    assert len(results) == 9
    for text in ("Any payment problems?", "Asking", "Decided: ", "Audit of ", "data:image/svg+xml"):
        assert text in page
    (tmp_path / "notebook.html").write_text(f"<meta charset='utf-8'>{page}", encoding="utf-8")
