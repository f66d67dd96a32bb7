// A case, exchange by exchange: the answer judged beside the reference's answer to the same request, and the clock's moves in between.
const KEPT_OPEN = 6, STEPS_MAX = 200;
const spanned = seconds => {
  const whole = Math.floor(seconds), parts = [[Math.floor(whole / 86400), "d"], [Math.floor(whole / 3600) % 24, "h"], [Math.floor(whole / 60) % 60, "min"], [whole % 60, "s"]];
  return parts.filter(([count]) => count).map(([count, unit]) => count + " " + unit).join(" ") || seconds + " s";
};
const isBelow = (outer, inner) => inner === outer || inner.startsWith(outer + "/");
const keyed = (pointer, key) => pointer + "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1");
// Without the reference's answer the place that the case names is all that is marked.
function placesOf(mismatch) {
  const [, part, at] = /^(status|header|body)\s*(\S*)/.exec(mismatch?.where || "") || [];
  return part ? [{ part, at: part === "header" ? at.toLowerCase() : at.startsWith("/") ? at : "", wrong: true, target: null, reference: null }] : [];
}
// One answer; `side` says which of the differences' values are its own.
function answer(response, differences, side, isAlone) {
  if (!response) return el("p", { class: "faint" }, "The reference was never sent this request.");
  if (response.no_answer !== undefined) return el("pre", { tabindex: 0 }, el("mark", {}, "no answer: " + response.no_answer));
  const found = (part, test) => differences.find(difference => difference.part === part && test(difference.at));
  const marked = (difference, text) => difference ? el("mark", { class: difference.wrong ? null : "mild" }, text) : text;
  const line = ([name, value]) => {
    const difference = found("header", at => at.toLowerCase() === name.toLowerCase());
    return { difference, text: [marked(difference, name + ": " + value), "\n"] };
  };
  const headers = response.headers.map(line), same = headers.filter(({ difference }) => !difference);
  const absent = differences.filter(({ part, [side]: own }) => part === "header" && own === undefined);
  return el("pre", { tabindex: 0 },
    marked(found("status", () => true), String(response.status)), "\n",
    headers.filter(({ difference }) => difference).map(({ text }) => text),
    absent.map(difference => [marked(difference, difference.at + ": (absent)"), "\n"]),
    same.length ? el("details", {}, el("summary", { class: "plain faint" }, plural(same.length, isAlone ? "header" : "more header")), same.map(({ text }) => text)) : null,
    body(response.body, differences.filter(({ part }) => part === "body"), side));
}
function body(text, differences, side) {
  if (!text) return differences.length ? el("mark", {}, "(no body)") : el("span", { class: "faint" }, "(no body)");
  let value;
  try { value = JSON.parse(text); } catch { return differences.length ? el("mark", {}, text) : text; }
  return el("span", {}, tree(value, "", 0, differences, side));
}
// JSON as a tree: what differs is marked and open, long parts without a difference are folded.
function tree(value, pointer, depth, differences, side) {
  const own = differences.find(({ at }) => at === pointer);
  const inside = differences.filter(({ at }) => at !== pointer && isBelow(pointer, at));
  const marked = shown => own ? el("mark", { class: own.wrong ? null : "mild" }, shown) : shown;
  if (value === null || typeof value !== "object") return marked(JSON.stringify(value));
  const isList = Array.isArray(value), entries = Object.entries(value), [open, close] = isList ? "[]" : "{}";
  const lost = inside.filter(({ at, [side]: there }) => there === undefined && at.slice(0, at.lastIndexOf("/")) === pointer);
  if (!entries.length && !lost.length) return marked(open + close);
  const indent = "  ".repeat(depth + 1);
  const member = (key, shown, at) => [at ? ",\n" : "\n", indent, isList ? null : JSON.stringify(key) + ": ", shown];
  const members = [
    ...entries.map(([key, item], at) => member(key, tree(item, keyed(pointer, key), depth + 1, differences, side), at)),
    ...lost.map(difference => ["\n", indent, el("mark", { class: difference.wrong ? null : "mild" }, (isList ? "" : JSON.stringify(difference.at.split("/").pop()) + ": ") + "(absent)")])];
  const whole = [members, "\n" + "  ".repeat(depth) + close];
  const isFolded = depth > 0 && !own && !inside.length && entries.length > (differences.length ? 1 : KEPT_OPEN);
  return isFolded ? el("button", { type: "button", class: "fold", on: { click: event => event.currentTarget.replaceWith(...present([open, whole])) } }, open + " " + plural(entries.length, isList ? "item" : "member") + " " + close) : marked([open, whole]);
}
function requestOf({ request }) {
  return el("pre", { tabindex: 0 }, request.method + " " + request.url + "\n", request.headers.map(([name, value]) => name + ": " + value + "\n"), request.body === null ? null : body(request.body, [], "target"));
}
// The steps of a case and the one that is looked at; `show(step)` of the element moves to another.
function trace(entry) {
  const { exchanges, reference, mismatch } = entry, judged = entry.judged ?? exchanges.length - 1;
  if (!exchanges.length) return null;
  const stage = el("div"), steps = el("ol", { class: "steps" });
  const differencesAt = at => reference?.steps[at]?.differences || (at === judged ? placesOf(mismatch) : []);
  const moves = at => (entry.clock || []).filter(({ before }) => before === at).map(move => el("li", { class: "faint" }, move.reset ? "initial state again" : "clock " + spanned(move.advance_s) + " ahead"));
  const buttons = exchanges.map((exchange, at) => el("button", { type: "button", on: { click: () => viewer.show(at) } },
    exchange.request.method + " " + exchange.request.url.replace(/^\w+:\/\/[^/]*/, ""), " ", el("b", {}, exchange.response.status ?? "no answer"),
    at === judged && mismatch ? el("span", { class: "fail" }, " judged") : (entry.compared || []).includes(at) ? el("span", { class: "faint" }, " compared") : reference?.steps[at]?.differences.length ? el("span", { class: "faint" }, " differs") : null));
  const first = Math.max(0, judged - STEPS_MAX), last = Math.min(buttons.length, judged + STEPS_MAX);
  steps.append(...present(buttons.slice(first, last).map((button, at) => [moves(first + at), el("li", { value: first + at + 1 }, button)])));
  const viewer = el("div", { class: "trace" }, exchanges.length > 1 ? [el("p", { class: "faint" }, plural(exchanges.length, "exchange") + "; j and k step through them, Escape closes the case."), steps] : null, stage);
  viewer.show = at => {
    viewer.at = Math.min(Math.max(at, first), last - 1);
    const exchange = exchanges[viewer.at], counterpart = reference?.steps[viewer.at]?.counterpart, differences = differencesAt(viewer.at);
    const side = (title, response, name) => el("section", {}, el("h3", {}, title), answer(response, differences, name, !reference));
    stage.replaceChildren(requestOf(exchange), el("div", { class: "sides" },
      side(reference ? "your answer" : "answer", exchange.response, "target"),
      reference ? side("the reference's answer", reference.exchanges[counterpart]?.response, "reference") : ""));
    buttons.forEach((button, number) => button.setAttribute("aria-current", number === viewer.at ? "step" : "false"));
    requestAnimationFrame(() => { steps.scrollTop = buttons[viewer.at].offsetTop - steps.clientHeight / 2; });
  };
  viewer.show(judged);
  return viewer;
}
// j and k step through the case that was opened last, or holds the focus; Escape closes it.
function stepByKeys() {
  document.addEventListener("keydown", event => {
    const at = document.activeElement;
    if (/INPUT|SELECT/.test(at.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = at.closest("details[id]") || [...document.querySelectorAll("details[id][open]")].pop(), viewer = row?.querySelector(".trace");
    if (!viewer || !row.open) return;
    if (event.key === "j" || event.key === "k") { event.preventDefault(); viewer.show(viewer.at + (event.key === "j" ? 1 : -1)); }
    else if (event.key === "Escape") { row.open = false; row.querySelector("summary").focus(); }
  });
}
