/** The style sheet of the report. Text has a contrast of at least 4.5 : 1 in light and dark mode. */
export const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --faint: color-mix(in srgb, CanvasText 65%, Canvas); --line: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); }
main { max-width: 70rem; margin: auto; padding: 1rem .5rem; }
h1 { margin: 0; line-height: 1.2; }
h2 { margin: 2.5rem 0 .5rem; }
p { margin: .25rem 0; }
.about, caption, small, thead, td.n:not([class*=' ']) { color: var(--faint); }
.lead { margin: 1rem 0 .5rem; font-size: 1.5rem; }
.bar { display: flex; gap: 2px; height: .75rem; }
.bar i { background: currentcolor; min-width: 2px; }
.passed { color: light-dark(#1a7f37, #4ac26b); } .failed { color: light-dark(#c62828, #ff7b72); } .refused { color: light-dark(#8a5d00, #d9a33b); }
ul, nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0; padding: 0; list-style: none; }
a { color: inherit; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption, th, td { padding: .375rem .5rem .375rem 0; text-align: start; vertical-align: top; font-weight: normal; }
tr { border-bottom: var(--line); }
tr.passed, tr.failed, tr.refused { color: inherit; }
thead { position: sticky; top: 0; background: Canvas; }
td:first-child, .n { white-space: nowrap; }
.n { text-align: end; }
.w { width: 30%; vertical-align: middle; }
code, .cases small, .cases p { font-size: .875rem; overflow-wrap: anywhere; }
summary, label { cursor: pointer; }
.cases th small { display: block; }
input { position: absolute; opacity: 0; }
label { display: inline-block; margin: .25rem .25rem .25rem 0; padding: .25rem .75rem; border: var(--line); border-radius: 2rem; }
:checked + label, :checked + label small { background: CanvasText; color: Canvas; }
:focus-visible + label { outline: 2px solid; outline-offset: 2px; }
#passed:checked ~ table tbody tr:not(.passed), #failed:checked ~ table tbody tr:not(.failed), #refused:checked ~ table tbody tr:not(.refused) { display: none; }
@media (max-width: 40rem) { .w { display: none; } }
@media print { thead { position: static; } label { display: none; } }
`.replace(/\n */g, ' ');
