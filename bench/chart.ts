// Draws the table of README.md as docs/images/benchmarks.svg: npm run bench:chart
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const PICTURE = new URL('docs/images/benchmarks.svg', ROOT);

/** A row of the table: milliseconds per run. */
interface Row {
  readonly name: string;
  readonly own: string;
  readonly other: string;
  readonly faster: string;
}

const TABLE_ROW = /^\| (?<name>[^|]+) \| (?<own>[\d.]+) \| (?<other>[\d.]+) \| (?<faster>[\d.]+×) \|$/gm;

const rowsOf = (readme: string): Row[] => [...readme.matchAll(TABLE_ROW)].map(({ groups }) => groups as unknown as Row);

const WIDTH = 720;
const LEFT = 170;
const RIGHT = 190;
const TOP = 44;
const ROW = 46;
const BAR = 14;

const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;

function drawRow({ name, own, other, faster }: Row, index: number): string {
  const longest = Math.max(Number(own), Number(other));
  const y = TOP + index * ROW;
  const bar = (milliseconds: string, offset: number, runtime: string) => {
    const width = ((WIDTH - LEFT - RIGHT) * Number(milliseconds)) / longest;
    return [
      `<rect class="${runtime}" x="${LEFT}" y="${y + offset}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>`,
      text(Math.round(LEFT + width + 6), y + offset + BAR - 3, `${milliseconds} ms`, 'class="time"'),
    ].join('');
  };
  return [
    text(LEFT - 10, y + BAR + 5, name, 'text-anchor="end"'),
    bar(own, 0, 'own'),
    bar(other, BAR + 3, 'other'),
    text(WIDTH - 4, y + BAR + 5, `${faster} faster`, 'class="faster" text-anchor="end"'),
  ].join('\n');
}

const legend = [
  `<rect class="own" x="${LEFT}" y="12" width="12" height="12" rx="2"/>`,
  text(LEFT + 18, 22, 'Sardonyx'),
  `<rect class="other" x="${LEFT + 100}" y="12" width="12" height="12" rx="2"/>`,
  text(LEFT + 118, 22, 'onnxruntime-web'),
  text(WIDTH - 4, 22, 'one thread, lower is better', 'class="time" text-anchor="end"'),
];

const STYLE = `
text { font: 14px system-ui, sans-serif; fill: #24292f }
.time { font-size: 12px; fill: #57606a }
.faster { font-weight: 600 }
.own { fill: #b5432a }
.other { fill: #afb8c1 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .time { fill: #9198a1 }
  .own { fill: #e0704f }
  .other { fill: #4a535d }
}`;

/** Draws a README's table as a chart for light and dark pages. */
export function chartOf(readme: string): string {
  const rows = rowsOf(readme);
  const height = TOP + rows.length * ROW;
  const label = 'Milliseconds per run of Sardonyx and onnxruntime-web';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${label}">
<style>${STYLE}</style>
${[...legend, ...rows.map(drawRow)].join('\n')}
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(PICTURE, chartOf(readFileSync(new URL('README.md', ROOT), 'utf8')));
