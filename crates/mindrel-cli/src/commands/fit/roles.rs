//! Roles of columns, and how categories are encoded.

use clap::{Args, ValueEnum};
use mindrel::schema::Encoding;
use mindrel_io::table::Roles;

/// How categories become columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EncodingName {
    /// One 0/1 column for each level; still one question.
    Onehot,
    /// One column: the position of the level in the list.
    Ordinal,
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::Onehot => Encoding::Onehot,
            EncodingName::Ordinal => Encoding::Ordinal,
        }
    }
}

/// The roles of columns.
#[derive(Debug, Clone, Args)]
pub struct RoleArguments {
    /// Sensitive columns, asked only when needed; all others are public, unless --public is given too.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    sensitive: Option<Vec<String>>,
    /// Public columns, already known; all others are sensitive, unless --sensitive is given too.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    public: Option<Vec<String>>,
    /// Columns to leave out, such as identifiers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Columns that are answered together, as one question, such as street,city. May be repeated.
    #[arg(long, value_name = "COLUMNS")]
    together: Vec<String>,
}

impl RoleArguments {
    pub fn into_roles(self) -> Roles {
        let trim = |names: Vec<String>| names.into_iter().map(|name| name.trim().to_owned()).collect::<Vec<String>>();
        let together = self.together.iter().map(|columns| trim(columns.split(',').map(str::to_owned).collect()));
        Roles {
            sensitive: self.sensitive.map(trim),
            public: self.public.map(trim),
            ignore: trim(self.ignore),
            together: together.collect(),
        }
    }

    pub fn are_given(&self) -> bool {
        self.sensitive.is_some() || self.public.is_some()
    }
}
