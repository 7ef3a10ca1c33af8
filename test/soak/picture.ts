import type { Sample } from './sample.js';

type Key = keyof Sample;

interface Panel {
  readonly title: string;
  readonly lines: readonly { readonly key: Key; readonly label: string }[];
}

const PANELS: readonly Panel[] = [
  {
    title: 'Memory, MiB',
    lines: [
      { key: 'resident', label: 'resident' },
      { key: 'linear', label: 'linear memory of this thread' },
      { key: 'heap', label: 'JavaScript heap' },
      { key: 'arrayBuffers', label: 'array buffers' },
    ],
  },
  {
    title: 'Handles',
    lines: [
      { key: 'handles', label: 'active resources' },
      { key: 'threads', label: 'threads' },
      { key: 'files', label: 'open files' },
    ],
  },
  {
    title: 'Latency of runs, ms',
    lines: [
      { key: 'p99', label: 'p99' },
      { key: 'p50', label: 'p50' },
    ],
  },
];

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [900, 220, 60, 200, 34, 26];
const COLOURS = ['#0a7ea4', '#c2571a', '#5b8c2a', '#8a4fbe'];

const STYLE = `text { font: 12px system-ui, sans-serif; fill: #1f2328 } .axis { stroke: #8b949e; stroke-width: 0.5 }
svg { background: #fff } @media (prefers-color-scheme: dark) { svg { background: #0d1117 } text { fill: #e6edf3 } }`;

/** The samples as curves over time: a picture for light and dark pages. */
export function picture(samples: readonly Sample[]): string {
  const height = PANELS.length * HEIGHT;
  const panels = PANELS.map((panel, i) => `<g transform="translate(0 ${i * HEIGHT})">${drawn(panel, samples)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<title>Memory, handles and latencies of a soak</title>
<style>${STYLE}</style>
${panels.join('\n')}
</svg>
`;
}

function drawn({ title, lines }: Panel, samples: readonly Sample[]): string {
  const values = samples.flatMap((sample) => lines.map(({ key }) => sample[key])).filter(Number.isFinite);
  const top = roundUp(Math.max(1, ...values));
  const minutes = Math.max(1e-3, samples.at(-1)?.minutes ?? 0);
  const x = (at: number) => LEFT + (at / minutes) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.5, 1].map((share) => {
    const at = y(share * top).toFixed(1);
    const label = `<text x="${LEFT - 6}" y="${at}" dy="4" text-anchor="end">${short(share * top)}</text>`;
    return `<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>${label}`;
  });
  const curves = lines.map(({ key, label }, i) => {
    const points = samples.filter((sample) => Number.isFinite(sample[key]));
    const path = points.map((sample) => `${x(sample.minutes).toFixed(1)},${y(sample[key]).toFixed(1)}`).join(' ');
    const legend = `<text x="${WIDTH - RIGHT + 26}" y="${TOP + 18 * i}" dy="4">${label}</text>`;
    const key_ = `<line x1="${WIDTH - RIGHT + 8}" x2="${WIDTH - RIGHT + 22}" y1="${TOP + 18 * i}" y2="${TOP + 18 * i}" stroke="${COLOURS[i]}" stroke-width="2"/>`;
    return `<polyline points="${path}" fill="none" stroke="${COLOURS[i]}" stroke-width="1.5"/>${key_}${legend}`;
  });
  const end = `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 8}" text-anchor="end">${short(minutes)} min</text>`;
  return `<text x="${LEFT}" y="20" font-weight="600">${title}</text>${grid.join('')}${curves.join('')}${end}`;
}

/** The next of 1, 2, 5, 10, 20 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

const short = (value: number) => String(Number(value.toPrecision(3)));
