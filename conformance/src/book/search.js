const search = document.getElementById('search'), counted = document.getElementById('counted'), failing = document.getElementById('failing');
const entries = [...document.querySelectorAll('[data-entry]')], rules = document.getElementById('rules');
let onlyRed = false;
function draw() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const entry of entries) {
    const fits = words.every(word => entry.textContent.toLowerCase().includes(word));
    entry.hidden = onlyRed ? !(fits ? entry.hasAttribute('data-red') : false) : !fits;
    if (!entry.hidden) shown++;
  }
  for (const row of document.querySelectorAll('.chapters tbody tr')) row.hidden = onlyRed ? !row.hasAttribute('data-red') : false;
  for (const group of document.querySelectorAll('[data-group]')) group.hidden = !group.querySelector('[data-entry]:not([hidden])');
  if (rules) rules.open = onlyRed || words.length !== 0;
  counted.textContent = onlyRed || words.length ? shown + ' of ' + entries.length : '';
}
search.addEventListener('input', () => { draw(); scrollTo(0, 0); });
search.addEventListener('keydown', event => { if (event.key === 'Escape') if (!search.value) search.blur(); });
if (failing) failing.addEventListener('click', () => { onlyRed = !onlyRed; failing.setAttribute('aria-pressed', onlyRed); draw(); });
document.addEventListener('keydown', event => {
  if (document.activeElement === search) return;
  const turn = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
  const link = turn ? document.querySelector('a[rel=' + turn + ']') : null;
  if (event.key === '/') { event.preventDefault(); search.focus(); }
  else if (link) if (!event.altKey) if (!event.ctrlKey) if (!event.metaKey) link.click();
});
draw();
