//! Two small figures: every number is where it belongs, and says what it is.

use mindrel_plot::{Axis, Colour, DataPoint, Figure, Mark, NumberFormat, Panel, Series};
use roxmltree::{Document, Node};

fn with_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class));
    document.descendants().filter(has).collect()
}

fn number(node: &Node<'_, '_>, attribute: &str) -> f64 {
    node.attribute(attribute).and_then(|text| text.parse().ok()).expect("a place is a number")
}

/// The titles that tell the values when pointed at, without those of the document itself.
fn told(document: &Document<'_>) -> Vec<String> {
    let titles = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    titles.filter(|node| node.attribute("id").is_none()).filter_map(|node| node.text()).map(plain).collect()
}

fn texts(document: &Document<'_>) -> Vec<String> {
    let texts = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts.filter_map(|node| node.text()).map(plain).collect()
}

fn plain(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}

#[test]
fn lines_with_bands_stand_where_a_logarithmic_axis_has_them() {
    let panel = Panel::new("bank")
        .x(Axis::new("|S|").ticks([2.0, 3.0]))
        .y(Axis::new("leakage").format(NumberFormat::Percent).log())
        .series(Series::line(
            "decisive",
            Colour::DECISIVE,
            [DataPoint::new(2.0, 0.1).within(0.08, 0.12), DataPoint::new(3.0, 0.05).within(0.0, 0.06)],
        ))
        .series(Series::new("optimal", Colour::OPTIMAL, Mark::Dashed, [(2.0, 0.09), (3.0, 0.0)]));
    let svg = Figure::new("Leakage", "By rule.").panel(panel).to_svg();
    let document = Document::parse(&svg).expect("it is well formed");

    let values = [
        "decisive: |S| 2, leakage 10.0 % (8.0 % to 12.0 %)",
        "decisive: |S| 3, leakage 5.0 % (0.0 % to 6.0 %)",
        "optimal: |S| 2, leakage 9.0 %",
        "optimal: |S| 3, leakage 0.0 %; beyond the axis, drawn at its edge",
    ];
    assert_eq!(told(&document), values);
    let texts = texts(&document);
    for text in ["Leakage", "bank", "leakage", "|S|", "2", "3", "2 %", "5 %", "10 %", "20 %", "decisive", "optimal"] {
        assert!(texts.iter().any(|other| other == text), "{text:?} is missing among {texts:?}");
    }

    // Halving 10 % goes as far down as halving 20 % does.
    let labels = with_class(&document, "mp-number");
    let height = |label: &str| {
        let at = labels.iter().find(|node| node.text().map(plain).as_deref() == Some(label)).expect("a label");
        number(at, "y")
    };
    assert!(((height("5 %") - height("10 %")) - (height("10 %") - height("20 %"))).abs() < 0.1);
    let dots = with_class(&document, "mp-dot");
    assert!((number(&dots[1], "cy") - number(&dots[0], "cy") - (height("5 %") - height("10 %"))).abs() < 0.1);

    let floor = with_class(&document, "mp-axis").iter().map(|node| number(node, "y1")).fold(0.0, f64::max);
    let hollow = with_class(&document, "mp-hollow");
    assert_eq!(hollow.iter().map(|node| number(node, "cy")).collect::<Vec<f64>>(), [floor]);
    assert_eq!([with_class(&document, "mp-band").len(), with_class(&document, "mp-dashed").len()], [1, 2]);
}

#[test]
fn bars_on_their_side_are_as_long_as_their_values() {
    let panel = Panel::new("")
        .x(Axis::new("share of people").format(NumberFormat::Percent).range(0.0, 1.0))
        .y(Axis::new("").categories(["Income", "Age <years>"]))
        .series(Series::new("asked", Colour::DECISIVE, Mark::Bars, [(0.93, 0.0), (0.25, 1.0)]));
    let svg = Figure::new("How often each question is asked", "").panel(panel).to_svg();
    let document = Document::parse(&svg).expect("it is well formed");

    assert_eq!(
        told(&document),
        ["asked: Income, share of people 93.0 %", "asked: Age <years>, share of people 25.0 %"]
    );
    let texts = texts(&document);
    for text in ["Income", "Age <years>", "0 %", "100 %", "93.0 %", "25.0 %", "share of people"] {
        assert!(texts.iter().any(|other| other == text), "{text:?} is missing among {texts:?}");
    }
    let bars = with_class(&document, "mp-bar");
    let lines: Vec<f64> = with_class(&document, "mp-grid").iter().map(|node| number(node, "x1")).collect();
    let whole = lines.iter().copied().fold(f64::NEG_INFINITY, f64::max) - lines[0];
    for (bar, share) in bars.iter().zip([0.93, 0.25]) {
        assert_eq!(number(bar, "x"), lines[0]);
        assert!((number(bar, "width") - share * whole).abs() < 0.5, "grid lines lie on whole pixels");
    }
    assert!(number(&bars[0], "y") < number(&bars[1], "y"), "in the order they were given");
}

/// Both themes are in the document, and nothing is loaded.
#[test]
fn a_drawing_follows_the_theme_and_needs_nothing_else() {
    let panel = Panel::new("").series(Series::line("one", Colour::DECISIVE, [(0.0, 1.0), (1.0, 2.0)]));
    let figure = Figure::new("A line", "").panel(panel);
    let svg = figure.to_svg();
    assert!(svg.contains("prefers-color-scheme:dark") && !svg.contains("url(") && !svg.contains("href"));
    assert_eq!(svg, figure.to_svg(), "the same figure gives the same bytes");
}
