import type { StepTiming } from 'sardonyx';
import type { Outline } from '../../graph/outline.js';
import type { Modules } from '../../graph/picture.js';
import type { Column } from '../../ui/data-table.js';
import { counted, digits, formatBytes, formatCount } from '../../ui/quantities.js';
import type { Costs } from './attribution.js';
import { formatGigaflops, gigaflops } from './heats.js';

/** A row of a cost table; `index` is that of the node or module, -1 for an operator. */
export interface CostRow {
  readonly name: string;
  readonly detail: string;
  readonly index: number;
  readonly steps: number;
  readonly milliseconds: number;
  /** Fraction of the total time, 0 … 1. */
  readonly share: number;
  readonly multiplyAdds: number;
  readonly bytes: number;
}

export const COLUMNS: readonly Column<CostRow>[] = [
  { title: 'Name', of: ({ name }) => name, isPath: true, width: 3 },
  { title: 'Kind', of: ({ detail }) => detail, width: 1.8, isMinor: true },
  { title: 'Steps', of: ({ steps }) => steps, width: 0.7, isMinor: true },
  { title: 'ms', of: ({ milliseconds }) => milliseconds, text: ({ milliseconds }) => digits(milliseconds) },
  { title: 'Share', of: ({ share }) => share, text: ({ share }) => `${(100 * share).toFixed(1)} %` },
  {
    title: 'Multiply-adds',
    width: 1.2,
    isMinor: true,
    of: ({ multiplyAdds }) => multiplyAdds,
    text: ({ multiplyAdds }) => (multiplyAdds > 0 ? formatCount(Math.round(multiplyAdds)) : ''),
  },
  {
    title: 'Bytes',
    isMinor: true,
    of: ({ bytes }) => bytes,
    text: ({ bytes }) => (bytes > 0 ? formatBytes(Math.round(bytes)) : ''),
  },
  {
    title: 'GFLOP/s',
    of: ({ multiplyAdds, milliseconds }) => gigaflops(multiplyAdds, milliseconds) || 0,
    text: ({ multiplyAdds, milliseconds }) => formatGigaflops(multiplyAdds, milliseconds),
  },
];

const total = (steps: readonly StepTiming[]) => steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0) || 1;

/** Steps grouped by operator and kernel, as in `sardonyx bench --profile`. */
export function operatorRows(steps: readonly StepTiming[]): CostRow[] {
  const all = total(steps);
  const groups = new Map<string, StepTiming[]>();
  for (const step of steps) {
    const key = `${step.operator} ${step.kernel}`;
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return [...groups.values()].map((group) => {
    const [{ operator, kernel }] = group as [StepTiming];
    const sum = (figure: 'milliseconds' | 'multiplyAdds' | 'bytes') =>
      group.reduce((a, step) => a + (step[figure] ?? 0), 0);
    const milliseconds = sum('milliseconds');
    const figures = { milliseconds, multiplyAdds: sum('multiplyAdds'), bytes: sum('bytes'), share: milliseconds / all };
    return {
      name: operator,
      detail: kernel,
      index: -1,
      steps: group.length,
      ...figures,
    };
  });
}

export function nodeRows(costs: Costs, graph: Outline, steps: readonly StepTiming[]): CostRow[] {
  const { nodes, strings } = graph;
  const all = total(steps);
  return rowsOf(costs, all, (i) => ({
    name: strings[nodes.name[i] as number] || `${strings[nodes.operator[i] as number]} ${i}`,
    detail: strings[nodes.operator[i] as number] as string,
  }));
}

export const moduleRows = (costs: Costs, modules: Modules, steps: readonly StepTiming[]): CostRow[] =>
  rowsOf(costs, total(steps), (i) => ({
    name: modules.path[i] as string,
    detail: `${modules.title[i]} · ${counted(modules.size[i] as number, 'node')}`,
  }));

function rowsOf(costs: Costs, all: number, said: (i: number) => Pick<CostRow, 'name' | 'detail'>): CostRow[] {
  return Array.from(costs.milliseconds.keys())
    .filter((i) => (costs.steps[i] as number) > 0)
    .map((index) => {
      const milliseconds = costs.milliseconds[index] as number;
      const figures = { milliseconds, share: milliseconds / all };
      const rest = { multiplyAdds: costs.multiplyAdds[index] || 0, bytes: costs.bytes[index] as number };
      return { ...said(index), index, steps: costs.steps[index] as number, ...figures, ...rest };
    });
}
