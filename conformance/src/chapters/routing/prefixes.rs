//! Which paths reach the books, the authentication routes and the two-factor routes, and which reach nothing.

use crate::chapters::books::answers::{acts_without_id, ask, is_book, is_list};
use crate::chapters::prelude::*;

cases! { "routing";
    /// /librosfoo and /libros5 are book paths without an id: GET lists.
    paths_that_begin_like_books_list judges ["routing/books-prefix"] => |cx| {
        books::create(cx, &json!({}))?;
        for path in ["/librosfoo", "/libros5", "/libros1", "/libros-raros", "/librosfoo?limit=1"] {
            let reply = cx.get(path).key(cx.admin_key()).send()?;
            reply.check().that(is_list(&reply), format!("GET {path}"), "200 and a list", reply.summary())?;
        }
        Ok(())
    };
    /// On /librosfoo POST creates, PUT and DELETE miss an id, PATCH is 405, and a credential is asked for.
    paths_that_begin_like_books_are_book_paths judges ["routing/books-prefix"] => |cx| {
        let patch = |path: &str| cx.request("PATCH", path).key(cx.admin_key()).json(&json!({})).send();
        patch("/libros")?.prepared("PATCH on /libros", 405)?;
        cx.get("/libros").send()?.prepared("listing without a credential", 401)?;
        for path in ["/librosfoo", "/libros5"] {
            acts_without_id(cx, path)?;
            patch(path)?.check().status(405)?;
            cx.get(path).send()?.check().status(401)?;
        }
        Ok(())
    };
    /// /authfoo is no way into a route of /auth, and not an open door either.
    paths_that_begin_like_auth_are_unknown judges ["routing/auth-prefix"] => |cx| {
        cx.post("/auth/login").json(&login()).send()?.prepared("logging in an unknown user", 400)?;
        for path in ["/authfoo", "/authlogin", "/auth-login", "/authfoo/login", "/authregistro"] {
            for method in ["GET", "POST"] {
                is_404(&cx.request(method, path).json_where_due(&login()).send()?, &format!("{method} {path}"))?;
            }
        }
        Ok(())
    };
    /// A query is no part of the path: routes of /auth and /2fa are reached with one.
    a_query_is_no_part_of_the_path judges ["routing/auth-prefix", "routing/two-factor-prefix"] => |cx| {
        let log_in = |path: &str| cx.post(path).json(&login()).send();
        log_in("/auth/login")?.prepared("logging in an unknown user", 400)?;
        log_in("/auth/login?next=/libros")?.check_rule("routing/auth-prefix").status(400)?;
        if cx.holds_second_factor() {
            cx.get("/2fa/status").send()?.prepared("asking for the status without a credential", 401)?;
            cx.get("/2fa/status?full=true").send()?.check_rule("routing/two-factor-prefix").status(401)?;
        }
        Ok(())
    };
    /// Paths under /auth that no route has are 404, whatever the method and the credential.
    unknown_auth_paths_are_404 judges ["routing/auth-unknown-path"] => |cx| {
        for path in ["/auth", "/auth/nada", "/auth/loginx", "/auth/login/nada", "/auth/verify-2fax", "/auth/logout"] {
            for method in ["GET", "POST", "PUT", "DELETE"] {
                for key in [None, Some(cx.admin_key()), Some("ak_nobody")] {
                    let request = cx.request(method, path).json_where_due(&login());
                    let reply = if let Some(key) = key { request.key(key) } else { request }.send()?;
                    is_404(&reply, &format!("{method} {path}"))?;
                }
            }
        }
        Ok(())
    };
    /// /2fa and /2fafoo are unknown, while /2fa/status is there.
    two_factor_paths_need_their_slash judges ["routing/two-factor-prefix"] => |cx| {
        // That the twin is reached shows in its asking for a credential.
        cx.get("/2fa/status").send()?.prepared("asking for the status without a credential", 401)?;
        for path in ["/2fa", "/2fafoo", "/2fastatus", "/2fa-status", "/2fa?status"] {
            for key in [None, Some(cx.admin_key())] {
                let request = cx.get(path);
                let reply = if let Some(key) = key { request.key(key) } else { request }.send()?;
                is_404(&reply, &format!("GET {path}"))?;
            }
        }
        Ok(())
    };
    /// Nor is there a way in under a segment before the known paths, or a page that servers often have besides.
    other_ways_in_are_unknown_paths judges ["routing/unknown-path"] => |cx| {
        for before in BEFORE {
            for known in ["/libros", "/libros/1", "/2fa/status"] {
                let path = format!("{before}{known}");
                is_404(&cx.get(&path).key(cx.admin_key()).send()?, &format!("GET {path}"))?;
            }
            let path = format!("{before}/auth/login");
            is_404(&cx.post(&path).json(&login()).send()?, &format!("POST {path}"))?;
        }
        Ok(())
    };
    /// What servers often have besides their interface answers 404: signs of life, documentation, pages for browsers.
    no_other_pages_are_served judges ["routing/no-other-pages"] => |cx| {
        for path in BESIDES.split(' ') {
            is_404(&cx.get(path).key(cx.admin_key()).send()?, &format!("GET {path}"))?;
            is_404(&cx.post(path).key(cx.admin_key()).json(&login()).send()?, &format!("POST {path}"))?;
        }
        Ok(())
    };
    /// Unknown paths are 404 to every method.
    unknown_paths_are_404_to_every_method judges ["routing/unknown-path"] => |cx| {
        for path in UNKNOWN {
            for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
                is_404(&ask(cx, method, path)?, &format!("{method} {path}"))?;
            }
        }
        Ok(())
    };
    /// Unknown paths are 404 without a credential, with a failing one and with a good one.
    unknown_paths_are_404_whatever_the_credential judges ["routing/unknown-path"] => |cx| {
        for path in UNKNOWN {
            let requests = [
                cx.get(path),
                cx.get(path).key("ak_nobody"),
                cx.get(path).bearer("0123456789abcdef"),
                cx.get(path).jwt("a.b.c"),
                cx.get(path).header("Authorization", "Basic YTpi"),
                cx.get(path).key(cx.test_key()),
            ];
            for request in requests {
                is_404(&request.send()?, &format!("GET {path}"))?;
            }
        }
        Ok(())
    };
    /// Letter case counts in paths.
    letter_case_counts_in_paths judges ["routing/path-case"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::stored(cx, made.id)?;
        let reads = ["/Libros".into(), "/LIBROS".into(), format!("/Libros/{}", made.id), "/2FA/status".into()];
        let logins = ["/Auth/login", "/auth/Login", "/AUTH/LOGIN"].map(String::from);
        for path in reads.into_iter().chain(logins) {
            let ask = |path: &str| match path.to_lowercase().starts_with("/auth") {
                true => cx.post(path).json(&login()).send(),
                false => cx.get(path).key(cx.admin_key()).send(),
            };
            let in_lower_case = ask(&path.to_lowercase())?.status();
            let reply = ask(&path)?;
            let readings = [
                ("unknown", reply.is(404)),
                ("lower", reply.status() == in_lower_case),
                ("redirect", reply.redirects_to(&path.to_lowercase())),
            ];
            cx.observe(&readings, format!("{path}: {}", reply.summary()))?;
        }
        Ok(())
    };
    /// /libros/ is /libros: GET lists, POST creates.
    libros_with_a_slash_after_it_has_no_id judges ["routing/trailing-slash-books"] => |cx| {
        acts_without_id(cx, "/libros/")?;
        acts_without_id(cx, "/libros/?limit=1")
    };
    /// A request target in absolute form reaches what its path reaches, or nothing at all.
    whether_absolute_form_is_routed_by_its_path judges ["routing/absolute-form"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::read(cx, made.id)?;
        let address = cx.target().address(Interface::Catalogue);
        let address = address.ok_or_else(|| CaseError::Broken("there is no catalogue".into()))?;
        let absolute = |path: &str| {
            let target = format!("{}{path}", address.url());
            cx.request_beside(Interface::Catalogue, "GET", &target).key(cx.admin_key()).send()
        };
        let (book, list, unknown) = (absolute(&made.path())?, absolute("/libros?limit=1")?, absolute("/nada")?);
        let all = |status: u16| [&book, &list, &unknown].iter().all(|reply| reply.status() == status);
        let by_path = is_book(&book, made.id) && is_list(&list) && unknown.is(404);
        let readings = [("routed", by_path), ("404", all(404)), ("400", all(400))];
        let [of_book, of_list, of_none] = [&book, &list, &unknown].map(Reply::summary);
        let got = format!("{of_book} for a book; {of_list} for the list; {of_none} for /nada");
        cx.observe(&readings, got).seen_in([&book, &list, &unknown])
    };
}

fn login() -> Value {
    json!({ "email": users::NOBODY, "password": "ninguna" })
}

const UNKNOWN: [&str; 7] = ["/", "/nada", "/libro", "/lib", "/nada/libros", "/nada/1", "/nada?libros=/libros"];

/// What servers often have besides their interface: documents, signs of life, pages for browsers.
const BESIDES: &str = "/health /healthz /livez /ready /ping /status /metrics /info /version /api /docs /api-docs /swagger.json \
    /openapi.json /index.html /favicon.ico /robots.txt /admin /books /login /registro /api-keys";

/// Segments that a gateway often puts before the paths of a service.
const BEFORE: [&str; 7] = ["/api", "/v1", "/api/v1", "/rest", "/public", "/catalogo", "/2fa-"];

fn is_404(reply: &Reply, asked: &str) -> CaseResult {
    reply.check().of(asked).status(404).map(drop)
}
