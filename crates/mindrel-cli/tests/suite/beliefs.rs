//! `mindrel fit --belief …`: every kind of belief as a user meets it, from `fit` to `verify`.

use std::sync::OnceLock;

use crate::common::{Desk, Outcome, loan_answers};
use serde_json::{Value, json};

/// How many loan applications most of these tests take: Bayesian networks see every row 300 times.
const FEW: usize = 800;

/// One way to ask for a belief.
struct Way {
    /// The plan's file.
    plan: &'static str,
    /// What is added to `fit`.
    options: &'static [&'static str],
    /// What the summary says of it.
    told: &'static str,
    /// Its name in files.
    kind: &'static str,
}

impl Way {
    fn is_private(&self) -> bool {
        self.options.contains(&"--private-moments")
    }
}

/// Every kind of belief that leaves the questions and the model as they are.
const WAYS: [Way; 5] = [
    Way { plan: "gaussian.plan", options: &[], told: "one Gaussian", kind: "gaussian" },
    Way {
        plan: "copula.plan",
        options: &["--belief", "copula"],
        told: "copula: margins as they are, and a Gaussian between them",
        kind: "copula",
    },
    Way {
        plan: "network.plan",
        options: &["--belief", "bayes-nn"],
        told: "one Bayesian neural network for all sets of known questions",
        kind: "bayes-nn",
    },
    Way { plan: "private.plan", options: &["--private-moments", "1"], told: "one Gaussian", kind: "gaussian" },
    Way { plan: "strict.plan", options: &["--private-moments", "1,1e-7"], told: "one Gaussian", kind: "gaussian" },
];

/// Three sensitive questions, for a network of its own for each of the seven sets that leave something open.
const PER_SET: Way = Way {
    plan: "per-set.plan",
    options: &["--belief", "bayes-nn", "--per-set"],
    told: "7 Bayesian neural networks, one for each set of known questions",
    kind: "bayes-nn",
};

const FIT: [&str; 6] = ["fit", "loan.csv", "--schema", "loan.toml", "--holdout", "0.3"];

const FIT_THREE_QUESTIONS: [&str; 6] = ["fit", "loan.csv", "--label", "label", "--sensitive", "Seniority,Income,Home"];

/// A folder with the first loan applications, their schema, and somebody's answers.
fn desk_with_few_loans() -> Desk {
    let desk = Desk::new();
    desk.copy_loan_data();
    let few: Vec<&str> = include_str!("../../data/loan.csv").lines().take(1 + FEW).collect();
    desk.write("loan.csv", few.join("\n") + "\n");
    desk.write("answers.json", loan_answers().to_string());
    desk
}

/// A plan that was fitted, and what was said then.
struct Fitted {
    way: &'static Way,
    told: String,
    plan: Vec<u8>,
}

/// The same with all plans; each is fitted once.
fn desk_with_every_belief() -> (Desk, &'static [Fitted]) {
    static FITTED: OnceLock<Vec<Fitted>> = OnceLock::new();
    let fitted = FITTED.get_or_init(|| {
        let desk = desk_with_few_loans();
        let fits = WAYS.iter().map(|way| (way, FIT)).chain([(&PER_SET, FIT_THREE_QUESTIONS)]);
        fits.map(|(way, fit)| {
            let told = desk.run(fit.iter().chain(way.options).copied().chain(["-o", way.plan])).succeeded().out;
            Fitted { way, told, plan: std::fs::read(desk.path(way.plan)).expect("it was written") }
        })
        .collect()
    });
    let desk = desk_with_few_loans();
    for Fitted { way, plan, .. } in fitted {
        desk.write(way.plan, plan);
    }
    (desk, fitted)
}

/// Asks to the end, and has the certificate checked.
fn ask_and_verify(desk: &Desk, plan: &str, delta: &str) -> Value {
    let ask = ["ask", plan, "--delta", delta, "--answers", "answers.json", "--force", "--certificate", "mine.json"];
    let asked = desk.run(ask).succeeded();
    let certificate = desk.json("mine.json");
    let verified = desk.run(["verify", plan, "mine.json"]).succeeded();
    assert!(verified.out.contains(": valid. Decision: “"), "{plan}, {delta}: {}", verified.out);
    assert_eq!(
        asked.out.contains("judging by the training data"),
        certificate["guarantee"] == "probable",
        "{}",
        asked.out
    );
    assert_eq!(verified.out.contains("proved"), certificate["guarantee"] == "proved", "{}", verified.out);
    certificate
}

