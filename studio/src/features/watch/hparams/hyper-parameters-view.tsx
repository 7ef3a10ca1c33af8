import { type Signal, useSignal } from '@preact/signals';
import type { Parameter } from '../../../workers/contracts/log-entries.js';
import type { RunSummary } from '../../../workers/contracts/logs.js';
import { Swatch } from '../runs-list.js';
import { visible } from '../state.js';
import { type Column, columnsOf, compared, trials } from './columns.js';
import { Parallel } from './parallel.js';

interface Order {
  readonly name: string;
  readonly isDown: boolean;
}

/** The differing parameters of runs and their results: as lines over parallel axes, and as a table. */
export function HyperParametersView() {
  const order = useSignal<Order | null>(null);
  const marked = useSignal<string | null>(null);
  const runs = trials({ runs: visible.value });
  const columns = columnsOf(runs);
  return (
    <>
      <Parallel runs={runs} columns={columns} marked={marked} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to by keys, too */}
      <section class="scrolled" aria-label="Run table" tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th>Run</th>
              {columns.map((column) => (
                <Heading key={column.name} column={column} order={order} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted(runs, columns, order.value).map((run) => (
              <tr
                key={run.folder}
                class={marked.value === run.folder ? 'marked' : undefined}
                onPointerEnter={() => {
                  marked.value = run.folder;
                }}
                onPointerLeave={() => {
                  marked.value = null;
                }}
              >
                <th scope="row">
                  <Swatch run={run.folder} /> {run.name}
                </th>
                {columns.map((column) => (
                  <Cell key={column.name} value={column.of(run)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Heading({ column: { name, isMetric }, order }: { column: Column; order: Signal<Order | null> }) {
  const current = order.value?.name === name ? order.value : undefined;
  return (
    <th class="number" aria-sort={current ? (current.isDown ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        class="link"
        onClick={() => {
          order.value = { name, isDown: current ? !current.isDown : isMetric };
        }}
      >
        {name}
      </button>
    </th>
  );
}

const Cell = ({ value }: { value: Parameter | undefined }) => (
  <td class="number">{typeof value === 'number' ? Number(value.toPrecision(6)) : `${value ?? ''}`}</td>
);

function sorted(runs: readonly RunSummary[], columns: readonly Column[], order: Order | null): readonly RunSummary[] {
  const column = columns.find(({ name }) => name === order?.name);
  if (!column || !order) return runs;
  return [...runs].sort((a, b) => compared(column.of(a), column.of(b)) * (order.isDown ? -1 : 1));
}
