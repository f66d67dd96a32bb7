//! How deep, rich and large a query and its answer may be, and that refusing them takes neither long nor the stack.

use super::*;

#[test]
fn arguments_nested_however_deep_are_refused() {
    for depth in [100, schema::DEPTH_MAX - 8, 1_000, 20_000] {
        for (open, close) in [("[", "]"), ("{a:", "}"), ("[{a:", "}]")] {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            for text in [
                format!("{{user(id:{value}){{id}}}}"),
                format!("{{users@skip(if:{value}){{id}}}}"),
                format!("query($a:ID!={value}){{user(id:$a){{id}}}}"),
            ] {
                assert_eq!(query_on_a_serving_stack(text).0, 400, "{open} {depth}");
            }
        }
    }
}

#[test]
fn an_answer_that_grows_beyond_measure_is_refused() {
    // Two posts a user: each pair of levels doubles the answer.
    let wide = format!("{{ user(id: 1) {{ {}id{} }} }}", "posts { user { ".repeat(30), " } }".repeat(30));
    assert_eq!(
        query(&wide),
        (400, r#"{"errors":[{"message":"The answer would hold more than 50000 fields"}]}"#.to_owned())
    );
}

#[test]
fn fragments_that_double_or_spread_themselves_are_refused_at_once() {
    let mut doubling = String::from("{ ...F0 } fragment F60 on Query { users { id } }");
    for number in 0..60 {
        doubling.push_str(&format!(" fragment F{number} on Query {{ ...F{next} ...F{next} }}", next = number + 1));
    }
    assert!(query(&doubling).1.contains("limit of 2000 fields"));
    for ring in [
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
        "{ users { id } } fragment A on User { posts { user { ...A } } }",
    ] {
        assert_eq!(query_on_a_serving_stack(ring.to_owned()).0, 400, "{ring}");
    }
}

#[test]
fn a_field_asked_for_twice_is_paid_for_twice() {
    // The two selections of the field are counted apart.
    let names: String = (0..1_900).map(|number| format!("n{number}: __typename ")).collect();
    let graphql = Graphql::new(Clock::new());
    for _ in 0..40 {
        graphql.users.create("Ada".to_owned(), 36.0, Timestamp(5_000));
    }
    let (status, body) = post(&graphql, &json!({ "query": format!("{{ users {{ id }} users {{ {names} }} }}") }));
    assert_eq!((status, body.contains("more than 50000 fields")), (400, true), "{} bytes", body.len());
}

#[test]
fn a_query_full_of_faults_names_the_first_of_them() {
    let (status, body) = query(&format!("{{{}}}", (0..300).map(|n| format!("x{n} ")).collect::<String>()));
    assert_eq!(status, 400);
    assert_eq!(body.matches("message").count(), ERRORS_MAX);
}

#[test]
fn an_error_does_not_repeat_a_name_without_end() {
    let (status, body) = query(&format!("{{{}}}", "x".repeat(200_000)));
    assert_eq!(status, 400);
    assert!(body.contains("[...]") && body.len() < 500, "{} bytes", body.len());
}