#[test]
fn a_plan_and_its_summary_name_the_belief() {
    let (desk, fitted) = desk_with_every_belief();
    for Fitted { way, told, .. } in fitted {
        let line = told.lines().find(|line| line.starts_with("Belief:")).expect("a line about the belief");
        assert!(line.contains(way.told), "{}: {line}", way.plan);
        assert_eq!(desk.json(way.plan)["plan"]["belief"]["kind"], way.kind);
    }
}

#[test]
fn private_moments_say_what_they_cover_and_what_they_do_not() {
    let (desk, fitted) = desk_with_every_belief();
    for Fitted { way, told, .. } in fitted {
        let budget = match way.plan {
            "private.plan" => Some(("(1, 1e-6)", json!({"epsilon": 1.0, "delta": 1e-6}))),
            "strict.plan" => Some(("(1, 1e-7)", json!({"epsilon": 1.0, "delta": 1e-7}))),
            _ => None,
        };
        let training = &desk.json(way.plan)["plan"]["training"];
        let Some((words, stated)) = budget else {
            assert!(!told.contains("privacy") && training.get("private_moments").is_none(), "{told}");
            continue;
        };
        let words = format!("released with {words}-differential privacy");
        for words in [&words, "covers neither the model nor any bounds and levels inferred from the table"] {
            assert!(told.contains(words), "{words:?} is missing from\n{told}");
        }
        assert_eq!(training["private_moments"], stated);
    }
}

/// All but the privacy noise, which nobody may be able to draw again.
#[test]
fn the_same_seed_fits_the_same_belief_but_for_privacy_noise() {
    let (desk, _) = desk_with_every_belief();
    let again = |options: &[&str]| {
        desk.run(FIT.iter().chain(options).copied().chain(["-o", "again.plan", "--force"])).succeeded();
        desk.json("again.plan")["plan"]["belief"].clone()
    };
    for way in &WAYS {
        let is_same = again(way.options) == desk.json(way.plan)["plan"]["belief"];
        assert_eq!(is_same, !way.is_private(), "{}", way.plan);
    }
    assert_ne!(again(&["--belief", "bayes-nn", "--seed", "1"]), desk.json("network.plan")["plan"]["belief"]);
}

#[test]
fn every_belief_asks_to_the_end_and_its_certificate_holds() {
    let (desk, fitted) = desk_with_every_belief();
    for Fitted { way, .. } in fitted {
        let proved = ask_and_verify(&desk, way.plan, "0");
        assert!(["proved", "complete"].iter().any(|guarantee| proved["guarantee"] == *guarantee), "{}", way.plan);
        let settled = ask_and_verify(&desk, way.plan, "0.05");
        assert_ne!(settled["guarantee"], "sampled");
        let asked = |certificate: &Value| certificate["revealed"].as_array().map(Vec::len);
        // Privacy noise may by luck believe in something that takes more questions.
        assert!(way.is_private() || asked(&settled) <= asked(&proved), "{}", way.plan);
    }
}

#[test]
fn every_belief_serves_a_network_too() {
    let desk = desk_with_few_loans();
    let model = ["--model", "mlp", "--hidden", "6", "--epochs", "5"];
    for way in WAYS.iter().chain([&PER_SET]) {
        let fit = if way.options.contains(&"--per-set") { FIT_THREE_QUESTIONS } else { FIT };
        let options = fit.iter().chain(&model).chain(way.options).copied().chain(["-o", way.plan]);
        let told = desk.run(options).succeeded();
        assert!(told.out.contains("network") && told.out.contains(way.told), "{}", told.out);
        assert_ne!(ask_and_verify(&desk, way.plan, "0")["guarantee"], "probable", "{}", way.plan);
        ask_and_verify(&desk, way.plan, "0.05");
    }
}

