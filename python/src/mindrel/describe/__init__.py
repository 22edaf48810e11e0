"""Describes models of other libraries as pipelines of ``mindrel_import::pipeline``.

A model is a predictor behind preprocessing. What the preprocessing does to one raw column becomes the steps of a
feature; what combines columns is the predictor. A model that does anything else raises :class:`~mindrel.NotDescribed`
and can only be run.
"""

from __future__ import annotations

from ._described import Described, describe

__all__ = ["Described", "describe"]
