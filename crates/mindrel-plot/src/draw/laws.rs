//! Laws of all drawings, on figures of any names and numbers and on trees of any names.

use proptest::prelude::*;

use super::cell::Rectangle;
use super::layout::{FigureLayout, Paper};
use crate::{
    Axis, Colour, DataPoint, Figure, Hue, Mark, NodeShape, NumberFormat, Panel, Scale, Series, Sharing, TreeBranch,
    TreeDiagram, TreeNode, stylesheet,
};

/// Lengths are sums of rounded numbers.
const ROUNDING: f64 = 1e-6;

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("</title></svg><script>alert(1)</script>".to_owned()),
        Just("]]>--><!-- &amp; &#0; \" onload='x' \0\u{b}\u{fffe}\u{202e}".to_owned()),
        Just("a question with a name that is much longer than any panel is wide ".repeat(4)),
        "[a-z |δ=0-9]{1,20}",
        any::<String>(),
    ]
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -2.0..2.0,
        2 => (-12..12i32).prop_map(|exponent| 10f64.powi(exponent)),
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, 100.0, 12_000.0]),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324]),
        1 => any::<f64>(),
    ]
}

fn any_axis() -> impl Strategy<Value = Axis> {
    let format = prop::sample::select(vec![
        NumberFormat::Number,
        NumberFormat::Percent,
        NumberFormat::Decimal,
        NumberFormat::Count,
        NumberFormat::Seconds,
        NumberFormat::Probability,
    ]);
    let range = prop::option::weighted(0.2, (any_number(), any_number()));
    let ticks = prop::option::weighted(0.2, prop::collection::vec(any_number(), 0..5));
    let categories = prop_oneof![4 => Just(vec![]), 1 => prop::collection::vec(any_text(), 1..5)];
    let scale = prop::sample::select(vec![Scale::Linear, Scale::Log]);
    let label = prop_oneof![Just("same".to_owned()), any_text()];
    let least_span = prop::option::weighted(0.2, 0.0..10.0);
    let parts = (label, scale, format, range, least_span, ticks, categories);
    parts.prop_map(|(label, scale, format, range, least_span, ticks, categories)| Axis {
        label,
        scale,
        format,
        range,
        least_span,
        limits: None,
        ticks,
        categories,
    })
}

fn any_series() -> impl Strategy<Value = Series> {
    let mark = prop::sample::select(vec![
        Mark::Line,
        Mark::Dashed,
        Mark::Dotted,
        Mark::Steps,
        Mark::Bars,
        Mark::Points,
        Mark::Named,
        Mark::Chosen,
    ]);
    let interval = prop::option::of((any_number(), any_number()));
    let point = (any_number(), any_number(), interval).prop_map(|(x, y, interval)| DataPoint { x, y, interval });
    let colour = (prop::sample::select(Hue::ALL.to_vec()), any_number());
    (any_text(), colour, mark, prop::collection::vec(point, 0..8))
        .prop_map(|(name, (hue, shade), mark, points)| Series { name, colour: Colour { hue, shade }, mark, points })
}

fn any_figure() -> impl Strategy<Value = Figure> {
    let panel = (any_text(), any_axis(), any_axis(), prop::collection::vec(any_series(), 0..5))
        .prop_map(|(title, x, y, series)| Panel { title, x, y, series });
    let sharing = prop::sample::select(vec![Sharing::Rows, Sharing::Figure, Sharing::Nothing]);
    (any_text(), any_text(), 0..6usize, sharing, prop::collection::vec(panel, 0..5)).prop_map(
        |(title, description, columns, sharing, panels)| Figure { title, description, columns, sharing, panels },
    )
}

