import { useSignal } from '@preact/signals';
import { model, modules, outline, select, selectNode } from '../../store/workspace.js';
import { csvOf, DataTable } from '../../ui/data-table.js';
import { download } from '../../ui/download.js';
import { Pick } from '../../ui/pick.js';
import { COLUMNS, type CostRow, moduleRows, nodeRows, operatorRows } from './rows.js';
import { costs, measurement, moduleCosts } from './state.js';

type By = 'operator' | 'node' | 'module';
const BY: readonly (readonly [By, string])[] = [
  ['operator', 'Operator and kernel'],
  ['node', 'Node'],
  ['module', 'Module'],
];

/** Time, multiply-adds and bytes by operator, node or module; nodes and modules link to the graph. */
export function CostTables() {
  const by = useSignal<By>('operator');
  const rows = rowsBy(by.value);
  const choose = CHOOSE[by.value];
  const save = () =>
    download(
      `${model.value?.name ?? 'model'}.${by.value}s.csv`,
      new Blob([csvOf(COLUMNS, rows)], { type: 'text/csv' }),
    );
  return (
    <div class="stack">
      <div class="row spread fields">
        <Pick title="Group by" options={BY} of={by} />
        <button type="button" class="button" onClick={save}>
          CSV
        </button>
      </div>
      <DataTable
        key={by.value}
        title={`Costs by ${by.value}`}
        columns={COLUMNS}
        rows={rows}
        sortedBy={3}
        onChoose={choose}
      />
      {by.value !== 'operator' && <p class="quiet">The cost of a fused step is split equally among its nodes.</p>}
    </div>
  );
}

const CHOOSE: Readonly<Record<By, ((row: CostRow) => void) | undefined>> = {
  operator: undefined,
  node: ({ index }) => selectNode(index),
  module: ({ index }) => select({ kind: 'module', index }),
};

function rowsBy(by: By): CostRow[] {
  const [measured, graph, found] = [measurement.value, outline.value, modules.value];
  if (!measured || !graph || !found || !costs.value || !moduleCosts.value) return [];
  if (by === 'operator') return operatorRows(measured.steps);
  return by === 'node'
    ? nodeRows(costs.value, graph, measured.steps)
    : moduleRows(moduleCosts.value, found, measured.steps);
}
