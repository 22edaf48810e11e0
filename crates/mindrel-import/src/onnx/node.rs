//! A node of the graph and its attributes.

use rten_onnx::onnx::{AttributeProto, NodeProto};

use super::tensor::Tensor;
use crate::ReadError;

/// A node, with ways to get at its attributes.
#[derive(Clone, Copy)]
pub(super) struct GraphNode<'a> {
    pub proto: &'a NodeProto,
    pub place: usize,
}

impl<'a> GraphNode<'a> {
    pub fn operator(&self) -> &'a str {
        self.proto.op_type.as_deref().unwrap_or_default()
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match self.proto.name.as_deref() {
            Some(name) if !name.is_empty() => format!("node \"{name}\" ({})", self.operator()),
            _ => format!("node {} ({})", self.place, self.operator()),
        }
    }

    pub fn damaged(&self, what: &str) -> ReadError {
        ReadError::damaged(self.name(), what)
    }

    pub fn attribute(&self, name: &str) -> Option<&'a AttributeProto> {
        self.proto.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name))
    }

    pub fn integer(&self, name: &str) -> Option<i64> {
        self.attribute(name)?.i
    }

    pub fn float(&self, name: &str) -> Option<f32> {
        self.attribute(name)?.f
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute(name)?.s.as_deref()
    }

    pub fn integers(&self, name: &str) -> &'a [i64] {
        self.attribute(name).map_or(&[], |attribute| &attribute.ints)
    }

    pub fn texts(&self, name: &str) -> &'a [String] {
        self.attribute(name).map_or(&[], |attribute| &attribute.strings)
    }

    pub fn floats(&self, name: &str) -> Vec<f64> {
        self.attribute(name)
            .map_or_else(Vec::new, |attribute| attribute.floats.iter().map(|value| f64::from(*value)).collect())
    }

    pub fn tensor(&self, name: &str) -> Result<Option<Tensor>, ReadError> {
        self.attribute(name).and_then(|attribute| attribute.t.as_ref()).map(Tensor::read).transpose()
    }

    /// Numbers that newer files may hold in double precision under another name.
    pub fn floats_or_tensor(&self, name: &str) -> Result<Vec<f64>, ReadError> {
        let tensor = self.tensor(&format!("{name}_as_tensor"))?;
        Ok(tensor.map_or_else(|| self.floats(name), |tensor| tensor.values))
    }

    /// The names of the classes, however they are written.
    pub fn classes(&self) -> Option<Vec<String>> {
        let texts = ["classlabels_strings", "classlabels_ints", "classlabels_int64s"];
        let [strings, short, long] = texts.map(|name| self.attribute(name));
        let numbers = |attribute: &AttributeProto| attribute.ints.iter().map(i64::to_string).collect::<Vec<String>>();
        let named = strings.map(|attribute| attribute.strings.clone()).filter(|names| !names.is_empty());
        named.or_else(|| short.or(long).map(numbers)).filter(|names| !names.is_empty())
    }
}
