//! The plans a service offers.

use std::sync::Arc;

use mindrel::Plan;
use mindrel::model::ProvedBy;

use crate::reply::Fragments;

/// A plan and what may be done with it.
#[derive(Debug)]
pub struct Offer {
    /// What it is called in addresses.
    pub name: String,
    /// The plan.
    pub plan: Plan,
    /// The largest δ a client may ask for.
    pub most_delta: f64,
    /// The plan's fingerprint in words.
    pub(crate) fingerprint: String,
    /// What replies say of the plan.
    pub(crate) fragments: Fragments,
}

/// Why plans cannot be offered together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OfferError {
    /// Two have the same name.
    #[error("two plans are called `{name}`; rename one of the files")]
    SameName {
        /// The name.
        name: String,
    },
    /// A name that cannot stand in an address.
    #[error("`{name}` cannot be a plan's name in an address; use letters, digits, `-`, `_` and `.`")]
    Name {
        /// The name.
        name: String,
    },
}

/// Several plans, by name and by fingerprint.
#[derive(Debug, Default)]
pub struct Offers {
    offers: Vec<Arc<Offer>>,
}

impl Offer {
    /// A plan under a name, with δ up to the plan's own.
    #[must_use]
    pub fn new(name: impl Into<String>, plan: Plan) -> Self {
        let name = name.into();
        Offer {
            most_delta: plan.rules().delta,
            fingerprint: plan.fingerprint().to_string(),
            fragments: Fragments::new(&name, &plan),
            name,
            plan,
        }
    }

    /// Whether sessions follow the plan's calibration.
    #[must_use]
    pub fn is_calibrated(&self) -> bool {
        self.plan.calibration().is_some()
    }

    /// Whether a step is quick enough to be taken between two reads of a socket.
    pub(crate) fn is_quick(&self) -> bool {
        self.plan.model().proved_by() == ProvedBy::Sums
    }
}

impl Offers {
    /// Plans that can be told apart.
    ///
    /// # Errors
    /// When two have one name, or a name does not fit in an address.
    pub fn new(offers: Vec<Offer>) -> Result<Self, OfferError> {
        let mut all = Offers::default();
        for offer in offers {
            let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            if offer.name.is_empty() || !offer.name.chars().all(allowed) {
                return Err(OfferError::Name { name: offer.name });
            }
            if all.find(&offer.name).is_some() {
                return Err(OfferError::SameName { name: offer.name });
            }
            all.offers.push(Arc::new(offer));
        }
        Ok(all)
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Offer>> {
        self.offers.iter()
    }

    /// The one of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<Offer>> {
        self.offers.iter().find(|offer| offer.name == name)
    }

    /// The one of a fingerprint.
    #[must_use]
    pub fn of_fingerprint(&self, fingerprint: &[u8; 32]) -> Option<&Arc<Offer>> {
        self.offers.iter().find(|offer| offer.plan.fingerprint().bytes() == fingerprint)
    }
}
