//! The header groups and the common response builder: base, CORS, version, security, cache, pagination, custom;
//! a later group overrides an earlier one.

use serde_json::Value;

use super::super::js;
use super::super::list::Page;
use super::request_context::RequestContext;
use crate::impostor::http::Reply;
use crate::impostor::policy::Header;

/// A cache group. Ages in seconds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Cache {
    No,
    Public(u32),
    Private(u32),
}

/// Sets the headers of a group.
pub(crate) fn put(reply: &mut Reply, group: &[Header]) {
    group.iter().for_each(|(name, value)| reply.set(name, value));
}

/// The version group: the label of the request, echoed; the build.
pub(crate) fn version(cx: &RequestContext<'_>, reply: &mut Reply) {
    let label = cx.request.header("x-api-version").filter(|label| !label.is_empty());
    reply.set("X-API-Version", label.as_deref().unwrap_or("1.0.0"));
    reply.set("X-API-Build", "development");
}

/// The common response builder.
pub(crate) struct ResponseBuilder<'a> {
    cx: &'a RequestContext<'a>,
    status: u16,
    body: Option<String>,
    cache: Cache,
    page: Option<&'a Page>,
    custom: Vec<(&'static str, String)>,
}

impl<'a> ResponseBuilder<'a> {
    pub(crate) fn new(cx: &'a RequestContext<'a>, status: u16) -> Self {
        Self { cx, status, body: None, cache: Cache::No, page: None, custom: Vec::new() }
    }

    pub(crate) fn body(mut self, body: &Value) -> Self {
        self.body = Some(js::stringify(body));
        self
    }

    /// With this cache group instead of no-cache.
    pub(crate) fn cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// With the pagination group.
    pub(crate) fn page(mut self, page: &'a Page) -> Self {
        self.page = Some(page);
        self
    }

    /// With a header of its own.
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.custom.push((name, value.into()));
        self
    }

    /// Puts the groups together in their order of override.
    pub(crate) fn build(self) -> Reply {
        let groups = &self.cx.policy().http.groups;
        let mut reply = Reply::bare(self.status);
        put(&mut reply, &groups.base);
        put(&mut reply, &groups.cors);
        version(self.cx, &mut reply);
        put(&mut reply, &groups.security);
        match self.cache {
            Cache::No => put(&mut reply, &groups.no_cache),
            Cache::Public(age) => reply.set("Cache-Control", &format!("public, max-age={age}")),
            Cache::Private(age) => reply.set("Cache-Control", &format!("private, max-age={age}")),
        }
        // No rate-limit record is ever given, so that group is not sent.
        if let Some(page) = self.page {
            pagination(&mut reply, page);
        }
        for (name, value) in &self.custom {
            reply.set(name, value);
        }
        reply.body = self.body.unwrap_or_default().into_bytes();
        reply
    }
}

fn pagination(reply: &mut Reply, page: &Page) {
    reply.set("X-Total-Count", &page.total.to_string());
    reply.set("X-Page-Count", &page.pages.to_string());
    reply.set("X-Current-Page", &js::number_text(page.page));
    reply.set("X-Per-Page", &page.limit.to_string());
    reply.set("X-Has-Next", &page.has_next.to_string());
    reply.set("X-Has-Prev", &page.has_prev.to_string());
}

impl RequestContext<'_> {
    /// A reply of the common builder.
    pub(crate) fn reply(&self, status: u16) -> ResponseBuilder<'_> {
        ResponseBuilder::new(self, status)
    }
}
