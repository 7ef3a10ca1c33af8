import { type Column, DataTable } from '../../ui/data-table.js';
import { counted, digits } from '../../ui/quantities.js';
import { CaptureButton } from './capture-button.js';
import { lookInto } from './look-into.js';
import { nonFiniteOf, type PlacedValue } from './place-values.js';
import { captured, showNamed, values } from './state.js';

const figure = (title: string, of: (value: PlacedValue) => number): Column<PlacedValue> => ({
  title,
  of,
  text: (value) => (value.statistics ? exact(of(value), value.tensor?.type ?? '') : ''),
});

/** Integers are exact: an index is not a measurement. */
const exact = (x: number, type: string): string =>
  Number.isSafeInteger(x) && !/float/.test(type) ? `${x}` : digits(x);

const COLUMNS: readonly Column<PlacedValue>[] = [
  { title: 'Value', of: ({ name }) => name, isPath: true, width: 3 },
  { title: 'Producer', of: ({ operator }) => operator || 'input', width: 1.2, isMinor: true },
  {
    title: 'Type',
    isMinor: true,
    of: ({ tensor }) => (tensor ? `${tensor.type}[${tensor.dims.join(', ')}]` : 'sequence or map'),
    width: 2,
  },
  figure('Min', ({ statistics }) => statistics?.min ?? Number.NaN),
  { ...figure('Mean', ({ statistics }) => statistics?.mean ?? Number.NaN), isMinor: true },
  figure('Max', ({ statistics }) => statistics?.max ?? Number.NaN),
  { ...figure('Std', ({ statistics }) => statistics?.deviation ?? Number.NaN), isMinor: true },
  {
    title: 'Zeros',
    isMinor: true,
    of: ({ statistics }) => (statistics && statistics.count > 0 ? statistics.zeros / statistics.count : 0),
    text: ({ statistics }) =>
      statistics && statistics.count > 0 ? `${digits((100 * statistics.zeros) / statistics.count)} %` : '',
  },
  {
    title: 'NaN, ∞',
    of: ({ statistics }) => (statistics ? statistics.nans + statistics.infinities : 0),
    text: ({ statistics }) => (statistics ? `${statistics.nans + statistics.infinities || ''}` : ''),
  },
];

/** Every value of a run, in the order of the nodes that make them; selecting one opens it. */
export function Values() {
  const run = captured.value;
  return (
    <>
      <CaptureButton />
      {run && <FirstNonFinite />}
      {run && (
        <DataTable
          title="Values in this run"
          columns={COLUMNS}
          rows={values.value}
          onChoose={(value) => {
            showNamed(value.name);
            lookInto(run.id, value);
          }}
        />
      )}
      {run && run.optimizedAway.length > 0 && (
        <details>
          <summary>{run.optimizedAway.length} values are optimized away</summary>
          <p class="mono">{run.optimizedAway.join('  ')}</p>
        </details>
      )}
    </>
  );
}

/** The first value with NaN or infinity. */
function FirstNonFinite() {
  const found = nonFiniteOf(values.value);
  const [first] = found;
  if (!first?.statistics) return <p class="quiet">No value contains NaN or infinity.</p>;
  const { nans, infinities } = first.statistics;
  const what = [nans > 0 ? `${nans} NaN` : '', infinities > 0 ? `${infinities} infinite` : '']
    .filter(Boolean)
    .join(', ');
  return (
    <p class="row" role="status">
      <span class="badge bad">NaN, ∞</span>
      <span>
        First in <strong>{first.name}</strong>
        {first.operator ? `, computed by ${first.operator}` : ', an input'}: {what} of {first.statistics.count}.{' '}
        {counted(found.length, 'value')} affected.
      </span>
      <button type="button" class="button" onClick={() => showNamed(first.name)}>
        Show
      </button>
    </p>
  );
}
