//! Trees as SVG: one column for each step, one row for each leaf, a parent in the middle of its children.

use std::collections::BTreeSet;

use super::frame::words;
use super::layout::{MARGIN, TEXT};
use super::{SvgDocument, document};
use crate::style;
use crate::text;
use crate::tree::{NodeShape, TreeDiagram, TreeNode};
use crate::xml::{Xml, length};

/// From one leaf to the next.
const ROW: f64 = 30.0;
const FRAME_HEIGHT: f64 = 22.0;
/// On each side of a text in its frame, and between a dot and its text.
const PADDING: f64 = 9.0;
const DOT: f64 = 4.5;
/// The widest a node and a label may become.
const MOST_NODE: f64 = 220.0;
const MOST_LABEL: f64 = 130.0;
/// What a way on takes besides its label: out of the parent, up or down, and into the child.
const BEND: f64 = 16.0;
const TITLE_LINE: f64 = 21.0;
const LINE: f64 = 16.0;
/// Under the title.
const MOST_LINES: usize = 5;
/// Titles have at least so much room.
const LEAST_WIDTH: f64 = 460.0;
/// Between a way on and a text without a frame.
const SPACE: f64 = 5.0;

impl TreeDiagram {
    /// An SVG document of its own, with its title, its style and a background for light and dark.
    pub fn to_svg(&self) -> String {
        let colours = self.root.all().into_iter().filter_map(|node| match node.shape {
            NodeShape::Outcome(colour) => Some((colour.hue, colour.step())),
            NodeShape::Framed | NodeShape::Faint => None,
        });
        let used: BTreeSet<_> = colours.collect();
        let style = format!("<style>\n{}</style>\n", style::standalone(&used));
        let columns = TreeColumns::of(&self.root);
        let room = columns.width.max(LEAST_WIDTH);
        let mut body = Xml::default();
        let mut top = MARGIN;
        for line in &text::wrapped(&self.title, 15.0 * 1.08, room, 3) {
            top += TITLE_LINE;
            let y = length(top - 6.0);
            body.leaf("text", &[("class", "mp-text mp-title"), ("x", &length(MARGIN)), ("y", &y)], line);
        }
        let told = text::wrapped(&self.description, TEXT, room, MOST_LINES);
        for line in &told {
            top += LINE;
            words(&mut body, "mp-muted", "start", (MARGIN, top - 5.0), line, room);
        }
        top += if told.is_empty() { 0.0 } else { LINE / 2.0 };
        let mut drawing = Drawing { columns: &columns, edges: Xml::default(), nodes: Xml::default(), next: top };
        drawing.node(&self.root, 0);
        let height = drawing.next + MARGIN;
        let (edges, nodes) = (drawing.edges.finish(), drawing.nodes.finish());
        body.append(&edges);
        body.append(&nodes);
        let body = body.finish();
        document(&SvgDocument {
            title: &self.title,
            told: &self.description,
            size: (room + 2.0 * MARGIN, height),
            body: &body,
            style: &style,
        })
    }
}

/// Where each step of the tree starts and how much room its labels have.
struct TreeColumns {
    /// The left of the nodes of each step.
    starts: Vec<f64>,
    /// The room of the labels in front of them.
    labels: Vec<f64>,
    width: f64,
}

impl TreeColumns {
    fn of(root: &TreeNode) -> Self {
        let (mut nodes, mut labels) = (vec![], vec![]);
        measure(root, 0, &mut nodes, &mut labels);
        let mut starts = vec![MARGIN];
        for step in 1..nodes.len() {
            starts.push(starts[step - 1] + nodes[step - 1] + 2.0 * BEND + labels[step]);
        }
        let width = starts[nodes.len() - 1] + nodes[nodes.len() - 1] - MARGIN;
        TreeColumns { starts, labels, width }
    }
}

