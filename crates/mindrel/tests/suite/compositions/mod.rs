//! Compositions: proofs against everybody, certificates, and closed forms.

mod certificates;
mod proofs;

use crate::common::*;
use mindrel::Label;
use proptest::prelude::*;
