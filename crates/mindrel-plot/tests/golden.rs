//! Two small figures as they were when somebody last looked at them.
//!
//! After a change that is meant to be seen: `MINDREL_RENEW=1 cargo test -p mindrel-plot --test golden`, then look at the files.

use std::path::Path;
use std::{env, fs};

use mindrel_plot::{Axis, Colour, DataPoint, Figure, Mark, NumberFormat, Panel, Series};

fn is_as_kept(name: &str, figure: &Figure) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let drawn = figure.to_svg();
    if env::var_os("MINDREL_RENEW").is_some() {
        fs::write(&path, &drawn).expect("the folder of kept figures can be written to");
    }
    let kept = fs::read_to_string(&path).expect("the figure was kept");
    assert!(drawn == kept, "{name} is drawn otherwise than it was kept");
}

#[test]
fn lines_with_bands_on_a_logarithmic_axis_are_drawn_as_ever() {
    let panel = Panel::new("bank")
        .x(Axis::new("|S|").ticks([2.0, 3.0]))
        .y(Axis::new("leakage").format(NumberFormat::Percent).log())
        .series(Series::line(
            "decisive",
            Colour::DECISIVE,
            [DataPoint::new(2.0, 0.1).within(0.08, 0.12), DataPoint::new(3.0, 0.05).within(0.0, 0.06)],
        ))
        .series(Series::new("optimal", Colour::OPTIMAL, Mark::Dashed, [(2.0, 0.09), (3.0, 0.0)]));
    is_as_kept("lines.svg", &Figure::new("Leakage", "By rule.").panel(panel));
}

#[test]
fn bars_on_their_side_are_drawn_as_ever() {
    let panel = Panel::new("")
        .x(Axis::new("share of people").format(NumberFormat::Percent).range(0.0, 1.0))
        .y(Axis::new("").categories(["Income", "Age <years>"]))
        .series(Series::new("asked", Colour::DECISIVE, Mark::Bars, [(0.93, 0.0), (0.25, 1.0)]));
    is_as_kept("bars.svg", &Figure::new("What is asked how often", "").panel(panel));
}
