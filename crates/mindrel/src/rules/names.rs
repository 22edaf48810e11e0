//! Names of plain alternatives: on the command line, in files and in messages.

/// There is no alternative of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`; choose from {choices}")]
pub struct UnknownName {
    pub(super) what: &'static str,
    pub(super) name: String,
    pub(super) choices: String,
}

/// Names the variants of an enum, in the order in which they are listed, the default first.
macro_rules! named {
    ($type:ident, $what:literal, [$($variant:ident = $name:literal),+ $(,)?]) => {
        impl $type {
            /// All of them, the default first.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// Its name on the command line and in files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                let found = $type::ALL.into_iter().find(|one| one.name() == name);
                let choices = [$($name),+].join(", ");
                found.ok_or_else(|| UnknownName { what: $what, name: name.to_owned(), choices })
            }
        }
    };
}

pub(super) use named;