fn any_node() -> impl Strategy<Value = TreeNode> {
    let shape = prop_oneof![
        Just(NodeShape::Framed),
        Just(NodeShape::Faint),
        prop::sample::select(Hue::ALL.to_vec()).prop_map(|hue| NodeShape::Outcome(Colour::new(hue))),
    ];
    let leaf = (any_text(), any_text(), any_text(), shape)
        .prop_map(|(text, note, told, shape)| TreeNode::new(text, shape).note(note).told(told));
    leaf.prop_recursive(3, 24, 4, |inner| {
        let branches = prop::collection::vec((any_text(), inner), 1..4);
        (any_text(), any_text(), branches).prop_map(|(text, told, branches)| {
            let branches = branches.into_iter().map(|(label, node)| TreeBranch { label, node }).collect();
            TreeNode { branches, ..TreeNode::new(text, NodeShape::Framed).told(told) }
        })
    })
}

fn any_tree() -> impl Strategy<Value = TreeDiagram> {
    (any_text(), any_text(), any_node())
        .prop_map(|(title, description, root)| TreeDiagram::new(title, description, root))
}

/// A text and the area it takes up: its capitals, which no letter leaves by more than the distance of two lines allows.
fn area_of(node: roxmltree::Node<'_, '_>) -> (String, Rectangle) {
    let number = |name: &str| node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let text = node.text().unwrap_or_default().to_owned();
    let class = node.attribute("class").unwrap_or_default();
    let size = if class.contains("mp-title") {
        15.0 * 1.08
    } else if class.contains("mp-heading") {
        13.0 * 1.08
    } else {
        12.0
    };
    let (x, y, width): (f64, f64, f64) = (number("x"), number("y"), crate::text::width(&text, size));
    let left = match node.attribute("text-anchor") {
        Some("end") => x - width,
        Some("middle") => x - width / 2.0,
        _ => x,
    };
    (text, Rectangle { left, right: left + width, top: y - 9.0, bottom: y })
}

