//! Whether a file is messages within messages as ONNX has them, looked at before they are parsed.
//!
//! The parser (rten-onnx 0.24) recurses, trusts lengths, goes backwards in the file if one is negative, and loops on a
//! number that does not end. So everything that it will read is checked first.

/// Graphs in attributes of nodes of graphs; no model nests deeper.
const MOST_DEPTH: usize = 100;

/// The messages the parser goes into.
#[derive(Debug, Clone, Copy)]
enum Message {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    ValueInfo,
    Type,
    TensorType,
    Sequence,
    Shape,
    /// One with plain fields alone.
    Plain,
}

impl Message {
    /// The message in a field, if it is one.
    fn inside(self, field: u64) -> Option<Message> {
        match (self, field) {
            (Message::Model, 7) | (Message::Attribute, 6 | 11) => Some(Message::Graph),
            (Message::Model, 8 | 14) | (Message::Tensor, 13) | (Message::Shape, 1) => Some(Message::Plain),
            (Message::Graph, 1) => Some(Message::Node),
            (Message::Graph, 5) | (Message::Attribute, 5 | 10) => Some(Message::Tensor),
            (Message::Graph, 11..=13) => Some(Message::ValueInfo),
            (Message::Node, 5) => Some(Message::Attribute),
            (Message::ValueInfo, 2) | (Message::Sequence, 1) => Some(Message::Type),
            (Message::Type, 1) => Some(Message::TensorType),
            (Message::TensorType, 2) => Some(Message::Shape),
            (Message::Type, 4 | 9) => Some(Message::Sequence),
            _ => None,
        }
    }
}

/// Numbers in a row, as the parser reads them from a field.
#[derive(Debug, Clone, Copy)]
enum Packed {
    /// Of varying length.
    Varying,
    /// Of this many bytes each.
    Fixed(usize),
}

impl Packed {
    fn in_field(message: Message, field: u64) -> Option<Packed> {
        match (message, field) {
            (Message::Attribute, 8) | (Message::Tensor, 1 | 5 | 7) => Some(Packed::Varying),
            (Message::Attribute, 7) | (Message::Tensor, 4) => Some(Packed::Fixed(4)),
            (Message::Tensor, 10) => Some(Packed::Fixed(8)),
            _ => None,
        }
    }

    /// Whether bytes are whole numbers in a row.
    fn is_whole(self, mut bytes: &[u8]) -> bool {
        match self {
            Packed::Fixed(size) => bytes.len().is_multiple_of(size),
            Packed::Varying => {
                while let Some((_, rest)) = varint(bytes) {
                    bytes = rest;
                }
                bytes.is_empty()
            }
        }
    }
}

/// What keeps a file from being parsed safely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsound {
    /// A field has another form or length than it can have.
    Damaged,
    /// Messages are nested deeper than any model's.
    TooDeep,
}

impl Unsound {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Unsound::Damaged => "it is cut off or damaged",
            Unsound::TooDeep => "it is nested too deep",
        }
    }
}

/// Goes through all messages: each field must end where its message does or before, and none may be nested too deep.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Unsound> {
    let mut open = vec![(Message::Model, bytes, 0)];
    while let Some((message, mut rest, depth)) = open.pop() {
        if depth > MOST_DEPTH {
            return Err(Unsound::TooDeep);
        }
        while !rest.is_empty() {
            let field = next_field(rest).ok_or(Unsound::Damaged)?;
            rest = field.after;
            if let Some(inner) = message.inside(field.number) {
                open.push((inner, field.content.ok_or(Unsound::Damaged)?, depth + 1));
            }
            if let (Some(packed), Some(content)) = (Packed::in_field(message, field.number), field.content)
                && !packed.is_whole(content)
            {
                return Err(Unsound::Damaged);
            }
        }
    }
    Ok(())
}

/// A field of a message.
struct WireField<'a> {
    number: u64,
    /// What is in it, if it has a length.
    content: Option<&'a [u8]>,
    after: &'a [u8],
}

fn next_field(bytes: &[u8]) -> Option<WireField<'_>> {
    let (tag, rest) = varint(bytes)?;
    let number = tag >> 3;
    let (content, after) = match tag & 7 {
        0 => (None, varint(rest)?.1),
        1 => (None, rest.get(8..)?),
        2 => {
            let (length, rest) = varint(rest)?;
            let (content, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            (Some(content), rest)
        }
        5 => (None, rest.get(4..)?),
        _ => return None,
    };
    Some(WireField { number, content, after })
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    for (place, byte) in bytes.iter().enumerate().take(10) {
        // Of a tenth byte, one bit is left for.
        if place == 9 && *byte > 1 {
            return None;
        }
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[place + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Unsound, check};

    /// A model whose graph has a node whose attribute has a graph, and so on.
    fn nested(levels: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let wrap = |field: u8, content: Vec<u8>| {
            let mut outer = vec![field << 3 | 2];
            let mut length = content.len();
            while length >= 0x80 {
                outer.push(length as u8 & 0x7f | 0x80);
                length >>= 7;
            }
            outer.push(length as u8);
            outer.extend(content);
            outer
        };
        for _ in 0..levels {
            bytes = wrap(1, wrap(5, wrap(6, bytes)));
        }
        wrap(7, bytes)
    }

    #[test]
    fn graphs_within_graphs_are_followed_only_so_far() {
        assert_eq!(check(&nested(10)), Ok(()));
        assert_eq!(check(&nested(2000)), Err(Unsound::TooDeep));
    }

    /// A length that is negative as a signed number sent the parser into an endless loop. Found by fuzzing.
    #[test]
    fn a_length_beyond_the_end_is_damage_and_not_followed() {
        let mut backwards = vec![0x2a];
        backwards.extend([0xf6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
        assert_eq!(check(&backwards), Err(Unsound::Damaged));
        assert!(crate::onnx::read(&backwards).is_err());
        // A file that ends in the middle of a field, and a node that is a number.
        assert_eq!(check(&[0x3a, 0x05, 0x0a]), Err(Unsound::Damaged));
        assert_eq!(check(&[0x3a, 0x02, 0x08, 0x01]), Err(Unsound::Damaged));
    }

    /// A number of eleven bytes made the parser wait for its end for ever. Found by fuzzing.
    #[test]
    fn a_number_that_does_not_end_is_damage() {
        let endless = [0xff; 12];
        let tensor = [&[0x0a, 12][..], &endless].concat();
        let graph = [&[0x2a, tensor.len() as u8][..], &tensor].concat();
        let model = [&[0x3a, graph.len() as u8][..], &graph].concat();
        assert_eq!(check(&model), Err(Unsound::Damaged));
        assert_eq!(check(&[&[0x08][..], &endless].concat()), Err(Unsound::Damaged));
        assert!(crate::onnx::read(&model).is_err());
    }
}
