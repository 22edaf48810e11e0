//! Drawing what is sensitive, as the paper's evaluation does.

use mindrel::Schema;
use mindrel::schema::QuestionId;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// `count` questions drawn from all of a schema without repetition: the paper's random S [TF23, App. D].
///
/// # Panics
/// When there are fewer questions.
#[must_use]
pub fn draw_sensitive(schema: &Schema, count: usize, seed: u64) -> Vec<QuestionId> {
    let mut ids: Vec<QuestionId> = schema.ids().collect();
    assert!(count <= ids.len(), "no more sensitive questions than questions");
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    for place in 0..count {
        let rest = (ids.len() - place) as u64;
        ids.swap(place, place + (random.next_u64() % rest) as usize);
    }
    ids.truncate(count);
    ids
}
