// Draws figures of `npm run bench -- --json FIGURES` for the README: npm run bench:chart -- FIGURES OUTPUT.svg
import { readFileSync, writeFileSync } from 'node:fs';
import type { RowResult } from './results.js';
import { figure } from './tables.js';

const [figures, output] = process.argv.slice(2);
if (!figures || !output) throw new Error('usage: npm run bench:chart -- FIGURES.json OUTPUT.svg');

const WIDTH = 720;
const LEFT = 150;
const RIGHT = 150;
const TOP = 44;
const ROW = 46;
const BAR = 14;
const RUNTIMES = ['sardonyx', 'onnxruntime-web'] as const;

const { rows } = JSON.parse(readFileSync(figures, 'utf8')) as { rows: RowResult[] };

/** The minimum over all processes, in milliseconds. */
function milliseconds({ name, results }: RowResult, runtime: (typeof RUNTIMES)[number]): number {
  const times = results[runtime]?.reports.flatMap(({ timing }) => (timing ? [timing.min] : [])) ?? [];
  if (times.length === 0) throw new Error(`${figures}: row ${name} has no times of ${runtime}`);
  return Math.min(...times);
}

const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;

function drawRow(row: RowResult, index: number): string {
  const [own, other] = RUNTIMES.map((runtime) => milliseconds(row, runtime)) as [number, number];
  const longest = Math.max(own, other);
  const y = TOP + index * ROW;
  const bar = (time: number, offset: number, name: string) => {
    const width = ((WIDTH - LEFT - RIGHT) * time) / longest;
    return [
      `<rect class="${name}" x="${LEFT}" y="${y + offset}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>`,
      text(LEFT + width + 6, y + offset + BAR - 3, `${figure(time)} ms`, 'class="time"'),
    ].join('');
  };
  return [
    text(LEFT - 10, y + BAR + 5, row.name, 'text-anchor="end"'),
    bar(own, 0, 'own'),
    bar(other, BAR + 3, 'other'),
    text(WIDTH - 4, y + BAR + 5, `${figure(other / own)}× faster`, 'class="faster" text-anchor="end"'),
  ].join('\n');
}

const legend = [
  `<rect class="own" x="${LEFT}" y="12" width="12" height="12" rx="2"/>`,
  text(LEFT + 18, 22, 'Sardonyx'),
  `<rect class="other" x="${LEFT + 100}" y="12" width="12" height="12" rx="2"/>`,
  text(LEFT + 118, 22, 'onnxruntime-web'),
  text(WIDTH - 4, 22, 'one thread, lower is better', 'class="time" text-anchor="end"'),
];

const height = TOP + rows.length * ROW;
writeFileSync(
  output,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Milliseconds per run of Sardonyx and onnxruntime-web">
<style>
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
}
</style>
${[...legend, ...rows.map(drawRow)].join('\n')}
</svg>
`,
);
