//! Bytes as text.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

pub(super) fn write(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

pub(super) fn read(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| if let [high, low] = pair { Some(digit(*high)? << 4 | digit(*low)?) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    #[test]
    fn bytes_come_back_and_what_is_none_does_not() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(read(&write(&bytes)), Some(bytes));
        assert_eq!((read("0g"), read("abc")), (None, None));
    }
}
