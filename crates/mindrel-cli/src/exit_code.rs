//! How a command ended, as a number that other programs can read: that of the standard library cannot be read again.

/// The exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitCode(u8);

impl ExitCode {
    /// All went well.
    pub const SUCCESS: ExitCode = ExitCode(0);
    /// What was checked is not valid.
    pub const FAILURE: ExitCode = ExitCode(1);

    /// The number.
    pub fn number(self) -> u8 {
        self.0
    }
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        ExitCode(code)
    }
}
