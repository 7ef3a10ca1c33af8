import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hasOnnxruntime, MISSING } from '../../store/workers/onnxruntime-web.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import type { Judged } from '../../workers/contracts/runs.js';
import { GraphChoice } from './graph-choice.js';
import { compareEngines, findings, showNamed } from './state.js';
import { ToleranceField } from './tolerance-field.js';

const exponential = (x: number): string => (Number.isNaN(x) ? '' : x === 0 ? '0' : x.toExponential(2));
/** Values that cannot be compared are sorted as the worst. */
const distance = ({ relativeL2, mismatch }: Judged) => (mismatch === undefined ? relativeL2 : Number.POSITIVE_INFINITY);

const verdictOf = ({ passed, mismatch, isReordered }: Judged): string =>
  isReordered ? 'matches in another order' : (mismatch ?? (passed ? 'matches' : 'out of tolerance'));

const COLUMNS: readonly Column<Judged>[] = [
  { title: 'Value', of: ({ name }) => name, isPath: true, width: 3 },
  { title: 'Type', of: ({ type }) => type, width: 1.6, isMinor: true },
  { title: 'Rel. L2', of: distance, text: ({ relativeL2 }) => exponential(relativeL2) },
  { title: 'Max abs', of: ({ maxAbs }) => maxAbs, text: ({ maxAbs }) => exponential(maxAbs), isMinor: true },
  { title: 'Verdict', of: verdictOf, width: 1.6 },
];

/** Every value compared with onnxruntime-web's on the same feeds, the worst first. */
export function Engines() {
  const isThere = useSignal<boolean | null>(null);
  useEffect(() => {
    void hasOnnxruntime().then((found) => {
      isThere.value = found;
    });
  }, []);
  const found = findings.value;
  return (
    <>
      <div class="row fields">
        <GraphChoice />
        <ToleranceField />
        <button
          type="button"
          class="button primary"
          disabled={isThere.value !== true}
          onClick={() => void compareEngines()}
        >
          Compare all values
        </button>
      </div>
      {isThere.value === false && <p class="quiet">{MISSING}</p>}
      {found && (
        <>
          <p role="status">
            {found.filter(({ passed }) => passed === false).length} of {found.length} values are out of tolerance.
          </p>
          <DataTable
            title="Values in both runtimes"
            columns={COLUMNS}
            rows={found}
            sortedBy={2}
            onChoose={({ name }) => showNamed(name)}
          />
        </>
      )}
    </>
  );
}
