import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Axis, Table, TableLine } from '../../../workers/contracts/logs.js';
import { colourOf, dashOf, resolved } from '../colors.js';

export interface Look {
  readonly axis: Axis;
  readonly isLogarithmic: boolean;
  readonly onSelect: (from: number, to: number) => void;
  readonly onPoint: (index: number | null) => void;
}

export interface Plot {
  /** Shows another table of the same runs. */
  show(table: Table): void;
  resize(width: number): void;
  destroy(): void;
}

const HEIGHT = 220;
/** With fewer points, each has a marker. */
const FEW = 40;

/** A line for each run, and behind it a faint band from the minimum to the maximum of the points merged into one. */
export function plot(into: HTMLElement, first: Table, look: Look): Plot {
  let table = first;
  const colours = table.lines.map(({ run }) => resolved(colourOf(run)));
  const options: uPlot.Options = {
    width: into.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
    scales: {
      x: { time: look.axis === 'wall' },
      y: { distr: look.isLogarithmic ? 3 : 1, range: () => rangeOf(table.lines, look.isLogarithmic) },
    },
    axes: [axisLook(26), { ...axisLook(62), values: (_, ticks) => ticks.map(tickOf) }],
    series: [{}, ...table.lines.map(({ run }, i) => seriesOf(run, colours[i] as string, () => table.x.length <= FEW))],
    hooks: {
      setSelect: [(made) => selected(made, look)],
      setCursor: [({ cursor }) => look.onPoint(cursor.idx ?? null)],
      drawAxes: [(made) => table.lines.forEach((line, i) => void drawBand(made, table.x, line, colours[i] as string))],
    },
  };
  const made = new uPlot(options, dataOf(table, look.isLogarithmic), into);
  return {
    show(next) {
      table = next;
      made.setData(dataOf(table, look.isLogarithmic));
    },
    resize: (width) => made.setSize({ width, height: HEIGHT }),
    destroy: () => made.destroy(),
  };
}

/** Short, but different for different ticks; null for those that a logarithmic axis omits. */
const tickOf = (value: number | null): string => (value === null ? '' : `${Number(value.toPrecision(6))}`);

const seriesOf = (run: string, stroke: string, isMarked: () => boolean): uPlot.Series => ({
  stroke,
  width: 1.5,
  dash: dashOf(run),
  spanGaps: true,
  points: { show: isMarked, size: 4 },
});

const axisLook = (size: number): uPlot.Axis => ({
  size,
  stroke: resolved('var(--text-quiet)'),
  font: `11px ${getComputedStyle(document.body).fontFamily}`,
  grid: { stroke: resolved('var(--line)'), width: 1 },
  ticks: { show: false },
});

/** The range of lines and bands, with some padding. */
function rangeOf(lines: readonly TableLine[], isLogarithmic: boolean): uPlot.Range.MinMax {
  let [least, largest] = [Infinity, -Infinity];
  const isShown = (value: number) => !Number.isNaN(value) && (!isLogarithmic || value > 0);
  for (const line of lines)
    for (const column of [line.line, line.least, line.largest])
      for (const value of column) {
        if (!isShown(value)) continue;
        if (value < least) least = value;
        if (value > largest) largest = value;
      }
  if (least > largest) return [isLogarithmic ? 1 : 0, isLogarithmic ? 10 : 1];
  return isLogarithmic ? uPlot.rangeLog(least, largest, 10, false) : uPlot.rangeNum(least, largest, 0.1, true);
}

/** Forward along the maxima and back along the minima; if they are equal, this is the line before smoothing. */
function drawBand(made: uPlot, x: Float64Array, { least, largest }: TableLine, colour: string): void {
  const path = new Path2D();
  const at = (i: number, y: number) => [made.valToPos(x[i] as number, 'x', true), made.valToPos(y, 'y', true)] as const;
  const { min = 0 } = made.scales.y ?? {};
  const there = Array.from(x, (_, i) => i).filter((i) => !Number.isNaN(least[i]));
  const bounded = (value: number) => Math.max(value, min as number);
  for (const i of there) path.lineTo(...at(i, bounded(largest[i] as number)));
  for (const i of there.reverse()) path.lineTo(...at(i, bounded(least[i] as number)));
  path.closePath();
  const { ctx } = made;
  ctx.save();
  ctx.beginPath();
  ctx.rect(made.bbox.left, made.bbox.top, made.bbox.width, made.bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.22;
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.fill(path);
  ctx.stroke(path);
  ctx.restore();
}

function selected(made: uPlot, look: Look): void {
  const { left, width } = made.select;
  if (width < 3) return;
  made.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  look.onSelect(made.posToVal(left, 'x'), made.posToVal(left + width, 'x'));
}

/** uPlot takes null instead of NaN; a logarithmic axis has no values of 0 or less. */
function dataOf({ x, lines }: Table, isLogarithmic: boolean): uPlot.AlignedData {
  const shown = (column: Float64Array) =>
    Array.from(column, (value) => (Number.isNaN(value) || (isLogarithmic && value <= 0) ? null : value));
  return [x, ...lines.map(({ line }) => shown(line))];
}
