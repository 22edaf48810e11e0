//! How deep messages are nested, looked at before they are parsed: the parser recurses.

/// Graphs in attributes of nodes of graphs; no model nests deeper.
const MOST_DEPTH: usize = 100;

/// The messages that can hold themselves by way of others.
#[derive(Debug, Clone, Copy)]
enum Message {
    Model,
    Graph,
    Node,
    Attribute,
    ValueInfo,
    Type,
    Sequence,
}

impl Message {
    /// The message in a field, if it can lead on.
    fn inside(self, field: u64) -> Option<Message> {
        match (self, field) {
            (Message::Model, 7) | (Message::Attribute, 6 | 11) => Some(Message::Graph),
            (Message::Graph, 1) => Some(Message::Node),
            (Message::Graph, 11..=13) => Some(Message::ValueInfo),
            (Message::Node, 5) => Some(Message::Attribute),
            (Message::ValueInfo, 2) | (Message::Sequence, 1) => Some(Message::Type),
            (Message::Type, 4 | 9) => Some(Message::Sequence),
            _ => None,
        }
    }
}

/// Whether messages are nested no deeper than a parser that recurses can bear. What is no message at all is left to the parser.
pub(crate) fn is_shallow(bytes: &[u8]) -> bool {
    let mut open = vec![(Message::Model, bytes, 0)];
    while let Some((message, mut rest, depth)) = open.pop() {
        if depth > MOST_DEPTH {
            return false;
        }
        while let Some(field) = next_field(rest) {
            rest = field.after;
            if let (Some(inner), Some(content)) = (message.inside(field.number), field.content) {
                open.push((inner, content, depth + 1));
            }
        }
    }
    true
}

/// A field of a message.
struct Field<'a> {
    number: u64,
    /// What is in it, if it has a length.
    content: Option<&'a [u8]>,
    after: &'a [u8],
}

fn next_field(bytes: &[u8]) -> Option<Field<'_>> {
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
    Some(Field { number, content, after })
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    for (place, byte) in bytes.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f).checked_shl(7 * place as u32)?;
        if byte & 0x80 == 0 {
            return Some((value, &bytes[place + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::is_shallow;

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
        assert!(is_shallow(&nested(10)));
        assert!(!is_shallow(&nested(2000)));
    }
}
