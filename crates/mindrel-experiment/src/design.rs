//! What each experiment of the paper's evaluation compares, as a table.

use mindrel::Selector;
use mindrel_plot::Figure;
use mindrel_train::Believer;
use mindrel_train::bayes::BayesOptions;
use serde::{Deserialize, Serialize};

use crate::claims::{self, CheckedClaim};
use crate::figures;
use crate::summaries::Summaries;

use Selector::{Decisive, FScore, FScoreMc, Importance, ImportanceLogistic, Random};

/// The failure probabilities of the paper.
pub const DELTAS: [f64; 5] = [0.0, 0.01, 0.05, 0.1, 0.2];

/// The paper's rules and ours.
const RULES: &[Selector] = &[FScore, Importance, Random, Decisive];

/// The same for networks, whose importance is that of a logistic regression [TF23, App. D].
const NETWORK_RULES: &[Selector] = &[FScore, ImportanceLogistic, Random, Decisive];

const BINARY: &[&str] = &["bank", "adult", "credit", "insurance"];
const MULTICLASS: &[&str] = &["customer", "fetal"];

/// One experiment of the paper. No two have the same name.
#[derive(Debug, Clone, Copy)]
pub struct Design {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in the report.
    pub title: &'static str,
    /// The paper's figures and tables that it redoes; also names on the command line.
    pub items: &'static [&'static str],
    /// What it does, in a sentence or two.
    pub about: &'static str,
    /// The data sets.
    pub data_sets: &'static [&'static str],
    /// The classifier.
    pub family: DesignClassifier,
    /// How many questions are sensitive.
    pub sizes: Sizes,
    /// What is believed of the open columns.
    pub beliefs: &'static [BeliefKind],
    /// How the next question is chosen.
    pub selectors: &'static [Selector],
    /// The failure probabilities.
    pub deltas: &'static [f64],
    /// Whether people who reveal their smallest pure core set are shown beside.
    pub optimal: bool,
    /// Whether time is what it is about: then it has the machine for itself, and only then are times written down.
    pub timed: bool,
    /// How often it is repeated, each time with another split, classifier and S, unless told otherwise.
    pub repetitions: usize,
    /// Repetitions that it never goes beyond, where each takes long.
    pub most_repetitions: Option<usize>,
    /// How many test people are decided about by default; `None` means everyone.
    pub people: Option<usize>,
    /// Test people that it never goes beyond.
    pub most_people: Option<usize>,
    /// The claims about it, checked.
    pub(crate) claims: fn(&Summaries<'_>) -> Vec<CheckedClaim>,
    /// What is drawn of it, with the ends of the names of files.
    pub(crate) figures: fn(&Summaries<'_>) -> Vec<(&'static str, Figure)>,
}

impl PartialEq for Design {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesignClassifier {
    /// Logistic regression.
    Logistic,
    /// Two hidden layers of 10, trained as the paper says [TF23, App. D].
    Network,
}

/// How many questions are sensitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// These.
    Fixed(&'static [usize]),
    /// These as far as there are so many features, and all of them.
    ToAll(&'static [usize]),
}

/// A belief. Files hold its [name](BeliefKind::name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BeliefKind {
    /// One Gaussian: the paper's choice.
    Gaussian,
    /// A latent Gaussian with the margins of the rows.
    #[serde(rename = "copula")]
    Copula,
    /// One Bayesian network for all sets of known questions.
    #[serde(rename = "Bayesian NN, one for all sets")]
    Bayesian,
    /// One for each set, as published.
    #[serde(rename = "Bayesian NN, one for each set")]
    BayesianPerSet,
}

impl Sizes {
    /// The sizes for a number of features.
    #[must_use]
    pub fn of(self, n_features: usize) -> Vec<usize> {
        match self {
            Sizes::Fixed(sizes) => sizes.to_vec(),
            Sizes::ToAll(sizes) => {
                let fewer = sizes.iter().copied().filter(|&size| size < n_features);
                fewer.chain([n_features]).collect()
            }
        }
    }
}

impl BeliefKind {
    /// Its name in figures and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BeliefKind::Gaussian => "Gaussian",
            BeliefKind::Copula => "copula",
            BeliefKind::Bayesian => "Bayesian NN, one for all sets",
            BeliefKind::BayesianPerSet => "Bayesian NN, one for each set",
        }
    }

    /// How it is fitted.
    #[must_use]
    pub fn believer(self) -> Believer {
        match self {
            BeliefKind::Gaussian => Believer::Gaussian,
            BeliefKind::Copula => Believer::Copula,
            BeliefKind::Bayesian => Believer::BayesNn(BayesOptions::amortised()),
            BeliefKind::BayesianPerSet => Believer::BayesNnPerSet(BayesOptions::default()),
        }
    }
}

/// What most experiments have in common: the paper's comparison of rules.
const COMPARISON: Design = Design {
    name: "",
    title: "",
    items: &[],
    about: "",
    data_sets: BINARY,
    family: DesignClassifier::Logistic,
    sizes: Sizes::Fixed(&[2, 3, 4, 5]),
    beliefs: &[BeliefKind::Gaussian],
    selectors: RULES,
    deltas: &DELTAS,
    optimal: true,
    timed: false,
    repetitions: 100,
    most_repetitions: None,
    people: None,
    most_people: None,
    claims: claims::comparison::linear,
    figures: figures::comparison::figures,
};