/// A certificate that claims another probability than its belief gives does not hold, whatever the belief; private ones
/// are left out, which might by luck give just this.
#[test]
fn a_probability_that_the_belief_does_not_bear_out_is_found() {
    let (desk, fitted) = desk_with_every_belief();
    for Fitted { way, .. } in fitted.iter().filter(|fitted| !fitted.way.is_private()) {
        let mut certificate = ask_and_verify(&desk, way.plan, "0.05");
        assert_eq!(certificate["guarantee"], "probable", "{}", way.plan);
        certificate["probability"] = json!(0.950_001);
        desk.write("edited.json", certificate.to_string());
        let outcome = desk.run(["verify", way.plan, "edited.json"]);
        assert!(outcome.code == 1 && outcome.out.contains(": NOT valid: "), "{}: {}", way.plan, outcome.out);
    }
}

#[test]
fn a_certificate_of_one_belief_is_not_taken_for_another() {
    let (desk, _) = desk_with_every_belief();
    ask_and_verify(&desk, "gaussian.plan", "0.05");
    let outcome = desk.run(["verify", "copula.plan", "mine.json"]);
    assert_ne!(outcome.code, 0, "{}", outcome.out);
}

#[test]
fn beliefs_are_audited_side_by_side() {
    let (desk, _) = desk_with_every_belief();
    let others = ["copula.plan", "network.plan", "private.plan"];
    let audit = ["audit", "gaussian.plan", "loan.csv", "--held-out", "--delta", "0,0.05", "--compare"];
    let audit = || audit.into_iter().chain(others);
    let shown = desk.run(audit()).succeeded();
    let key = "gaussian 1:  gaussian.plan\ncopula:      copula.plan\n\
               bayes-nn:    network.plan\ngaussian 2:  private.plan\n";
    let names = ["decisive, gaussian 1", "decisive, copula", "decisive, bayes-nn", "decisive, gaussian 2"];
    for words in names.into_iter().chain([key, "promised", "agree with all", "probable only", "95.0 %"]) {
        assert!(shown.out.contains(words), "{words:?} is missing from\n{}", shown.out);
    }
    let report = desk.run(audit().chain(["--json", "-"])).succeeded().json();
    let runs = report["runs"].as_array().expect("a list");
    let asking: Vec<(&str, &str)> =
        runs.iter().filter_map(|run| Some((run["name"].as_str()?, run["belief"].as_str()?))).collect();
    let expected = [
        ("gaussian.plan", "gaussian"),
        ("copula.plan", "copula"),
        ("network.plan", "bayes-nn"),
        ("private.plan", "gaussian"),
    ];
    assert_eq!(asking, expected.map(|run| [run, run]).concat());
    for run in &runs[..asking.len()] {
        let promised = run["calibration"]["promised"].as_f64();
        assert_eq!(promised, (run["delta"] != json!(0.0)).then_some(0.95), "{run}");
        if promised.is_none() {
            assert_eq!(run["flips_inside_domain"], json!(0.0), "no belief can break a proof: {run}");
        }
    }
}

