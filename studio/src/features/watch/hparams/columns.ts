import type { Parameter } from '../../../workers/contracts/log-entries.js';
import type { Overview, RunSummary } from '../../../workers/contracts/logs.js';

/** A parameter or result by which runs differ. */
export interface Column {
  readonly name: string;
  readonly isMetric: boolean;
  readonly of: (run: RunSummary) => Parameter | undefined;
}

/** Maximum number of scalars used as metrics if no writer names any. */
const MOST_METRICS = 8;

export const trials = ({ runs }: Pick<Overview, 'runs'>): readonly RunSummary[] =>
  runs.filter(({ parameters }) => parameters?.values);

export function columnsOf(runs: readonly RunSummary[]): readonly Column[] {
  const names = new Set(runs.flatMap(({ parameters }) => Object.keys(parameters?.values ?? {})));
  const named = new Set(runs.flatMap(({ parameters }) => parameters?.metrics ?? []));
  const logged = new Set(runs.flatMap(({ last }) => Object.keys(last)));
  const metrics = named.size > 0 ? [...named] : [...logged].slice(0, MOST_METRICS);
  return [
    ...Array.from(names, (name) => ({
      name,
      isMetric: false,
      of: (run: RunSummary) => run.parameters?.values?.[name],
    })),
    ...metrics.map((name) => ({ name, isMetric: true, of: (run: RunSummary) => run.last[name] })),
  ];
}

/** Numbers by size, others alphabetically; missing values come last. */
export function compared(a: Parameter | undefined, b: Parameter | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return `${a}`.localeCompare(`${b}`, 'en', { numeric: true });
}

/** Positions on an axis from 0 to 1: numbers between the minimum and the maximum, other values in their order. */
export function placesOf(column: Column, runs: readonly RunSummary[]): Axis {
  const values = runs.map(column.of);
  const numbers = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  if (numbers.length === values.filter((value) => value !== undefined).length && numbers.length > 0) {
    const [least, largest] = [Math.min(...numbers), Math.max(...numbers)];
    const at = (value: number) => (largest > least ? (value - least) / (largest - least) : 0.5);
    return {
      at: (run) => {
        const value = column.of(run);
        return typeof value === 'number' && Number.isFinite(value) ? at(value) : undefined;
      },
      marks:
        least === largest
          ? [[0.5, least]]
          : [
              [0, least],
              [1, largest],
            ],
    };
  }
  const each = [...new Set(values.filter((value) => value !== undefined))].sort(compared);
  const at = (i: number) => (each.length > 1 ? i / (each.length - 1) : 0.5);
  return {
    at: (run) => {
      const i = each.indexOf(column.of(run) as Parameter);
      return i < 0 ? undefined : at(i);
    },
    marks: each.map((value, i) => [at(i), value]),
  };
}

export interface Axis {
  readonly at: (run: RunSummary) => number | undefined;
  readonly marks: readonly (readonly [place: number, value: Parameter])[];
}
