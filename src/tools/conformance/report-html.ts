import type { ConformanceReport, Tally } from './report.js';
import { STYLE } from './report-style.js';
import { type ConformanceResult, OUTCOMES, type Outcome } from './result.js';

/** Formats a report as a self-contained HTML page without scripts. Equal reports give equal pages. */
export function reportHtml(report: ConformanceReport): string {
  const { runtime, host, date, milliseconds, totals, cases } = report;
  const title = `ONNX conformance of ${escaped(runtime)}`;
  const seconds = `${(milliseconds / 1000).toFixed(1)}&nbsp;s`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<main>
<h1>${title}</h1>
<p class="about">${escaped(host)} · <time datetime="${escaped(date)}">${escaped(date.slice(0, 16).replace('T', ' '))} UTC</time> · ${seconds}</p>
<p class="lead"><strong>${share(totals.passed, totals.cases)}</strong> of ${count(totals.cases)} cases passed.</p>
${bar(totals)}
<ul>${OUTCOMES.map((outcome) => `<li>${mark(outcome)} ${count(totals[outcome])}</li>`).join('')}</ul>
<nav><a href="#operators">Operators</a> <a href="#opsets">Opsets</a> <a href="#cases">Cases</a></nav>
${operatorTables(report)}
<h2 id="opsets">Opsets</h2>
${tallies('Cases by imported opset', 'Opset', report.opsets, ({ domain, version }) => `${domain} ${version}`)}
${caseTable(cases, totals)}
</main>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);

/** Formats a name that may break across lines between its parts. */
const named = (name: string): string => `<code>${escaped(name).replace(/[./_]/g, '$&<wbr>')}</code>`;

const count = (n: number): string => n.toLocaleString('en');

/** Formats a percentage, rounded down so that only complete results show 100 %. */
const share = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10} %`;

/** Signs that convey the outcome without color. */
const SIGNS: Readonly<Record<Outcome, string>> = { passed: '✓', failed: '✗', refused: '–' };

const mark = (outcome: Outcome): string =>
  `<span class="${outcome}"><span aria-hidden="true">${SIGNS[outcome]}</span> ${outcome}</span>`;

const bar = (tally: Tally): string =>
  `<div class="bar" aria-hidden="true">${OUTCOMES.map(
    (outcome) => tally[outcome] && `<i class="${outcome}" style="flex:${tally[outcome]}"></i>`,
  )
    .filter(Boolean)
    .join('')}</div>`;

/** Shows operators with failed or refused cases first, and the others in a collapsed section. */
function operatorTables({ operators }: ConformanceReport): string {
  const isWhole = ({ failed, refused }: Tally) => failed + refused === 0;
  const [whole, others] = [operators.filter(isWhole), operators.filter((tally) => !isWhole(tally))];
  const table = (caption: string, rows: typeof operators) =>
    tallies(caption, 'Operator', rows, ({ operator }) => operator);
  const open = others.length > 0 ? '' : ' open';
  const summary = `${count(whole.length)} of ${count(operators.length)} operators passed all cases`;
  return `<h2 id="operators">Operators</h2>
${table('Operators with failed or refused cases', others)}
<details${open}><summary>${summary}</summary>
${table('Operators that passed all cases', whole)}
</details>`;
}

function tallies<T extends Tally>(
  caption: string,
  heading: string,
  rows: readonly T[],
  nameOf: (row: T) => string,
): string {
  if (rows.length === 0) return '';
  const body = rows.map(
    (row) =>
      `<tr><th scope="row">${named(nameOf(row))}</th>${OUTCOMES.map((outcome) => `<td class="n${row[outcome] ? ` ${outcome}` : ''}">${count(row[outcome])}</td>`).join('')}<td class="w">${bar(row)}</td></tr>`,
  );
  const head = OUTCOMES.map((outcome) => `<th scope="col" class="n">${outcome}</th>`).join('');
  return `<table><caption>${caption}</caption>
<thead><tr><th scope="col">${heading}</th>${head}<td class="w"></td></tr></thead>
<tbody>
${body.join('\n')}
</tbody></table>`;
}

/** A table of all cases, with a filter by outcome. It initially shows failed cases, else refused cases, else all. */
function caseTable(cases: readonly ConformanceResult[], totals: Tally): string {
  const first = totals.failed > 0 ? 'failed' : totals.refused > 0 ? 'refused' : 'all';
  const choices = (['all', ...OUTCOMES] as const).map((choice) => {
    const number = choice === 'all' ? cases.length : totals[choice];
    return `<input type="radio" name="shown" id="${choice}"${choice === first ? ' checked' : ''}><label for="${choice}">${choice} <small>${count(number)}</small></label>`;
  });
  return `<h2 id="cases">Cases</h2>
<div class="cases" role="group" aria-label="Filter cases">
${choices.join('\n')}
<table><caption>Cases in the order in which they ran</caption>
<thead><tr><th scope="col">Outcome</th><th scope="col">Case</th><th scope="col" class="n">ms</th></tr></thead>
<tbody>
${cases.map(caseRow).join('\n')}
</tbody></table>
</div>`;
}

function caseRow({ name, outcome, problems, operators, opsets, milliseconds }: ConformanceResult): string {
  const versions = Object.entries(opsets).map(([domain, version]) =>
    domain === 'ai.onnx' ? `opset ${version}` : `${domain} ${version}`,
  );
  const about = [operators.join(', '), ...versions].filter(Boolean).map(escaped).join(' · ');
  const found = problems.map(({ dataSet, output, message }) => {
    const place = output === undefined ? '' : `${named(output)} of data set ${escaped(dataSet ?? '')}: `;
    return `<p>${place}${escaped(message)}</p>`;
  });
  return `<tr class="${outcome}"><td>${mark(outcome)}</td><th scope="row">${named(name)}<small>${about}</small>${found.join('')}</th><td class="n">${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)}</td></tr>`;
}