/// All experiments, in the order of the paper.
pub const DESIGNS: [Design; 10] = [
    Design {
        name: "minimum-core-sets",
        title: "The smallest pure core sets",
        items: &["figure-2"],
        about: "How many answers a person would have to give if one knew beforehand which: the smallest set of sensitive answers that \
                proves the decision, with everything else public.",
        data_sets: &["credit"],
        sizes: Sizes::Fixed(&[5, 7, 10]),
        selectors: &[],
        deltas: &[0.0],
        claims: claims::core_sets::smallest,
        figures: |found| vec![("", figures::core_sets::smallest(found))],
        ..COMPARISON
    },
    Design {
        name: "beliefs",
        title: "Gaussian against Bayesian neural network",
        items: &["figure-3", "figure-9"],
        about: "The paper's f-score with each belief, by failure probability, 5 sensitive features. The network is one for all sets of known \
                features; the experiment belief-times has those of the paper, one for each set.",
        sizes: Sizes::Fixed(&[5]),
        beliefs: &[BeliefKind::Gaussian, BeliefKind::Bayesian],
        selectors: &[FScore],
        optimal: false,
        repetitions: 10,
        people: Some(2000),
        claims: claims::beliefs::alike,
        figures: |found| vec![("", figures::beliefs::by_delta(found))],
        ..COMPARISON
    },
    Design {
        name: "core-set-sizes",
        title: "How many answers people give",
        items: &["figure-4"],
        about: "People by the number of sensitive answers they gave until the decision was settled, out of 7, for several failure \
                probabilities; by the paper's rule and by ours.",
        data_sets: &["bank"],
        sizes: Sizes::Fixed(&[7]),
        selectors: &[FScore, Decisive],
        claims: claims::core_sets::by_delta,
        figures: |found| vec![("", figures::core_sets::by_delta(found))],
        ..COMPARISON
    },
    Design {
        name: "linear",
        title: "Logistic regression",
        items: &["figure-5", "figure-7"],
        about: "Accuracy and leakage against the number of sensitive features, for each rule and failure probability.",
        ..COMPARISON
    },
    Design {
        name: "network",
        title: "Neural networks",
        items: &["figure-6", "figure-8"],
        about: "The same for networks of two hidden layers of 10, trained as the paper says. At δ = 0 every decision is proved, where the paper \
                samples.",
        family: DesignClassifier::Network,
        selectors: NETWORK_RULES,
        repetitions: 10,
        people: Some(500),
        claims: claims::networks::binary,
        ..COMPARISON
    },
    Design {
        name: "belief-times",
        title: "Times of the beliefs",
        items: &["table-1", "table-2"],
        about: "Time to fit each belief, and to decide by the f-score at δ = 0, with 5 sensitive features. The paper has the Gaussian and one \
                Bayesian network for each of the 31 sets of known features; the others are ours.",
        sizes: Sizes::Fixed(&[5]),
        beliefs: &[BeliefKind::Gaussian, BeliefKind::Copula, BeliefKind::Bayesian, BeliefKind::BayesianPerSet],
        selectors: &[FScore],
        deltas: &[0.0],
        optimal: false,
        timed: true,
        repetitions: 1,
        most_repetitions: Some(1),
        claims: claims::times::of_beliefs,
        figures: |found| vec![("", figures::times::of_beliefs(found))],
        ..COMPARISON
    },
    Design {
        name: "large",
        title: "Many sensitive features",
        items: &["figure-10"],
        about: "Logistic regression with 5 sensitive features up to all of them. The smallest core sets, which the paper could not compute past \
                a few features, are shown throughout.",
        sizes: Sizes::ToAll(&[5, 10, 15, 20, 30]),
        claims: claims::comparison::large,
        ..COMPARISON
    },
    Design {
        name: "time",
        title: "Time for a decision",
        items: &["figure-11"],
        about: "Seconds a person at δ = 0 against the number of sensitive features, on one core, with the published Monte Carlo f-score (100 \
                draws) beside the closed form that gives the same order.",
        sizes: Sizes::ToAll(&[5, 10, 15, 20, 30]),
        selectors: &[FScoreMc, FScore, Importance, Random, Decisive],
        deltas: &[0.0],
        optimal: false,
        timed: true,
        repetitions: 5,
        most_repetitions: Some(5),
        people: Some(300),
        most_people: Some(300),
        claims: claims::times::of_decisions,
        figures: |found| vec![("", figures::times::of_decisions(found))],
        ..COMPARISON
    },
    Design {
        name: "multiclass-linear",
        title: "Several classes, multinomial logistic regression",
        items: &["figure-12"],
        about: "The comparison of rules where there are three or four classes.",
        data_sets: MULTICLASS,
        claims: claims::comparison::multiclass,
        ..COMPARISON
    },
    Design {
        name: "multiclass-network",
        title: "Several classes, neural networks",
        items: &["figure-13"],
        about: "The same for networks of two hidden layers of 10.",
        data_sets: MULTICLASS,
        family: DesignClassifier::Network,
        selectors: NETWORK_RULES,
        repetitions: 10,
        people: Some(500),
        claims: claims::networks::multiclass,
        ..COMPARISON
    },
];

impl Design {
    /// The experiments meant by a name: its own, or that of one of its figures and tables.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Design> {
        DESIGNS.iter().find(|design| design.name == name || design.items.contains(&name))
    }

    /// How often it is repeated.
    #[must_use]
    pub fn repetitions(&self, wanted: Option<usize>) -> usize {
        wanted.unwrap_or(self.repetitions).min(self.most_repetitions.unwrap_or(usize::MAX))
    }

    /// How many test people are decided about at most; `None` means everyone.
    #[must_use]
    pub fn people(&self, wanted: Option<usize>) -> Option<usize> {
        let most = self.most_people.unwrap_or(usize::MAX);
        wanted.or(self.people).map(|people| people.min(most))
    }
}
