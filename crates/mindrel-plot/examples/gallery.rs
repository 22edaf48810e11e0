//! Every kind of chart, drawn from invented figures: `cargo run -p mindrel-plot --example gallery -- OUT_DIR`
//!
//! Writes one SVG document a figure and `index.html` with all of them.

use std::path::PathBuf;
use std::{env, fs, io};

use mindrel_plot::{Axis, Colour, DataPoint, Figure, Hue, Mark, NumberFormat, Panel, Series, Sharing, stylesheet};

const DELTAS: [f64; 5] = [0.0, 0.01, 0.05, 0.1, 0.2];
const SIZES: [f64; 4] = [2.0, 3.0, 4.0, 5.0];
const RULES: [(&str, Colour, f64); 4] = [
    ("decisive", Colour::DECISIVE, 1.0),
    ("f-score", Colour::F_SCORE, 1.35),
    ("importance", Colour::IMPORTANCE, 1.6),
    ("random", Colour::RANDOM, 2.1),
];

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "gallery".into()));
    fs::create_dir_all(&folder)?;
    let figures = [
        ("rules", rules_by_delta()),
        ("data-sets", data_sets()),
        ("core-sets", core_sets()),
        ("seconds", seconds()),
        ("questions", questions()),
        ("beliefs", beliefs()),
        ("groups", groups()),
        ("chosen", chosen()),
        ("edges", edges()),
    ];
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Gallery</title>\n<style>\nbody{{font:16px/1.45 system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem;\
         color-scheme:light dark;background:#fff;color:#1f2328}}\n\
         @media screen and (prefers-color-scheme:dark){{body{{background:#15181c;color:#e6e9ed}}}}\n{}</style>\n<h1>Gallery</h1>\n",
        stylesheet()
    );
    for (name, figure) in &figures {
        fs::write(folder.join(format!("{name}.svg")), figure.to_svg())?;
        page.push_str(&figure.to_html());
    }
    fs::write(folder.join("index.html"), page + "</html>\n")
}

fn sizes() -> Axis {
    Axis::new("sensitive features |S|").ticks(SIZES)
}

/// Two rows of panels, a hue for each rule and a shade for each δ.
fn rules_by_delta() -> Figure {
    let mut figure = Figure::new(
        "Accuracy and leakage by rule and δ, bank",
        "Above the accuracy, below the share of sensitive features asked for, on a logarithmic scale; bands are two standard errors.",
    )
    .columns(4);
    for accuracy in [true, false] {
        for (rule, colour, factor) in RULES {
            let title = if accuracy { rule } else { "" };
            let label = if accuracy { "accuracy" } else { "leakage" };
            let axis = Axis::new(label).format(NumberFormat::Percent);
            let mut panel = Panel::new(title).x(sizes()).y(if accuracy { axis } else { axis.log() });
            for (place, delta) in DELTAS.into_iter().enumerate() {
                let points = SIZES.map(|size| {
                    let value = if accuracy {
                        0.862 - delta * 0.21 * (1.0 + 0.1 * size) + 0.004 * (size * 1.7 + delta * 30.0).sin()
                    } else {
                        0.31 * factor.powf(0.4) / (1.0 + 45.0 * delta / factor) / size.powf(0.45)
                    };
                    let spread = if accuracy { 0.004 } else { value * 0.09 };
                    DataPoint::new(size, value).within(value - spread, value + spread)
                });
                let series = Series::line(format!("δ = {delta}"), colour.graded(place, DELTAS.len()), points);
                panel = panel.series(series);
            }
            let flat = |value: f64| {
                SIZES.map(move |size| DataPoint::new(size, value / if accuracy { 1.0 } else { size.powf(0.5) }))
            };
            panel = panel
                .series(Series::new("optimal", Colour::OPTIMAL, Mark::Dashed, flat(if accuracy { 0.862 } else { 0.2 })))
                .series(Series::new(
                    "all features",
                    Colour::ALL_FEATURES,
                    Mark::Dotted,
                    SIZES.map(|size| (size, if accuracy { 0.863 } else { 1.0 })),
                ));
            figure = figure.panel(panel);
        }
    }
    figure
}

/// One panel for each data set, a line for each rule.
fn data_sets() -> Figure {
    let sets = [("bank", 0.12), ("adult", 0.34), ("credit", 0.06), ("insurance", 0.25)];
    let mut figure =
        Figure::new("Leakage at δ = 0", "The share of sensitive features asked for until the decision is proved.")
            .columns(2);
    for (set, base) in sets {
        let mut panel = Panel::new(set).x(sizes()).y(Axis::new("leakage").format(NumberFormat::Percent));
        for (rule, colour, factor) in RULES {
            panel = panel.series(Series::line(
                rule,
                colour,
                SIZES.map(|size| {
                    let value = base * factor * (1.3 - 0.1 * size);
                    DataPoint::new(size, value).within(value * 0.93, value * 1.07)
                }),
            ));
        }
        let optimal = SIZES.map(|size| (size, base * 0.9 * (1.3 - 0.1 * size)));
        figure = figure.panel(panel.series(Series::new("optimal", Colour::OPTIMAL, Mark::Dashed, optimal)));
    }
    figure
}

/// Cumulative counts in steps.
fn core_sets() -> Figure {
    let mut panel = Panel::new("")
        .x(Axis::new("questions asked").format(NumberFormat::Count))
        .y(Axis::new("people").format(NumberFormat::Count));
    for (place, delta) in DELTAS.into_iter().enumerate() {
        let points = (0..=10).map(|asked| {
            let asked = f64::from(asked);
            let share = 1.0 - (-(asked + 0.5) * (0.12 + 2.2 * delta)).exp();
            (asked, if asked == 10.0 { 12_000.0 } else { (12_000.0 * share).round() })
        });
        panel = panel.series(Series::new(
            format!("δ = {delta}"),
            Colour::DECISIVE.graded(place, DELTAS.len()),
            Mark::Steps,
            points,
        ));
    }
    Figure::new("People by the size of their core set", "How many people are decided after so many questions.")
        .panel(panel)
}

/// Times on a logarithmic axis.
fn seconds() -> Figure {
    let mut panel = Panel::new("").x(sizes()).y(Axis::new("time per person").format(NumberFormat::Seconds).log());
    for (name, colour, start, growth) in [
        ("linear, gaussian", Colour::GAUSSIAN, 1.2e-6, 1.3),
        ("linear, copula", Colour::COPULA, 7.0e-5, 1.4),
        ("network, bayesian", Colour::BAYESIAN, 4.0e-4, 2.2),
    ] {
        panel = panel.series(Series::line(name, colour, SIZES.map(|size| (size, start * f64::powf(growth, size)))));
    }
    Figure::new("How long a decision takes", "The mean time to decide about one person, asking included.").panel(panel)
}

/// Bars that lie on their side, with names.
fn questions() -> Figure {
    let names = [
        "Income",
        "Years in the present job",
        "Debt",
        "Marital status",
        "Expenses for housing, food, children and everything else",
        "Age",
    ];
    let shares = [0.93, 0.71, 0.42, 0.25, 0.11, 0.034];
    let bars = shares.iter().enumerate().map(|(place, share)| {
        DataPoint::new(*share, place as f64).within((share - 0.03f64).max(0.0), (share + 0.03).min(1.0))
    });
    Figure::new("What is asked how often", "The share of people who are asked each question.").panel(
        Panel::new("")
            .x(Axis::new("share of people").format(NumberFormat::Percent).range(0.0, 1.0))
            .y(Axis::new("").categories(names))
            .series(Series::new("asked", Colour::DECISIVE, Mark::Bars, bars)),
    )
}

/// Bars side by side.
fn beliefs() -> Figure {
    let sets = ["bank", "adult", "credit", "insurance", "customer"];
    let mut panel = Panel::new("")
        .x(Axis::new("").categories(sets))
        .y(Axis::new("decisions flipped").format(NumberFormat::Percent));
    for (name, colour, base) in [
        ("gaussian", Colour::GAUSSIAN, 0.011),
        ("bayes-nn", Colour::BAYESIAN, 0.008),
        ("copula", Colour::COPULA, 0.004),
    ] {
        let bars = (0..5).map(|set| {
            let value = base * (1.0 + 0.3 * f64::from(set).sin());
            DataPoint::new(f64::from(set), value).within(value * 0.8, value * 1.2)
        });
        panel = panel.series(Series::new(name, colour, Mark::Bars, bars));
    }
    Figure::new(
        "Flips by belief",
        "The share of decisions at δ = 0.01 that differ from those with everything revealed.",
    )
    .panel(panel)
}

/// Bars side by side on their side, beside a histogram.
fn groups() -> Figure {
    let names = ["north", "east", "south", "west"];
    let bars =
        |factor: f64| (0..4).map(move |place| DataPoint::new(factor * (4.0 + f64::from(place)), f64::from(place)));
    let histogram =
        (0..=10).map(|asked| (f64::from(asked), (900.0 * (-(f64::from(asked) - 4.0).powi(2) / 8.0).exp()).round()));
    Figure::new("Questions by region, and people by questions", "")
        .columns(2)
        .panel(
            Panel::new("by region")
                .x(Axis::new("mean number of questions"))
                .y(Axis::new("").categories(names))
                .series(Series::new("δ = 0", Colour::DECISIVE, Mark::Bars, bars(1.0)))
                .series(Series::new("δ = 0.05", Colour::DECISIVE.shaded(0.6), Mark::Bars, bars(0.5))),
        )
        .panel(
            Panel::new("all regions, δ = 0")
                .x(Axis::new("questions asked").format(NumberFormat::Count))
                .y(Axis::new("people").format(NumberFormat::Count))
                .series(Series::new("people", Colour::DECISIVE, Mark::Bars, histogram)),
        )
}

/// A curve with one point chosen, and agreement against what was promised.
fn chosen() -> Figure {
    let curve = |delta: f64| (0.6 * (-delta * 18.0).exp() + 0.05, 0.80 - delta * 0.12 - delta * delta);
    let deltas: Vec<f64> = (0..=20).map(|step| f64::from(step) / 100.0).collect();
    let promised = [0.8, 0.9, 0.95, 0.99];
    Figure::new(
        "Choosing δ",
        "Accuracy against leakage as δ grows from 0 to 0.2; the agreement promised and that observed.",
    )
    .columns(2)
    .sharing(Sharing::Nothing)
    .panel(
        Panel::new("the trade")
            .x(Axis::new("leakage").format(NumberFormat::Percent))
            .y(Axis::new("accuracy").format(NumberFormat::Percent))
            .series(Series::line("decisive", Colour::DECISIVE, deltas.iter().map(|delta| curve(*delta))))
            .series(Series::new("chosen: δ = 0.05", Colour::DECISIVE, Mark::Chosen, [curve(0.05)])),
    )
    .panel(
        Panel::new("agreement")
            .x(Axis::new("promised").format(NumberFormat::Probability).range(0.78, 1.0))
            .y(Axis::new("observed").format(NumberFormat::Probability).range(0.78, 1.0))
            .series(Series::new("as promised", Colour::ALL_FEATURES, Mark::Dotted, [(0.78, 0.78), (1.0, 1.0)]))
            .series(Series::new(
                "observed",
                Colour::new(Hue::Green),
                Mark::Points,
                promised
                    .map(|p| DataPoint::new(p, p + 0.2 * (1.0 - p)).within(p - 0.1 * (1.0 - p), p + 0.5 * (1.0 - p))),
            )),
    )
}

/// What charts must not hide: zeros on a logarithmic axis, gaps, single points, long and hostile names.
fn edges() -> Figure {
    let x = || Axis::new("δ").format(NumberFormat::Number);
    Figure::new("Edges", "Zero on a logarithmic axis, a value that is missing, one point, nothing at all.")
        .columns(4)
        .panel(Panel::new("zeros").x(x()).y(Axis::new("flips").format(NumberFormat::Percent).log()).series(
            Series::line(
                "flips",
                Colour::DECISIVE,
                [(0.0, 0.0), (0.01, 0.002), (0.05, 0.021), (0.1, 0.0), (0.2, 0.13)],
            ),
        ))
        .panel(Panel::new("a gap").x(x()).y(Axis::new("mean")).series(Series::line(
            "mean",
            Colour::F_SCORE,
            [(0.0, 3.0), (0.05, 2.6), (0.1, f64::NAN), (0.15, 1.4), (0.2, 1.2)],
        )))
        .panel(Panel::new("one point").x(x()).y(Axis::new("odd <unit> & \"quotes\"")).series(Series::line(
            "lonely",
            Colour::IMPORTANCE,
            [(0.1, 12_345.0)],
        )))
        .panel(Panel::new("nothing, under a title that is much too long").x(x()).y(Axis::new("empty")))
}
