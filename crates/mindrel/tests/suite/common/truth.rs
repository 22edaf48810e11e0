//! Slow, plain ways of finding out what is true of a model.

use super::*;

/// The columns of known and of unknown questions.
pub fn columns_by_knowledge(schema: &Schema, known: &[bool]) -> (Vec<usize>, Vec<usize>) {
    let columns = |wanted: bool| {
        schema.ids().filter(|id| known[id.index()] == wanted).flat_map(|id| schema.columns(id)).collect()
    };
    (columns(true), columns(false))
}

/// Calls `visit` with a person at every combination of vertices of the unknown questions, until it says to stop.
pub fn at_every_vertex(schema: &Schema, person: &[f64], known: &[bool], mut visit: impl FnMut(&[f64]) -> bool) {
    let open: Vec<QuestionId> = schema.ids().filter(|id| !known[id.index()]).collect();
    let mut vertex = vec![0; open.len()];
    let mut point = person.to_vec();
    loop {
        for (&id, &vertex) in open.iter().zip(&vertex) {
            let domain = schema.question(id).domain();
            for (column, place) in schema.columns(id).enumerate() {
                point[place] = domain.vertex_value(vertex, column);
            }
        }
        if !visit(&point) {
            return;
        }
        let next = open.iter().zip(&mut vertex).find_map(|(&id, vertex)| {
            *vertex += 1;
            if *vertex < schema.question(id).domain().n_vertices() {
                return Some(());
            }
            *vertex = 0;
            None
        });
        if next.is_none() {
            return;
        }
    }
}

/// The label at every vertex of what is unknown, if it is everywhere the same.
pub fn label_of_all_vertices(plan: &Plan, person: &[f64], known: &[bool]) -> Option<Label> {
    let mut common = None;
    let mut agree = true;
    at_every_vertex(plan.schema(), person, known, |point| {
        let label = plan.model().label(point);
        agree = *common.get_or_insert(label) == label;
        agree
    });
    common.filter(|_| agree)
}

/// The linear model of a plan that has one.
pub fn linear(plan: &Plan) -> &LinearModel {
    plan.model().linear().expect("the plan holds a linear model")
}

/// The label by rational arithmetic: nothing is rounded.
pub fn rational_label(model: &LinearModel, person: &[f64]) -> Label {
    let rational = |value: f64| Ratio::<BigInt>::from_float(value).expect("finite");
    let scores: Vec<Ratio<BigInt>> = (0..model.n_scores())
        .map(|score| {
            let products =
                model.weights(score).iter().zip(person).map(|(weight, value)| rational(*weight) * rational(*value));
            products.fold(rational(model.intercept(score)), |sum, product| sum + product)
        })
        .collect();
    if let [score] = &scores[..] {
        return Label::new(usize::from(*score >= rational(0.0)));
    }
    let first_largest =
        (1..scores.len()).fold(0, |best, class| if scores[class] > scores[best] { class } else { best });
    Label::new(first_largest)
}

/// Weights and intercept of `score_label − score_rival`, written out.
pub fn margin(model: &LinearModel, label: Label, rival: Label) -> (Vec<f64>, f64) {
    let side = |label: Label| match (model.n_scores(), label.index()) {
        (1, 0) => (vec![0.0; model.n_columns()], 0.0),
        (1, _) => (model.weights(0).to_vec(), model.intercept(0)),
        (_, class) => (model.weights(class).to_vec(), model.intercept(class)),
    };
    let (plus, minus) = (side(label), side(rival));
    let weights = plus.0.iter().zip(&minus.0).map(|(plus, minus)| plus - minus);
    (weights.collect(), plus.1 - minus.1)
}

/// All labels but one.
pub fn rivals(model: &LinearModel, label: Label) -> Vec<Label> {
    (0..n_classes(model.n_scores())).map(Label::new).filter(|rival| *rival != label).collect()
}

/// Whether a label wins a margin of exactly zero.
pub fn wins_ties(model: &LinearModel, label: Label, rival: Label) -> bool {
    if model.n_scores() == 1 { label == Label::POSITIVE } else { label < rival }
}
