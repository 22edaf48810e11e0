//! The data sets of the evaluation: what they are, where they come from, and how they get onto this machine.
//!
//! - [`catalogue`]: the six sets of [TF23, App. D] with origin, licence, checksum and source;
//! - [`DataFolder`]: where their files are, and whether each is the one meant;
//! - [`fetch`]: from the original public source, from a mirror, or from an archive downloaded by hand.
//!
//! A file is in the *common form*: comma separated, one header line, UTF-8, LF line ends, the class last in a column
//! `label`, row identifiers removed, missing values empty. Catalogued checksums are those of files in this form, so
//! that whatever way a file came, and whatever was done to it on the way, it is the right one or it is refused.
//!
//! ```
//! use mindrel_data::{DataFolder, DataSet};
//!
//! let bank = DataSet::named("bank")?;
//! assert_eq!((bank.rows, bank.features, bank.classes), (45_211, 16, 2));
//! let folder = DataFolder::find(None);
//! match folder.file(bank) {
//!     Ok(path) => assert!(path.ends_with("bank.csv")),
//!     Err(missing) => assert!(missing.to_string().contains("bank.csv")),
//! }
//! # Ok::<(), mindrel_data::DataError>(())
//! ```

mod address;
mod archive;
mod catalogue;
mod checksum;
mod download;
mod error;
mod fetch;
mod folder;
mod layout;

pub use catalogue::{DataSet, DataSource, catalogue};
pub use checksum::Checksum;
pub use download::DownloadProgress;
pub use error::DataError;
pub use fetch::{FetchMethod, Fetched, fetch};
pub use folder::{DataFolder, FOLDER_VARIABLE};
pub use layout::SourceLayout;
