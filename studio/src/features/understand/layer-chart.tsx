import 'uplot/dist/uPlot.min.css';
import './understand.css';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { digits } from '../../ui/quantities.js';
import { theme } from '../../ui/theme.js';
import type { Statistics } from '../../workers/contracts/runs.js';
import { CaptureButton } from './capture-button.js';
import type { PlacedValue } from './place-values.js';
import { showNamed, values } from './state.js';

const HEIGHT = 340;

/** The largest magnitude, deviation and mean of every float tensor from the first node to the last, on a logarithmic axis. */
export function LayerChart() {
  const pointed = useSignal<number | null>(null);
  const shown = values.value.filter(isCharted);
  const value = shown[pointed.value ?? -1];
  return (
    <>
      <CaptureButton />
      {shown.length > 0 && (
        <>
          <p class="quiet">
            {shown.length} float tensors, from the first node to the last. Click to go to the tensor under the pointer.
            Or move with the arrow keys and press Enter.
          </p>
          <p>{value ? said(value) : 'Nothing selected'}</p>
          <Lines shown={shown} pointed={pointed} />
        </>
      )}
    </>
  );
}

interface Props {
  readonly shown: readonly PlacedValue[];
  readonly pointed: Signal<number | null>;
}

function Lines({ shown, pointed }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    // Keeps the cursor when the chart is recreated for late types or another theme.
    const before = pointed.value;
    const point = (index: number | null) => {
      pointed.value = index;
    };
    const ready = (made: uPlot) => before !== null && place(made, before);
    const made = new uPlot(optionsOf(element, point, ready), dataOf(shown), element);
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [values.value, theme.value]);
  const value = shown[pointed.value ?? -1];
  const lead = () => value && showNamed(value.name);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') lead();
    else if (chart.current && moved(chart.current, event.key)) event.preventDefault();
  };
  return (
    <div
      ref={host}
      class="layers"
      role="slider"
      aria-label="Statistics by layer"
      aria-valuemin={0}
      aria-valuemax={shown.length - 1}
      aria-valuenow={pointed.value ?? 0}
      aria-valuetext={value ? said(value) : 'none'}
      tabIndex={0}
      onClick={lead}
      onKeyDown={press}
    />
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Moves the cursor if the key is one for that; returns whether it did. */
function moved(chart: uPlot, key: string): boolean {
  const step = STEPS[key];
  if (step === undefined) return false;
  place(chart, (chart.cursor.idx ?? -1) + step);
  return true;
}

/** Moves the cursor to the value at an index, or the nearest one. */
function place(chart: uPlot, index: number): void {
  const to = Math.min(Math.max(index, 0), chart.data[0].length - 1);
  chart.setCursor({ left: chart.valToPos(to, 'x'), top: 0 });
}

const largest = ({ min, max }: Statistics): number => Math.max(Math.abs(min), Math.abs(max));

const said = ({ name, operator, statistics }: PlacedValue): string =>
  [
    `${name}${operator && ` of ${operator}`}`,
    ...(statistics
      ? [`max ${digits(largest(statistics))}`, `std ${digits(statistics.deviation)}`, `mean ${digits(statistics.mean)}`]
      : []),
  ].join(' · ');

const isCharted = ({ tensor, statistics }: PlacedValue): boolean =>
  statistics !== null && statistics.count > 0 && /float/.test(tensor?.type ?? '');

/** A logarithmic axis has no zero. */
const logarithmic = (x: number): number | null => (x > 0 && Number.isFinite(x) ? x : null);

function dataOf(shown: readonly PlacedValue[]): uPlot.AlignedData {
  const of = (figure: (statistics: Statistics) => number) =>
    shown.map(({ statistics }) => (statistics ? logarithmic(figure(statistics)) : null));
  return [shown.map((_, i) => i), of(largest), of(({ deviation }) => deviation), of(({ mean }) => Math.abs(mean))];
}

/** Tick intervals: whole numbers, as they count values. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

function optionsOf(
  element: HTMLElement,
  point: (index: number | null) => void,
  ready: (made: uPlot) => unknown,
): uPlot.Options {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: token('text-quiet'),
    grid: { stroke: token('line'), width: 1 },
    ticks: { stroke: token('line') },
  };
  const line = (label: string, color: string) => ({ label, stroke: token(color), width: 1.5, spanGaps: true });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { live: false },
    cursor: { y: false, drag: { x: false } },
    scales: { x: { time: false }, y: { distr: 3 } },
    axes: [
      { ...axis, incrs: WHOLE },
      { ...axis, size: 64 },
    ],
    series: [
      { label: 'Value' },
      line('Max absolute', 'cat-activation'),
      line('Standard deviation', 'cat-product'),
      line('Absolute mean', 'cat-pool'),
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)], ready: [(made) => void ready(made)] },
  };
}
