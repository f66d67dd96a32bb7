// What every page needs: its place, the verdicts that make a run red, and elements made from names, attributes and children.
const page = document.getElementById("page");
const RED = ["fail", "blocked", "unexpected_pass", "flaky", "broken"];
const plural = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");
const present = children => children.flat(Infinity).filter(child => child !== null && child !== undefined);
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...present(children));
  return element;
}
// Where a shorter list has gone out of sight, its heading comes back into it.
function backTo(heading) {
  if (heading.getBoundingClientRect().bottom < 0) heading.scrollIntoView();
}
// Where a link leads stays clear of what sticks to the top, however many lines that takes.
function keepClearOf(bar) {
  const keep = () => { document.documentElement.style.scrollPaddingTop = bar.offsetHeight + 4 + "px"; };
  keep();
  new ResizeObserver(keep).observe(bar);
}
// A slash leads to the search, Escape clears it and then leaves it.
function searchByKeys(search) {
  document.addEventListener("keydown", event => {
    const at = document.activeElement;
    if (event.key === "/" && !/INPUT|SELECT/.test(at.tagName)) { event.preventDefault(); search.focus(); }
    else if (event.key === "Escape" && at === search && !search.value) search.blur();
  });
}
// A text of the contract, its names in code font.
const prose = text => (text || "").split("`").map((part, at) => at % 2 ? el("code", {}, part) : part);
