import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { selectOrigins } from '../../store/go-to.js';
import { Plot, ticksTo } from '../../ui/plot.js';
import { counted, formatMilliseconds } from '../../ui/quantities.js';
import { formatGigaflops } from './heats.js';
import { endOf, laidOut, type Rows, type Span, spanAt, stepsWithin, type Window } from './spans.js';
import { measurement } from './state.js';
import { TimelineRange } from './timeline-range.js';

const AXIS = 22;
const ROW = 34;
/** Width of the row titles in pixels. */
const LEFT = 60;

/** Steps over time, in a row per thread with the host's below: wheel or + and − zoom, a click leads to the node, a drag sums steps. */
export function Timeline() {
  const measured = measurement.value;
  const steps = measured?.steps ?? [];
  const rows = laidOut(steps);
  const { spans } = rows;
  const end = spans.reduce((most, span) => Math.max(most, endOf(span)), 0);
  const window = useSignal<Window>({ from: 0, to: end });
  const pointed = useSignal<Span | null>(null);
  const range = useSignal<Window | null>(null);
  useEffect(() => {
    window.value = { from: 0, to: end };
    range.value = null;
  }, [measured]);
  const timeAt = (x: number, width: number) => {
    const { from, to } = window.value;
    return from + ((to - from) * (x - LEFT)) / (width - LEFT);
  };
  const zoom = (place: number, factor: number, shift: number) => {
    const { from, to } = window.value;
    const length = Math.min(end, Math.max(end / 20_000, (to - from) / factor));
    const fixed = from + (to - from) * place;
    const begin = Math.max(0, Math.min(end - length, fixed - length * place + shift * length));
    window.value = { from: begin, to: begin + length };
  };
  return (
    <div class="stack">
      <Plot
        label={`Timeline of ${steps.length} steps over ${formatMilliseconds(end)}`}
        height={AXIS + rows.titles.length * ROW + 8}
        draw={(pen) => {
          drawAxis(pen, window.value);
          drawSpans(pen, rows, window.value, pointed.value);
          if (range.value) drawRange(pen, range.value, window.value);
        }}
        onPoint={(x, y, { width }, event) => {
          const found = spanAt(spans, timeAt(x, width), Math.floor((y - AXIS) / ROW));
          if (pointed.value !== found) pointed.value = found;
          if (event === 'click') range.value = null;
          if (event === 'click' && found) selectOrigins(found.step.origins);
        }}
        onDrag={(from, to, { width }) => {
          const [begin, close] = [timeAt(Math.min(from, to), width), timeAt(Math.max(from, to), width)];
          range.value = { from: Math.max(0, begin), to: Math.min(end, close) };
        }}
        onZoom={(x, factor, shift, { width }) =>
          zoom(Math.max(0, x - LEFT) / (width - LEFT), factor, shift / (width - LEFT))
        }
        onKey={(key) => {
          if (key === 'Enter') range.value = window.value;
          if (key === 'Enter') return true;
          if (key === 'Escape' && range.value) {
            range.value = null;
            return true;
          }
          const [factor, shift] = KEYS[key] ?? [];
          if (factor !== undefined) zoom(0.5, factor, shift as number);
          return factor !== undefined;
        }}
      />
      <p class="quiet" aria-live="polite">
        {pointed.value
          ? said(pointed.value)
          : 'The profiled run executes one step after another, each on all threads. Scroll or press + and − to zoom, use the arrow keys to move, and click a step to go to its node. Drag to sum the steps of a range, or press Enter to sum those in view.'}
      </p>
      {range.value && <TimelineRange range={range.value} steps={stepsWithin(steps, range.value)} />}
    </div>
  );
}

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  '+': [1.5, 0],
  '-': [1 / 1.5, 0],
  ArrowLeft: [1, -0.2],
  ArrowRight: [1, 0.2],
};

const said = ({ step, part }: Span): string => {
  const { operator, node, kernel, milliseconds, multiplyAdds, origins, tiles, threads } = step;
  const speed = formatGigaflops(multiplyAdds ?? 0, milliseconds);
  return [
    `${operator} ${node}`.trim(),
    kernel,
    formatMilliseconds(milliseconds),
    threads.length > 1 ? `${part.tiles} of ${tiles} tiles here in ${formatMilliseconds(part.milliseconds)}` : '',
    speed && `${speed} GFLOP/s`,
    counted(origins.length, 'node'),
  ]
    .filter(Boolean)
    .join(' · ');
};

function drawAxis(
  { context, width, height, token }: Parameters<Parameters<typeof Plot>[0]['draw']>[0],
  { from, to }: Window,
): void {
  context.clearRect(0, 0, width, height);
  context.fillStyle = token('text-quiet');
  context.strokeStyle = token('line');
  const steps = ticksTo(to - from);
  const step = (steps[1] ?? to - from) || 1;
  let free = LEFT;
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
    const x = LEFT + ((width - LEFT) * (time - from)) / (to - from);
    context.beginPath();
    context.moveTo(x, AXIS - 4);
    context.lineTo(x, height);
    context.stroke();
    const label = `${Number(time.toPrecision(4))} ms`;
    const wide = context.measureText(label).width;
    const at = Math.min(x + 3, width - wide - 3);
    if (at < free) continue;
    context.fillText(label, at, AXIS / 2);
    free = at + wide + 8;
  }
}

const COLORS = ['cat-product', 'cat-normalization', 'cat-activation', 'cat-pool', 'cat-reduction', 'cat-shape'];

function drawSpans(
  { context, width, token }: Parameters<Parameters<typeof Plot>[0]['draw']>[0],
  { titles, spans }: Rows,
  { from, to }: Window,
  pointed: Span | null,
): void {
  context.fillStyle = token('text-quiet');
  for (const [row, title] of titles.entries()) {
    const y = AXIS + row * ROW + ROW / 2 - 2;
    context.fillText(title, 8, y);
    if (!spans.some((span) => span.row === row)) context.fillText('nothing', LEFT + 6, y);
  }
  const colors = COLORS.map(token);
  const ground = token('surface');
  const strong = token('text');
  const scale = (width - LEFT) / (to - from);
  context.save();
  context.beginPath();
  context.rect(LEFT, 0, width - LEFT, AXIS + titles.length * ROW);
  context.clip();
  for (const span of spans) {
    const x = LEFT + (span.part.start - from) * scale;
    const length = Math.max(0.5, span.part.milliseconds * scale);
    if (x > width || x + length < LEFT) continue;
    const y = AXIS + span.row * ROW;
    context.fillStyle = colors[span.color % colors.length] as string;
    context.fillRect(x, y, length, ROW - 4);
    if (span === pointed) {
      context.strokeStyle = strong;
      context.strokeRect(x, y, length, ROW - 4);
    }
    if (length < 46) continue;
    context.fillStyle = ground;
    context.fillText(span.step.operator.slice(0, Math.floor(length / 7)), Math.max(x, LEFT) + 5, y + ROW / 2 - 2);
  }
  context.restore();
}

function drawRange(
  { context, width, height, token }: Parameters<Parameters<typeof Plot>[0]['draw']>[0],
  range: Window,
  { from, to }: Window,
): void {
  const at = (time: number) => Math.max(LEFT, LEFT + ((width - LEFT) * (time - from)) / (to - from));
  context.fillStyle = context.strokeStyle = token('accent');
  const [begin, end] = [at(range.from), at(range.to)];
  context.globalAlpha = 0.18;
  context.fillRect(begin, 0, end - begin, height);
  context.globalAlpha = 1;
  context.strokeRect(begin, 0.5, end - begin, height - 1);
}