/// No element is there that we do not write, and no handler.
fn check_elements(svg: &str) -> Result<(), TestCaseError> {
    let drawn = ["svg", "title", "desc", "style", "g", "rect", "line", "path", "circle", "text"];
    let document = roxmltree::Document::parse(svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
    for element in document.descendants().filter(|node| node.is_element()) {
        prop_assert!(drawn.contains(&element.tag_name().name()), "{:?}", element.tag_name());
        for attribute in element.attributes() {
            prop_assert!(!attribute.name().starts_with("on") && attribute.name() != "href");
            prop_assert!(!attribute.value().contains("NaN") && !attribute.value().contains("inf"), "{svg}");
        }
    }
    prop_assert_eq!(document.root_element().attribute("role"), Some("img"));
    Ok(())
}

/// By the estimated widths, texts stay on the paper and do not overlap.
fn check_texts(svg: &str) -> Result<(), TestCaseError> {
    let document = roxmltree::Document::parse(svg).expect("drawings are well-formed");
    let size = |name: &str| document.root_element().attribute(name).and_then(|text| text.parse().ok());
    let (width, height): (f64, f64) = size("width").zip(size("height")).expect("drawings have a size");
    let texts = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    let areas: Vec<_> = texts.map(area_of).collect();
    for (place, (text, area)) in areas.iter().enumerate() {
        prop_assert!(area.left >= -ROUNDING && area.right <= width + ROUNDING, "{text} leaves {svg}");
        prop_assert!(area.top >= -ROUNDING && area.bottom <= height + ROUNDING, "{text} leaves {svg}");
        for (other, beside) in &areas[..place] {
            let across = area.left >= beside.right - ROUNDING || beside.left >= area.right - ROUNDING;
            let apart = across || area.top >= beside.bottom - ROUNDING || beside.top >= area.bottom - ROUNDING;
            let is_empty = area.width() == 0.0 || beside.width() == 0.0;
            prop_assert!(apart || is_empty, "{text:?} on {other:?}: {area:?} {beside:?} in {svg}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_figure_is_well_formed_and_holds_only_our_elements(figure in any_figure()) {
        check_elements(&figure.to_svg())?;
        check_elements(&figure.to_inline_svg())?;
        let html = figure.to_html();
        prop_assert!(roxmltree::Document::parse(&html).is_ok());
        prop_assert!(!html.contains("<script"));
    }

    #[test]
    fn every_number_that_is_finite_lies_inside_its_panel(figure in any_figure()) {
        for cell in &FigureLayout::of(&figure, true, Paper::Roomy).cells {
            let (across, down) = (
                cell.plot.left - ROUNDING..=cell.plot.right + ROUNDING,
                cell.plot.top - ROUNDING..=cell.plot.bottom + ROUNDING,
            );
            for point in cell.panel.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite()) {
                let spots = cell.ends_of(point).into_iter().flatten().chain([cell.spot_of(point)]);
                for spot in spots {
                    prop_assert!(across.contains(&spot.x) && down.contains(&spot.y), "{point:?} at {spot:?}");
                }
            }
        }
    }

    #[test]
    fn panels_lie_on_the_paper_and_apart(figure in any_figure()) {
        let layout = FigureLayout::of(&figure, true, Paper::Roomy);
        for (place, cell) in layout.cells.iter().enumerate() {
            let plot = &cell.plot;
            prop_assert!(plot.left >= 0.0 && plot.top >= 0.0 && plot.right <= layout.width && plot.bottom <= layout.height);
            for other in &layout.cells[..place] {
                prop_assert!(other.plot.right < plot.left || other.plot.bottom < plot.top);
            }
        }
    }

    /// What is written beside data, of what was chosen and of bars, goes with the data.
    #[test]
    fn texts_stay_on_the_paper_and_do_not_overlap(mut figure in any_figure()) {
        for series in figure.panels.iter_mut().flat_map(|panel| &mut panel.series) {
            let is_beside = matches!(series.mark, Mark::Named | Mark::Chosen | Mark::Bars);
            series.mark = if is_beside { Mark::Line } else { series.mark };
        }
        check_texts(&figure.to_svg())?;
        check_texts(&figure.to_slim_svg())?;
    }

    #[test]
    fn every_tree_is_well_formed_and_holds_only_our_elements(tree in any_tree()) {
        check_elements(&tree.to_svg())?;
        prop_assert_eq!(tree.to_svg(), tree.clone().to_svg());
    }

    #[test]
    fn texts_of_a_tree_stay_on_the_paper_and_apart(tree in any_tree()) {
        check_texts(&tree.to_svg())?;
    }

    #[test]
    fn ticks_rise_within_the_axis(figure in any_figure()) {
        for cell in &FigureLayout::of(&figure, true, Paper::Roomy).cells {
            for (axis, given) in [(&cell.x, &cell.panel.x), (&cell.y, &cell.panel.y)] {
                prop_assert!(axis.ticks.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", axis.ticks);
                prop_assert!(axis.ticks.iter().all(|tick| axis.place(*tick).inside));
                let free = given.categories.is_empty() && given.ticks.is_none();
                // Of whole things there may be too few to count.
                if free && given.format != NumberFormat::Count {
                    prop_assert!((3..=8).contains(&axis.ticks.len()), "{axis:?}");
                }
            }
        }
    }

    #[test]
    fn panels_that_share_a_scale_have_the_same_numbers(figure in any_figure()) {
        let figure = Figure { sharing: Sharing::Figure, ..figure };
        let cells = FigureLayout::of(&figure, true, Paper::Roomy).cells;
        for (one, other) in cells.iter().zip(cells.iter().skip(1)) {
            let (a, b) = (&one.panel.y, &other.panel.y);
            let free = |axis: &Axis| axis.range.is_none() && axis.ticks.is_none() && axis.categories.is_empty();
            let same = (&a.label, a.scale, a.format, a.least_span) == (&b.label, b.scale, b.format, b.least_span);
            if same && free(a) && free(b) {
                prop_assert_eq!(&one.y, &other.y);
            }
        }
    }

    #[test]
    fn the_same_figure_gives_the_same_bytes(figure in any_figure()) {
        prop_assert_eq!(figure.to_svg(), figure.clone().to_svg());
        prop_assert_eq!(figure.to_inline_svg(), figure.clone().to_inline_svg());
    }

    #[test]
    fn every_point_has_a_row(figure in any_figure()) {
        let points: usize = figure.panels.iter().flat_map(|panel| &panel.series).map(|series| series.points.len()).sum();
        let rows = figure.rows();
        prop_assert_eq!(rows.len(), points);
        prop_assert!(serde_json::to_string(&rows).is_ok() && serde_json::to_string(&figure).is_ok());
    }
}

#[test]
fn what_has_no_logarithm_is_drawn_hollow_at_the_edge_and_says_its_value() {
    let panel = Panel::new("")
        .x(Axis::new("δ"))
        .y(Axis::new("flips").format(NumberFormat::Percent).log())
        .series(Series::line("flips", Colour::DECISIVE, [(0.0, 0.0), (0.1, 0.02), (0.2, 0.2)]));
    let figure = Figure::new("", "").panel(panel);
    let layout = FigureLayout::of(&figure, false, Paper::Roomy);
    let cell = &layout.cells[0];
    let spots: Vec<_> = cell.panel.series[0].points.iter().map(|point| cell.spot_of(point)).collect();
    assert_eq!((spots[0].y, spots[0].inside), (cell.plot.bottom, false));
    assert!(spots[1].y < cell.plot.bottom && spots[1].inside);
    let svg = figure.to_svg();
    assert_eq!(svg.matches("class=\"mp-hollow").count(), 1);
    assert!(svg.contains("flips: δ 0, flips 0.0\u{202f}%; beyond the axis, drawn at its edge"));
}

#[test]
fn what_is_no_number_is_counted_and_leaves_a_gap() {
    let points = [(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, f64::INFINITY)];
    let figure = Figure::new("", "Means.").panel(Panel::new("").series(Series::line("mean", Colour::RANDOM, points)));
    let svg = figure.to_svg();
    assert!(svg.contains("Means. 2 values are not numbers and are not drawn."));
    assert_eq!(svg.matches("<path").count(), 2);
}

#[test]
fn names_that_a_row_repeats_are_told_once() {
    let panel =
        |title: &str| {
            Panel::new(title)
                .series(Series::line("one", Colour::DECISIVE, [(0.0, 1.0), (1.0, 2.0)]))
                .series(Series::line("two", Colour::RANDOM, [(0.0, 2.0), (1.0, 3.0)]))
        };
    let figure = Figure::new("", "").columns(2).panel(panel("left")).panel(panel("right"));
    assert_eq!(figure.to_svg().matches(">one</text>").count(), 1);
}

#[test]
fn every_class_of_colour_is_in_the_style_sheet() {
    let sheet = stylesheet();
    for hue in Hue::ALL {
        for place in 0..20 {
            let class = Colour::new(hue).graded(place, 20).class();
            assert!(sheet.contains(&format!(".{class}{{")), "{class}");
        }
    }
}

#[test]
fn every_node_and_every_way_on_is_drawn() {
    let leaf = |text: &str| TreeNode::new(text, NodeShape::Outcome(Colour::DECISIVE)).note("proved");
    let root = TreeNode::new("Income", NodeShape::Framed).told("asked because it tells most");
    let tree = TreeDiagram::new("First questions", "", root.branch("low", leaf("bad")).branch("high", leaf("good")));
    let svg = tree.to_svg();
    for text in [">Income<", ">low<", ">high<", ">bad<", ">good<", "<title>asked because it tells most</title>"] {
        assert!(svg.contains(text), "{text} is missing from {svg}");
    }
    assert_eq!((svg.matches("<path").count(), svg.matches(">proved<").count()), (2, 2));
}
