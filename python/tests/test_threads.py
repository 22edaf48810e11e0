"""Long work leaves the interpreter to others."""

from __future__ import annotations

import sys
import threading
import time

import numpy
from mindrel import Minimizer
from mindrel._work import Work

from zoo import fitted


def test_other_threads_run_while_everybody_is_decided_about(loan):
    """A thread counts, giving way after each count, while another decides and never gives way on its own: unless the
    compiled half gives the lock back, the count stands still."""
    columns, _ = loan
    minimizer = Minimizer(fitted("MLPClassifier", "loan"), public=["Time", "Amount", "Price"]).fit(columns)
    many = minimizer._columns(columns.iloc[:200])
    plan = minimizer._plan()
    counts, done = [0], threading.Event()
    seen = []

    def count():
        while not done.is_set():
            counts[0] += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    counter = threading.Thread(target=count)
    counter.start()
    try:
        sys.setswitchinterval(1000.0)
        before = counts[0]
        plan.decide(many, Work(0, None, None))
        seen = [before, counts[0]]
    finally:
        sys.setswitchinterval(interval)
        done.set()
        counter.join()
    assert seen[1] > seen[0]


def test_many_threads_decide_alike(loan):
    columns, _ = loan
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=["Time", "Amount", "Price"]).fit(columns)
    expected = minimizer.decide(columns).order
    found = [None] * 4

    def decide(place):
        found[place] = minimizer.decide(columns).order

    threads = [threading.Thread(target=decide, args=(place,)) for place in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(numpy.array_equal(order, expected) for order in found)
