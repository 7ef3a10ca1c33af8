import type { Signal } from '@preact/signals';
import type { RunSummary } from '../../../workers/contracts/logs.js';
import { colourOf } from '../colors.js';
import { type Axis, type Column, placesOf } from './columns.js';

const SIZE = { width: 560, height: 220, top: 40, bottom: 24, side: 48 };
const yAt = (place: number) => SIZE.height - SIZE.bottom - place * (SIZE.height - SIZE.top - SIZE.bottom);

interface Props {
  readonly runs: readonly RunSummary[];
  readonly columns: readonly Column[];
  readonly marked: Signal<string | null>;
}

/** A line for each run across an axis for each column; the table beside it has the same data. */
export function Parallel({ runs, columns, marked }: Props) {
  const axes = columns.map((column) => placesOf(column, runs));
  const gap = Math.max(90, Math.min(150, SIZE.width / Math.max(1, columns.length - 1)));
  const xAt = (i: number) => SIZE.side + i * gap;
  const width = SIZE.side * 2 + Math.max(0, columns.length - 1) * gap;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to by keys, too
    <section class="scrolled" aria-label="Parallel coordinates" tabIndex={0}>
      <svg
        class="parallel"
        width={width}
        height={SIZE.height}
        viewBox={`0 0 ${width} ${SIZE.height}`}
        role="img"
        aria-label={`${runs.length} runs over ${columns.map(({ name }) => name).join(', ')}`}
      >
        {runs.map((run) => (
          <path
            key={run.folder}
            d={lineOf(run, axes, xAt)}
            class={marked.value === null || marked.value === run.folder ? undefined : 'faint'}
            style={{ stroke: colourOf(run.folder) }}
            onPointerEnter={() => {
              marked.value = run.folder;
            }}
            onPointerLeave={() => {
              marked.value = null;
            }}
          />
        ))}
        {columns.map(({ name }, i) => (
          <AxisLine key={name} name={name} x={xAt(i)} axis={axes[i] as Axis} />
        ))}
      </svg>
    </section>
  );
}

/** The path of a run's line, with a gap if it has no value. */
const lineOf = (run: RunSummary, axes: readonly Axis[], xAt: (i: number) => number): string => {
  let isBroken = true;
  return axes
    .map(({ at }, i) => {
      const place = at(run);
      const step = place === undefined ? '' : `${isBroken ? 'M' : 'L'}${xAt(i)} ${yAt(place)}`;
      isBroken = place === undefined;
      return step;
    })
    .join('');
};

/** Labels at the ends are above or below the axis, where no line passes; the others are beside it. */
const besideMark = (x: number, place: number) =>
  place === 0 || place === 1
    ? { x, y: yAt(place) + (place === 1 ? -7 : 15), 'text-anchor': 'middle' as const }
    : { x: x + 5, y: yAt(place) + 4 };

const AxisLine = ({ name, x, axis }: { name: string; x: number; axis: Axis }) => (
  <g>
    <line x1={x} x2={x} y1={yAt(0)} y2={yAt(1)} />
    <text x={x} y="12" text-anchor="middle">
      {name}
    </text>
    {axis.marks.map(([place, value]) => (
      <text key={`${value}`} class="mark" {...besideMark(x, place)}>
        {typeof value === 'number' ? Number(value.toPrecision(3)) : `${value}`}
      </text>
    ))}
  </g>
);