/// The widest node and label of each step.
fn measure(node: &TreeNode, step: usize, nodes: &mut Vec<f64>, labels: &mut Vec<f64>) {
    if nodes.len() == step {
        nodes.push(0.0);
        labels.push(0.0);
    }
    nodes[step] = nodes[step].max(node_width(node));
    for branch in &node.branches {
        measure(&branch.node, step + 1, nodes, labels);
        labels[step + 1] = labels[step + 1].max(text::width(&branch.label, TEXT).min(MOST_LABEL));
    }
}

fn node_width(node: &TreeNode) -> f64 {
    let note = if node.note.is_empty() { 0.0 } else { 6.0 + text::width(&node.note, TEXT).min(MOST_NODE) };
    let around = match node.shape {
        NodeShape::Framed => 2.0 * PADDING,
        NodeShape::Outcome(_) => 2.0 * DOT + PADDING,
        NodeShape::Faint => SPACE,
    };
    around + text::width(&node.text, TEXT).min(MOST_NODE) + note
}

struct Drawing<'a> {
    columns: &'a TreeColumns,
    edges: Xml,
    nodes: Xml,
    /// The top of the next row.
    next: f64,
}

impl Drawing<'_> {
    /// Draws a node and all behind it; returns the height of its middle.
    fn node(&mut self, node: &TreeNode, step: usize) -> f64 {
        let heights: Vec<f64> = node.branches.iter().map(|branch| self.node(&branch.node, step + 1)).collect();
        let middle = match heights[..] {
            [] => {
                self.next += ROW;
                self.next - ROW / 2.0
            }
            [first, .., last] => f64::midpoint(first, last),
            [only] => only,
        };
        let left = self.columns.starts[step];
        let right = left + node_width(node);
        for (branch, height) in node.branches.iter().zip(heights) {
            self.edge(
                (right, middle),
                (self.columns.starts[step + 1], height),
                &branch.label,
                self.columns.labels[step + 1],
            );
        }
        self.shape(node, left, middle);
        middle
    }

    /// A way on: to the right, up or down, and on under its label.
    fn edge(&mut self, from: (f64, f64), to: (f64, f64), label: &str, room: f64) {
        let bend = to.0 - BEND - room;
        let [x0, y0, x, y, x1] = [from.0, from.1, bend, to.1, to.0].map(length);
        self.edges.empty("path", &[("class", "mp-edge"), ("d", &format!("M{x0} {y0}H{x}V{y}H{x1}"))]);
        words(&mut self.nodes, "mp-muted", "start", (bend + BEND / 2.0, to.1 - 4.0), label, room);
    }

    fn shape(&mut self, node: &TreeNode, left: f64, middle: f64) {
        let xml = &mut self.nodes;
        xml.open("g", &[]);
        if !node.told.is_empty() {
            xml.leaf("title", &[], &node.told);
        }
        let baseline = middle + 4.0;
        let (start, class) = match node.shape {
            NodeShape::Framed => {
                let (x, y) = (length(left), length(middle - FRAME_HEIGHT / 2.0));
                let (width, height) = (length(node_width(node)), length(FRAME_HEIGHT));
                let place = [("x", x.as_str()), ("y", &y), ("width", &width), ("height", &height), ("rx", "5")];
                xml.empty("rect", &[&[("class", "mp-node")][..], &place].concat());
                (left + PADDING, "mp-text")
            }
            NodeShape::Outcome(colour) => {
                let class = format!("mp-fill {}", colour.class());
                let (x, y) = (length(left + DOT), length(middle));
                xml.empty("circle", &[("class", &class), ("cx", &x), ("cy", &y), ("r", &length(DOT))]);
                (left + 2.0 * DOT + PADDING, "mp-text")
            }
            NodeShape::Faint => (left + SPACE, "mp-muted"),
        };
        words(xml, class, "start", (start, baseline), &node.text, MOST_NODE);
        if !node.note.is_empty() {
            let after = start + text::width(&node.text, TEXT).min(MOST_NODE) + 6.0;
            words(xml, "mp-muted", "start", (after, baseline), &node.note, MOST_NODE);
        }
        xml.close("g");
    }
}
