/** Of the report's page. Colours keep 4.5 : 1 against their background, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e8eb); --faint: light-dark(#59636e, #9aa4af); --line: light-dark(#d8dde3, #343b44);
  --page: light-dark(#fff, #14171b); --raised: light-dark(#f5f7f9, #1c2127);
  --passed: light-dark(#1a7f37, #4ac26b); --failed: light-dark(#c62828, #ff7b72); --refused: light-dark(#8a5d00, #d9a33b); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: auto; padding: 2rem 1rem 4rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.25rem; }
.about, caption, small { color: var(--faint); }
.about { margin: .25rem 0 0; }
.lead { margin: 1.5rem 0 .5rem; font-size: 1.125rem; }
.lead strong { font-size: 1.75rem; }
.bar { display: flex; gap: 2px; height: .75rem; border-radius: 4px; overflow: hidden; }
.bar i { background: currentcolor; min-width: 2px; }
.passed { color: var(--passed); } .failed { color: var(--failed); } .refused { color: var(--refused); }
ul, nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0 0; padding: 0; list-style: none; }
a { color: inherit; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: .25rem 0; text-align: start; font-size: .875rem; }
th, td { padding: .375rem .5rem; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: normal; }
thead th, thead td { position: sticky; top: 0; background: var(--page); font-size: .875rem; color: var(--faint); }
.n { text-align: end; white-space: nowrap; }
td.n:not([class*=' ']) { color: var(--faint); }
.w { width: 30%; vertical-align: middle; }
tr > :first-child { padding-inline-start: 0; }
code { font: .875rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
summary { padding: .5rem 0; cursor: pointer; }
.cases small { display: block; font-size: .8125rem; overflow-wrap: anywhere; }
.cases p { margin: .25rem 0 0; font-size: .875rem; overflow-wrap: anywhere; }
.cases tr { color: inherit; }
.cases td:first-child { white-space: nowrap; }
.cases input { position: absolute; opacity: 0; }
.cases label { display: inline-block; margin: .25rem .25rem .25rem 0; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 2rem; cursor: pointer; }
.cases label small { display: inline; }
.cases :checked + label { background: var(--ink); color: var(--page); }
.cases :checked + label small { color: inherit; }
.cases :focus-visible + label { outline: 2px solid var(--ink); outline-offset: 2px; }
#passed:checked ~ table tbody tr:not(.passed), #failed:checked ~ table tbody tr:not(.failed), #refused:checked ~ table tbody tr:not(.refused) { display: none; }
@media (max-width: 40rem) { .w { display: none; } main { padding-top: 1rem; } }
@media print { thead th, thead td { position: static; } .cases input, .cases label { display: none; } }
`.replace(/\n */g, ' ');
