import 'uplot/dist/uPlot.min.css';
import './understand.css';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { digits } from '../design/quantities.js';
import { theme } from '../shell/theme.js';
import { CaptureButton } from './capture-button.js';
import type { PlacedValue } from './place-values.js';
import { showNamed, values } from './state.js';

const HEIGHT = 340;

/** The largest number, the deviation and the mean of every float tensor from the first node to the last, on a logarithmic axis. */
export function LayerChart() {
  const host = useRef<HTMLDivElement>(null);
  const shown = values.value.filter(isCharted);
  const colors = theme.value;
  useEffect(() => {
    const element = host.current;
    if (!element || shown.length === 0) return undefined;
    const chart = new uPlot(optionsOf(element, shown), dataOf(shown), element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [values.value, colors]);
  return (
    <>
      <CaptureButton />
      {shown.length > 0 && (
        <p class="quiet">
          {shown.length} tensors of floats, from the first node to the last. A click leads to the value under the
          pointer.
        </p>
      )}
      <div ref={host} class="chart" />
    </>
  );
}

const isCharted = ({ tensor, statistics }: PlacedValue): boolean =>
  statistics !== null && statistics.count > 0 && /float/.test(tensor?.type ?? '');

/** Zeros have no place on the axis. */
const logarithmic = (x: number): number | null => (x > 0 && Number.isFinite(x) ? x : null);

function dataOf(shown: readonly PlacedValue[]): uPlot.AlignedData {
  const of = (figure: (statistics: NonNullable<PlacedValue['statistics']>) => number) =>
    shown.map(({ statistics }) => (statistics ? logarithmic(figure(statistics)) : null));
  return [
    shown.map((_, i) => i),
    of(({ min, max }) => Math.max(Math.abs(min), Math.abs(max))),
    of(({ deviation }) => deviation),
    of(({ mean }) => Math.abs(mean)),
  ];
}

function optionsOf(element: HTMLElement, shown: readonly PlacedValue[]): uPlot.Options {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: token('text-quiet'),
    grid: { stroke: token('line'), width: 1 },
    ticks: { stroke: token('line') },
  };
  const value = (_: uPlot, x: number | null) => (x === null ? '–' : digits(x));
  const line = (label: string, color: string) => ({ label, value, stroke: token(color), width: 1.5, spanGaps: true });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: { x: { time: false }, y: { distr: 3 } },
    axes: [axis, { ...axis, size: 64 }],
    series: [
      { label: 'Value', value: (_, i) => shown[i as number]?.name ?? '' },
      line('Largest', 'cat-activation'),
      line('Deviation', 'cat-product'),
      line('Mean, absolute', 'cat-pool'),
    ],
    hooks: {
      ready: [
        (chart) =>
          chart.over.addEventListener('click', () => {
            const value = shown[chart.cursor.idx ?? -1];
            if (value) showNamed(value.name);
          }),
      ],
    },
  };
}
