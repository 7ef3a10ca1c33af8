import { useSignal } from '@preact/signals';
import type { StepTiming } from 'sardonyx';
import { selectOrigins } from '../../store/go-to.js';
import { type Pen, Plot } from '../../ui/plot.js';
import { digits, formatMilliseconds } from '../../ui/quantities.js';
import type { Ceiling } from '../../workers/contracts/runs.js';
import { gigaflops } from './heats.js';
import { ceiling, measureCeiling, measurement } from './state.js';

const HEIGHT = 340;
const LEFT = 52;
const FOOT = 34;
const HEAD = 26;
const REACH = 7;

/** A step by operations per byte and the speed it reached. */
interface Point {
  readonly step: StepTiming;
  readonly intensity: number;
  readonly speed: number;
}

/** Steps below the machine's roofline: memory bandwidth limits the slope, arithmetic the flat part. */
export function Roofline() {
  const pointed = useSignal<Point | null>(null);
  const measured = measurement.value;
  const points = pointsOf(measured?.steps ?? []);
  const roof = ceiling.value;
  const frame = frameOf(points, roof);
  return (
    <div class="stack">
      <div class="row">
        <button type="button" class="button" onClick={() => void measureCeiling()}>
          {roof ? 'Measure this machine again' : 'Measure this machine'}
        </button>
        <span class="quiet">
          {roof
            ? saidOf(roof)
            : 'Measure this machine to draw the roof: a matrix multiplication gives the compute limit, an addition the bandwidth.'}
        </span>
      </div>
      <Plot
        label={`Roofline of ${points.length} steps`}
        height={HEIGHT}
        draw={(pen) => draw(pen, frame, points, roof, pointed.value)}
        onPoint={(x, y, pen, event) => {
          const found = nearest(points, x, y, pen, frame);
          if (found !== pointed.value) pointed.value = found;
          if (event === 'click' && found) selectOrigins(found.step.origins);
        }}
      />
      <p class="quiet" aria-live="polite">
        {pointed.value ? said(pointed.value) : 'Larger dots took longer. Click a dot to go to its node.'}
      </p>
    </div>
  );
}

const saidOf = ({ gigaflops: speed, bandwidth, threads }: Ceiling): string =>
  `${digits(speed)} GFLOP/s and ${digits(bandwidth)} GB/s, best of 7 runs: a 768×768×768 MatMul and an Add of 4 M floats, ${threads} thread${threads === 1 ? '' : 's'}`;

const said = ({ step, intensity, speed }: Point): string =>
  `${step.operator} ${step.node} · ${formatMilliseconds(step.milliseconds)} · ${digits(speed)} GFLOP/s at ${digits(intensity)} FLOP/byte`;

function pointsOf(steps: readonly StepTiming[]): Point[] {
  return steps
    .map((step) => ({
      step,
      intensity: (2 * (step.multiplyAdds ?? 0)) / step.bytes,
      speed: gigaflops(step.multiplyAdds ?? 0, step.milliseconds),
    }))
    .filter(({ intensity, speed }) => intensity > 0 && speed > 0 && Number.isFinite(intensity));
}

/** Ranges of powers of ten that include all points and the roof. */
interface Frame {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

function frameOf(points: readonly Point[], roof: Ceiling | null): Frame {
  const xs = points.map(({ intensity }) => Math.log10(intensity));
  const ys = points.map(({ speed }) => Math.log10(speed));
  if (roof) {
    ys.push(Math.log10(roof.gigaflops));
    xs.push(Math.log10(roof.gigaflops / roof.bandwidth));
  }
  return { x: range(xs, -1, 2), y: range(ys, -1, 2) };
}

function range(values: readonly number[], least: number, most: number): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return low > high ? [least, most] : [Math.floor(low), Math.ceil(high + 0.1)];
}

const xOf = ({ width }: Pen, { x: [from, to] }: Frame, power: number) =>
  LEFT + ((width - LEFT - 8) * (power - from)) / (to - from);
const yOf = ({ height }: Pen, { y: [from, to] }: Frame, power: number) =>
  height - FOOT - ((height - FOOT - HEAD) * (power - from)) / (to - from);

function nearest(points: readonly Point[], x: number, y: number, pen: Pen, frame: Frame): Point | null {
  let [best, distance]: [Point | null, number] = [null, REACH ** 2];
  for (const point of points) {
    const dx = xOf(pen, frame, Math.log10(point.intensity)) - x;
    const dy = yOf(pen, frame, Math.log10(point.speed)) - y;
    if (dx * dx + dy * dy <= distance) [best, distance] = [point, dx * dx + dy * dy];
  }
  return best;
}

function draw(pen: Pen, frame: Frame, points: readonly Point[], roof: Ceiling | null, pointed: Point | null): void {
  const { context, width, height, token } = pen;
  context.clearRect(0, 0, width, height);
  drawGrid(pen, frame);
  if (roof) drawRoof(pen, frame, roof);
  const most = points.reduce((longest, { step }) => Math.max(longest, step.milliseconds), 0) || 1;
  context.fillStyle = token('cat-product');
  for (const point of points) {
    context.globalAlpha = point === pointed ? 1 : 0.6;
    const radius = 2 + 7 * Math.sqrt(point.step.milliseconds / most);
    const [x, y] = [xOf(pen, frame, Math.log10(point.intensity)), yOf(pen, frame, Math.log10(point.speed))];
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}

function drawGrid(pen: Pen, frame: Frame): void {
  const { context, width, height, token } = pen;
  context.strokeStyle = token('line');
  context.fillStyle = token('text-quiet');
  for (let power = frame.x[0]; power <= frame.x[1]; power++) {
    const x = xOf(pen, frame, power);
    line(context, x, HEAD, x, height - FOOT);
    context.textAlign = power === frame.x[1] ? 'right' : 'center';
    context.fillText(powerText(power), power === frame.x[1] ? width - 6 : x, height - FOOT + 10);
  }
  for (let power = frame.y[0]; power <= frame.y[1]; power++) {
    const y = yOf(pen, frame, power);
    line(context, LEFT, y, width - 8, y);
    context.textAlign = 'right';
    context.fillText(powerText(power), LEFT - 8, y);
  }
  context.textAlign = 'left';
  context.fillText('GFLOP/s', 8, 12);
  context.textAlign = 'right';
  context.fillText('FLOP/byte', width - 6, height - 9);
  context.textAlign = 'left';
}

const powerText = (power: number): string => `${Number((10 ** power).toPrecision(2))}`;

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

function drawRoof(pen: Pen, frame: Frame, { gigaflops: speed, bandwidth }: Ceiling): void {
  const { context, token } = pen;
  const [from, to] = frame.x;
  const ridge = Math.log10(speed / bandwidth);
  context.strokeStyle = token('accent');
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(xOf(pen, frame, from), yOf(pen, frame, from + Math.log10(bandwidth)));
  context.lineTo(xOf(pen, frame, ridge), yOf(pen, frame, Math.log10(speed)));
  context.lineTo(xOf(pen, frame, to), yOf(pen, frame, Math.log10(speed)));
  context.stroke();
  context.lineWidth = 1;
}