/// A line of a table was as long as a plan's path, and every table had one run alone.
#[test]
fn long_names_of_plans_do_not_widen_the_tables() {
    let (desk, _) = desk_with_every_belief();
    let long = format!("{}.plan", "copula-of-the-few-first-loans-".repeat(5));
    std::fs::rename(desk.path("copula.plan"), desk.path(&long)).expect("the folder may be written to");
    let shown = desk.run(["audit", "gaussian.plan", "loan.csv", "--delta", "0,0.05", "--compare", &long]).succeeded();
    let (key, tables): (Vec<&str>, Vec<&str>) = shown.out.lines().partition(|line| line.contains(&long));
    assert_eq!(key, [format!("copula:    {long}")]);
    for line in &tables {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let questions = tables.iter().filter(|line| line.contains("how often asked")).count();
    assert_eq!(questions, 1, "all four runs fit beside each other:\n{}", shown.out);
}

#[test]
fn a_belief_edited_by_hand_is_refused() {
    let (desk, _) = desk_with_every_belief();
    let edits: [(&str, &str); 5] = [
        ("gaussian.plan", "/plan/belief/mean/0"),
        ("gaussian.plan", "/plan/belief/covariance/0"),
        ("copula.plan", "/plan/belief/margins/0/scores/1"),
        ("network.plan", "/plan/belief/centre/0"),
        ("private.plan", "/plan/training/private_moments/epsilon"),
    ];
    for (plan, place) in edits {
        let mut edited = desk.json(plan);
        let number = edited.pointer_mut(place).unwrap_or_else(|| panic!("{plan} has {place}"));
        *number = json!(number.as_f64().expect("a number") * 0.75);
        desk.write("edited.plan", edited.to_string());
        for command in [
            &["ask", "edited.plan", "--answers", "answers.json", "--force", "--certificate", "mine.json"][..],
            &["audit", "edited.plan", "loan.csv", "--json", "audit.json"],
            &["audit", "gaussian.plan", "loan.csv", "--compare", "edited.plan"],
            &["calibrate", "edited.plan", "loan.csv", "--flips", "0.05", "-o", "new.plan"],
        ] {
            desk.refuses(command.iter().copied(), &["edited.plan"]);
        }
    }
    let with_kind =
        |kind: &str| desk.read("copula.plan").replacen("\"kind\":\"copula\"", &format!("\"kind\":\"{kind}\""), 1);
    desk.write("edited.plan", with_kind("gaussian"));
    desk.refuses(["ask", "edited.plan", "--answers", "answers.json"], &["edited.plan"]);
    desk.write("edited.plan", with_kind("mixture"));
    let remedy = ["edited.plan", "a belief of the kind `mixture`", "Fit the plan again with `mindrel fit`"];
    desk.refuses(["ask", "edited.plan", "--answers", "answers.json"], &remedy);
}

/// On the whole table, whose 1,371 held-out people bear out a promise of 2 %.
#[test]
fn a_copula_is_calibrated_and_its_promise_is_stated_and_checked() {
    let desk = desk_with_few_loans();
    desk.copy_loan_data();
    let copula = ["--belief", "copula", "-o", "copula.plan"];
    desk.run(FIT.into_iter().chain(copula)).succeeded();
    desk.run(["calibrate", "copula.plan", "loan.csv", "--flips", "0.02", "-o", "calibrated.plan"]).succeeded();
    let plan = desk.json("calibrated.plan");
    assert_eq!(plan["plan"]["belief"], desk.json("copula.plan")["plan"]["belief"], "only the threshold is chosen");
    let delta = &plan["plan"]["calibration"]["groups"][0]["delta"];
    assert!(delta.as_f64().is_some_and(|delta| delta > 0.0), "{delta}");
    let ask = [
        "ask",
        "calibrated.plan",
        "--calibrated",
        "--answers",
        "answers.json",
        "--force",
        "--certificate",
        "mine.json",
    ];
    let promise = "at most 2 % of decisions differ from those made with all answers, with 95 % confidence";
    let states = |outcome: Outcome| assert!(outcome.out.contains(promise), "{}", outcome.out);
    states(desk.run(ask).succeeded());
    assert_eq!(&desk.json("mine.json")["rules"]["delta"], delta);
    states(desk.run(["verify", "calibrated.plan", "mine.json"]).succeeded());
}

/// `fit` with these options is refused, and nothing is written.
fn fit_refuses(desk: &Desk, options: &[&str], parts: &[&str]) {
    let outcome = desk.refuses(FIT.iter().chain(options).copied().chain(["-o", "new.plan"]), parts);
    assert!(outcome.out.is_empty(), "{}", outcome.out);
}

#[test]
fn a_network_for_each_set_where_there_can_be_none() {
    let desk = desk_with_few_loans();
    for belief in ["gaussian", "copula"] {
        fit_refuses(&desk, &["--belief", belief, "--per-set"], &["--per-set applies to Bayesian networks", "bayes-nn"]);
    }
    let eleven =
        ["fit", "loan.csv", "--label", "label", "--public", "Time,Amount", "--belief", "bayes-nn", "--per-set"];
    let remedy = ["--per-set would train 2^11 networks", "leave it out to train one for all sets", "at most 10"];
    desk.refuses(eleven.into_iter().chain(["-o", "new.plan"]), &remedy);
}

#[test]
fn privacy_that_cannot_be_had() {
    let desk = desk_with_few_loans();
    for belief in ["copula", "bayes-nn"] {
        let options = ["--belief", belief, "--private-moments", "1"];
        fit_refuses(&desk, &options, &["--private-moments applies to a Gaussian belief", "leave out --belief"]);
    }
    for epsilon in ["0", "-1", "nan", "inf", "0,1e-7"] {
        let parts = ["--private-moments", "epsilon must be a number from", "usual are 0.1 to 10"];
        fit_refuses(&desk, &["--private-moments", epsilon], &parts);
    }
    for budget in ["1,2", "1,0", "1,-1e-7"] {
        fit_refuses(&desk, &["--private-moments", budget], &["--private-moments", "delta must be", "such as 1e-6"]);
    }
    for text in ["x", "1,x", "", "1,1e-7,1"] {
        fit_refuses(&desk, &["--private-moments", text], &["--private-moments", "EPSILON,DELTA", "`1`"]);
    }
    let rows = desk_with_every_belief().0.json("gaussian.plan")["plan"]["training"]["rows"].clone();
    let below = format!("below 1/{rows}");
    fit_refuses(&desk, &["--private-moments", "1,0.01"], &["loan.csv", "delta must be", &below, "a smaller one"]);
}

/// It used to be found out once the classifier was trained, which this one would be for days.
#[test]
fn what_no_belief_can_be_is_refused_before_a_classifier_is_trained() {
    let desk = desk_with_few_loans();
    let forever = ["--model", "mlp", "--hidden", "200", "--recipe", "paper", "--epochs", "100000000", "-o", "new.plan"];
    let eleven = ["fit", "loan.csv", "--label", "label", "--public", "Time,Amount"];
    let cases: [(&[&str], &[&str], &str); 2] = [
        (&FIT, &["--private-moments", "1,0.01"], "delta must be below"),
        (&eleven, &["--belief", "bayes-nn", "--per-set"], "2^11 networks"),
    ];
    for (fit, belief, words) in cases {
        let mut command = desk.command(fit.iter().chain(belief).chain(&forever).copied());
        Outcome::of(command.timeout(std::time::Duration::from_secs(60))).refused(&[words]);
    }
}

/// It was said that no column is open, and not what to do.
#[test]
fn a_network_that_has_nothing_to_predict() {
    let desk = desk_with_few_loans();
    desk.write("loan.toml", desk.read("loan.toml").replace("sensitive = true", "sensitive = false"));
    let remedy = ["loan.csv", "no question is sensitive", "make one sensitive, or leave out --belief"];
    fit_refuses(&desk, &["--belief", "bayes-nn"], &remedy);
}

#[test]
fn a_belief_that_does_not_exist() {
    let desk = desk_with_few_loans();
    fit_refuses(&desk, &["--belief", "nonsense"], &["--belief", "gaussian, copula, bayes-nn"]);
}

/// Plans of version 2 do not say of what kind their belief is.
#[test]
fn a_plan_from_before_there_were_other_beliefs_is_to_be_fitted_again() {
    let (desk, _) = desk_with_every_belief();
    let mut plan = desk.json("gaussian.plan");
    plan["version"] = json!(2);
    plan["plan"]["belief"].as_object_mut().expect("an object").remove("kind");
    desk.write("old.plan", plan.to_string());
    for command in [
        &["ask", "old.plan", "--answers", "answers.json", "--force", "--certificate", "mine.json"][..],
        &["audit", "old.plan", "loan.csv", "--json", "audit.json"],
        &["audit", "gaussian.plan", "loan.csv", "--compare", "old.plan"],
        &["calibrate", "old.plan", "loan.csv", "--flips", "0.05", "-o", "new.plan"],
    ] {
        desk.refuses(command.iter().copied(), &["old.plan", "version 2", "Fit the plan again with `mindrel fit`"]);
    }
}
