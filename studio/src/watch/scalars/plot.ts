import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Axis } from '../../logs/draw/line.js';
import type { Table } from '../../logs/draw/table.js';
import { colourOf, dashOf, resolved } from '../colours.js';

export interface Look {
  readonly axis: Axis;
  readonly isLogarithmic: boolean;
  readonly width: number;
  readonly onSelect: (from: number, to: number) => void;
  readonly onPoint: (index: number | null) => void;
}

const HEIGHT = 220;
/** With fewer points each is marked. */
const FEW = 40;

/** A line for each run, and a faint band from the least to the largest of what is drawn as one. */
export function plot(into: HTMLElement, table: Table, look: Look): uPlot {
  const options: uPlot.Options = {
    width: look.width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 5 } },
    scales: { x: { time: look.axis === 'wall' }, y: { distr: look.isLogarithmic ? 3 : 1 } },
    axes: [axisLook(26), axisLook(62)],
    series: [{}, ...table.lines.flatMap((line) => seriesOf(line.run, table.x.length <= FEW))],
    bands: table.lines.map(({ run }, i) => ({ series: [3 * i + 3, 3 * i + 2], fill: faint(run) })),
    hooks: {
      setSelect: [(made) => selected(made, look)],
      setCursor: [({ cursor }) => look.onPoint(cursor.idx ?? null)],
    },
  };
  return new uPlot(options, dataOf(table, look.isLogarithmic), into);
}

const faint = (run: string) => `color-mix(in srgb, ${resolved(colourOf(run))} 18%, transparent)`;

function seriesOf(run: string, isMarked: boolean): uPlot.Series[] {
  const edge = { stroke: faint(run), width: 1, spanGaps: true, points: { show: false } };
  const stroke = resolved(colourOf(run));
  return [{ stroke, width: 1.5, dash: dashOf(run), spanGaps: true, points: { show: isMarked, size: 4 } }, edge, edge];
}

const axisLook = (size: number): uPlot.Axis => ({
  size,
  stroke: resolved('var(--text-quiet)'),
  font: `11px ${getComputedStyle(document.body).fontFamily}`,
  grid: { stroke: resolved('var(--line)'), width: 1 },
  ticks: { show: false },
});

function selected(made: uPlot, look: Look): void {
  const { left, width } = made.select;
  if (width < 3) return;
  made.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  look.onSelect(made.posToVal(left, 'x'), made.posToVal(left + width, 'x'));
}

/** uPlot knows no NaN; a logarithm has none below 0. */
export function dataOf({ x, lines }: Table, isLogarithmic: boolean): uPlot.AlignedData {
  const shown = (column: Float64Array) =>
    Array.from(column, (value) => (Number.isNaN(value) || (isLogarithmic && value <= 0) ? null : value));
  return [x, ...lines.flatMap(({ line, least, largest }) => [shown(line), shown(least), shown(largest)])];
}
