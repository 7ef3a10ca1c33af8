import { useSignal } from '@preact/signals';
import type { MemoryPlan } from 'sardonyx';
import { selectOrigins } from '../../store/go-to.js';
import { outline, selectValue } from '../../store/workspace.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { type Pen, Plot, ticksTo } from '../../ui/plot.js';
import { formatBytes, grouped } from '../../ui/quantities.js';
import { nameOf, type Rectangle, rectangleAt, rectanglesOf } from './memory-rectangles.js';
import { measurement } from './state.js';

const HEIGHT = 320;
const LEFT = 64;
const FOOT = 20;

/** The memory plan of the run: bytes upwards, steps to the right, a rectangle for each value. */
export function MemoryPicture() {
  const plan = measurement.value?.memory;
  if (!plan) return <p class="quiet">No memory plan: no kernels ran.</p>;
  return <Drawn plan={plan} />;
}

function Drawn({ plan }: { plan: MemoryPlan }) {
  const pointed = useSignal<Rectangle | undefined>(undefined);
  const rectangles = rectanglesOf(plan);
  const steps = plan.steps + 2;
  const most = rectangles.reduce((highest, { top }) => Math.max(highest, top), plan.peak);
  return (
    <div class="stack">
      <p>
        Peak {formatBytes(plan.peak)}, {(plan.lowerBound > 0 ? plan.peak / plan.lowerBound : 1).toFixed(2)} × the lower
        bound of {formatBytes(plan.lowerBound)}; linear memory {formatBytes(plan.linearMemory)}
      </p>
      <Plot
        label={`Memory plan: ${rectangles.length} buffers over ${plan.steps} steps`}
        height={HEIGHT}
        draw={(pen) => draw(pen, { rectangles, steps, most, plan, pointed: pointed.value })}
        onPoint={(x, y, { width, height }, event) => {
          const step = Math.floor(((x - LEFT) * steps) / (width - LEFT));
          const byte = ((height - FOOT - y) * most) / (height - FOOT - 8);
          const found = rectangleAt(rectangles, step, byte);
          if (found !== pointed.value) pointed.value = found;
          if (event === 'click' && found) showBuffer(found);
        }}
      />
      <p class="quiet" aria-live="polite">
        {pointed.value ? said(pointed.value) : 'Click a rectangle to go to its value or node.'}
      </p>
      <DataTable
        title="Buffers"
        columns={COLUMNS}
        rows={rectangles}
        sortedBy={3}
        onChoose={showBuffer}
        isChosen={(row) => nameOf(row) === (pointed.value && nameOf(pointed.value))}
      />
    </div>
  );
}

const COLUMNS: readonly Column<Rectangle>[] = [
  { title: 'Contents', of: nameOf, isPath: true, width: 3 },
  { title: 'Values', of: ({ buffer }) => buffer.values.length, width: 0.6, isMinor: true },
  { title: 'Offset', of: ({ bottom }) => bottom, text: ({ bottom }) => grouped(bottom) },
  {
    title: 'Bytes',
    of: ({ bottom, top }) => top - bottom,
    text: ({ bottom, top }) => grouped(top - bottom),
  },
  { title: 'First step', of: ({ left }) => left, isMinor: true },
  { title: 'Last step', of: ({ right }) => right - 1, isMinor: true },
];

function said(rectangle: Rectangle): string {
  const { bottom, top, left, right, buffer } = rectangle;
  const others = buffer.values.length > 1 ? ` and ${buffer.values.length - 1} more in the same memory` : '';
  return `${nameOf(rectangle)}${others} · ${formatBytes(top - bottom)} at ${formatBytes(bottom)} · steps ${left} to ${right - 1}`;
}

/** Selects the first of the buffer's values that is in the graph in view, or else the nodes that compute it. */
function showBuffer({ buffer: { values, origins } }: Rectangle): void {
  const graph = outline.value;
  if (!graph) return;
  const places = new Map(Array.from(graph.values.name, (name, index) => [graph.strings[name], index]));
  const index = values.map((name) => places.get(name)).find((place) => place !== undefined);
  if (index === undefined) selectOrigins(origins);
  else selectValue(index);
}

interface Drawing {
  readonly rectangles: readonly Rectangle[];
  readonly steps: number;
  readonly most: number;
  readonly plan: MemoryPlan;
  readonly pointed: Rectangle | undefined;
}

const COLORS = ['cat-product', 'cat-normalization', 'cat-pool', 'cat-reduction', 'cat-control', 'cat-arithmetic'];

function draw(pen: Pen, { rectangles, steps, most, plan, pointed }: Drawing): void {
  const { context, width, height, token } = pen;
  const xOf = (step: number) => LEFT + ((width - LEFT) * step) / steps;
  const yOf = (byte: number) => height - FOOT - ((height - FOOT - 8) * byte) / most;
  context.clearRect(0, 0, width, height);
  const colors = COLORS.map(token);
  const ground = token('surface');
  rectangles.forEach((rectangle, i) => {
    const [x, y] = [xOf(rectangle.left), yOf(rectangle.top)];
    const [w, h] = [xOf(rectangle.right) - x, yOf(rectangle.bottom) - y];
    context.globalAlpha = rectangle === pointed ? 1 : 0.75;
    context.fillStyle = colors[i % colors.length] as string;
    context.fillRect(x, y, w, h);
    context.strokeStyle = ground;
    context.strokeRect(x, y, w, h);
    context.globalAlpha = 1;
    if (w > 60 && h > 13) label(context, nameOf(rectangle), x, y, w, h, ground);
  });
  drawScale(pen, yOf, most);
  const isTight = plan.peak === plan.lowerBound;
  if (!isTight) drawBound(pen, yOf(plan.lowerBound), 'lower bound', 'good', width - 50);
  drawBound(pen, yOf(plan.peak), isTight ? 'peak = lower bound' : 'peak', 'accent', width - 6);
  drawSteps(pen, xOf, steps);
}

/** Step 0 precedes the first step of the run; the last one follows it. */
function drawSteps({ context, width, height, token }: Pen, xOf: (step: number) => number, steps: number): void {
  context.fillStyle = token('text-quiet');
  context.fillText('step', 8, height - FOOT / 2);
  context.textAlign = 'center';
  for (const step of ticksTo(steps - 1)) {
    const x = (xOf(step) + xOf(step + 1)) / 2;
    if (Number.isInteger(step) && x < width - 8) context.fillText(`${step}`, x, height - FOOT / 2);
  }
  context.textAlign = 'left';
}

function label(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  w: number,
  h: number,
  color: string,
): void {
  context.fillStyle = color;
  context.fillText(text.slice(-Math.floor((w - 8) / 6.2)), x + 4, y + h / 2, w - 8);
}

function drawScale({ context, token }: Pen, yOf: (byte: number) => number, most: number): void {
  context.fillStyle = token('text-quiet');
  context.textAlign = 'right';
  for (const byte of ticksTo(most)) context.fillText(formatBytes(byte), LEFT - 6, yOf(byte));
  context.textAlign = 'left';
}

function drawBound({ context, width, token }: Pen, y: number, title: string, color: string, right: number): void {
  context.strokeStyle = token(color);
  context.fillStyle = token(color);
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(LEFT, y);
  context.lineTo(width, y);
  context.stroke();
  context.setLineDash([]);
  context.textAlign = 'right';
  context.fillText(title, right, y - 7 < 6 ? y + 8 : y - 7);
  context.textAlign = 'left';
}
