//! Whatever is sent to whichever address, the service answers and never with a mistake of its own.

use crate::common::Desk;
use axum::body::Body;
use axum::http::Request;
use proptest::prelude::*;

fn body() -> impl Strategy<Value = Vec<u8>> {
    let number = any::<f64>().prop_map(|value| serde_json::json!(value));
    let value = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        number,
        ".*".prop_map(Into::into)
    ];
    let name = prop_oneof![Just("token"), Just("question"), Just("answer"), Just("public"), Just("delta"), Just("x")];
    let object =
        prop::collection::btree_map(name, value.clone(), 0..5).prop_map(|fields| serde_json::json!(fields).to_string());
    let public = prop::collection::btree_map("amount|income|.*", value, 0..3)
        .prop_map(|fields| serde_json::json!({"public": fields}).to_string());
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        object.prop_map(String::into_bytes),
        public.prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_body_is_answered_with_a_mistake(
        path in prop::sample::select(vec![
            "/v1/plans/loan/sessions", "/v1/sessions/answer", "/v1/sessions/decline", "/v1/sessions/back",
            "/v1/sessions/resume", "/plans/loan", "/session/answer", "/session/back", "/session/certificate",
        ]),
        body in body(),
        form in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let kind = if form { "application/x-www-form-urlencoded" } else { "application/json" };
        let request = Request::post(path).header("content-type", kind).body(Body::from(body)).unwrap();
        let received = runtime.block_on(async { Desk::new().send(request).await });
        prop_assert!(received.status.as_u16() < 500, "{}", received.status);
    }
}
