"""Train a forest on the loan applications of the repository, decide about one person, then about many.

Run it from anywhere: python python/examples/quickstart.py
"""

from __future__ import annotations

from pathlib import Path

import pandas
from mindrel import Minimizer
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

people = pandas.read_csv(Path(__file__).parents[2] / "crates/mindrel-cli/data/loan.csv").dropna()
outcome = people.pop("label")
front = make_column_transformer((OneHotEncoder(), ["Home", "Marital", "Records", "Job"]), remainder=StandardScaler())
model = make_pipeline(front, RandomForestClassifier(20, max_depth=6, random_state=0)).fit(people[:3000], outcome[:3000])

minimizer = Minimizer(model, sensitive=["Seniority", "Home", "Records", "Job", "Income"]).fit(people[:3000])

person = people.iloc[3500]
session = minimizer.session(person.drop(minimizer.sensitive_))
for question in session:
    print(f"{question.prompt}? ({question.levels or question.bounds}) asked because {question.why}")
    session.answer(person[question.name])
decision = session.decision
print(f"{decision.label}, {decision.guarantee}. Never asked: {', '.join(decision.never_asked) or 'nothing'}.")
print(f"The certificate holds: {minimizer.verify(decision)}")

others = people[3000:3300]
decisions = minimizer.decide(others)
print(f"{len(decisions)} others: {decisions.n_asked.mean():.2f} of {len(minimizer.sensitive_)} questions on average.")
print(
    f"Decided otherwise than by the model with everything known: {(decisions.labels != model.predict(others)).sum()}."
)
