import type { StepTiming } from 'sardonyx';
import { DataTable } from '../../ui/data-table.js';
import { counted, formatMilliseconds } from '../../ui/quantities.js';
import { COLUMNS, operatorRows } from './rows.js';
import type { Window } from './spans.js';

interface Props {
  readonly range: Window;
  readonly steps: readonly StepTiming[];
}

/** Sums the steps in a range of the timeline; steps partly in the range count in full. */
export function TimelineRange({ range: { from, to }, steps }: Props) {
  const sum = steps.reduce((all, { milliseconds }) => all + milliseconds, 0);
  return (
    <section class="stack" aria-label="Selected range">
      <p aria-live="polite">
        {counted(steps.length, 'step')} in {formatMilliseconds(to - from)}, sum {formatMilliseconds(sum)}
      </p>
      <DataTable title="Costs in the range" columns={COLUMNS} rows={operatorRows(steps)} sortedBy={3} />
    </section>
  );
}
