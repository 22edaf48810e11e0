//! Laws of drawn trees, on any names.

use proptest::prelude::*;

use super::cell::Rectangle;
use crate::text::width;
use crate::{Colour, Hue, NodeShape, TreeBranch, TreeDiagram, TreeNode};

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("</title></svg><script>alert(1)</script>".to_owned()),
        Just("]]>--><!-- &amp; \" onload='x' \0\u{202e}".to_owned()),
        Just("an answer with more words than there is room for ".repeat(5)),
        "[a-z 0-9]{1,14}",
        any::<String>(),
    ]
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

/// A text and the area it takes up; all but the title start where they stand.
fn area_of(node: roxmltree::Node<'_, '_>) -> (String, Rectangle) {
    let number = |name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let text = node.text().unwrap_or_default().to_owned();
    let is_title = node.attribute("class").is_some_and(|class| class.contains("mp-title"));
    let (left, baseline) = (number("x"), number("y"));
    let right = left + width(&text, if is_title { 15.0 * 1.08 } else { 12.0 });
    (text, Rectangle { left, right, top: baseline - 9.0, bottom: baseline })
}

proptest! {
    /// No element is there that we do not write, and no handler, whatever questions and answers are called.
    #[test]
    fn every_tree_is_well_formed_and_holds_only_our_elements(tree in any_tree()) {
        let drawn = ["svg", "title", "desc", "style", "g", "rect", "path", "circle", "text"];
        for svg in [tree.to_svg(), tree.to_inline_svg()] {
            let document = roxmltree::Document::parse(&svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
            for element in document.descendants().filter(|node| node.is_element()) {
                prop_assert!(drawn.contains(&element.tag_name().name()), "{:?}", element.tag_name());
                for attribute in element.attributes() {
                    prop_assert!(!attribute.name().starts_with("on") && attribute.name() != "href");
                    prop_assert!(!attribute.value().contains("NaN") && !attribute.value().contains("inf"));
                }
            }
            prop_assert_eq!(document.root_element().attribute("role"), Some("img"));
        }
        prop_assert_eq!(tree.to_svg(), tree.clone().to_svg());
    }

    /// By the estimated widths.
    #[test]
    fn texts_of_a_tree_stay_on_the_paper_and_apart(tree in any_tree()) {
        let svg = tree.to_svg();
        let document = roxmltree::Document::parse(&svg).expect("trees are well-formed");
        let size = |name: &str| document.root_element().attribute(name).and_then(|text| text.parse::<f64>().ok());
        let (wide, high) = size("width").zip(size("height")).expect("trees have a size");
        let texts = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        let areas: Vec<_> = texts.map(area_of).filter(|(_, area)| area.width() > 0.0).collect();
        for (place, (text, area)) in areas.iter().enumerate() {
            prop_assert!(area.left >= 0.0 && area.right <= wide + 0.1, "{text} leaves {svg}");
            prop_assert!(area.top >= 0.0 && area.bottom <= high, "{text} leaves {svg}");
            for (other, beside) in &areas[..place] {
                let apart = area.left >= beside.right - 0.1 || beside.left >= area.right - 0.1
                    || area.top >= beside.bottom - 0.1 || beside.top >= area.bottom - 0.1;
                prop_assert!(apart, "{text:?} on {other:?}: {area:?} {beside:?}");
            }
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
