import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { formatBytes, formatCount } from '../../ui/quantities.js';
import './compare.css';
import { type Change, type NodeCell, type NodeRow, STATUSES, type Status } from '../../workers/contracts/compare.js';
import type { Comparison } from './comparison.js';
import { select } from './in-view.js';
import { pair } from './pair.js';

/** Rows requested at a time. */
const PAGE = 200;
/** Rows rendered per frame: creating, laying out and painting 200 takes the main thread 150 ms on a slow processor. */
const PIECE = 25;

/** The nodes of both sides, side by side, with their status; a click selects the node. */
export function NodeRows({ comparison }: { comparison: Comparison }) {
  const { counts } = comparison.compared;
  const wanted = useSignal<readonly Status[]>(STATUSES.filter((status) => status !== 'same'));
  const shown = useSignal(PAGE);
  const listed = useSignal<Listed>({ of: [], pieces: [] });
  useSignalEffect(() => {
    const asked = new AbortController();
    void list(comparison, wanted.value, shown.value, listed, asked.signal);
    return () => asked.abort();
  });
  const { pieces } = listed.value;
  const count = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const total = wanted.value.reduce((sum, status) => sum + counts[status], 0);
  const toggle = (status: Status) => {
    shown.value = PAGE;
    wanted.value = wanted.value.includes(status)
      ? wanted.value.filter((each) => each !== status)
      : [...wanted.value, status];
  };
  return (
    <section class="stack" aria-label="Nodes">
      <h3>Nodes</h3>
      <div class="row">
        {STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            class="button"
            aria-pressed={wanted.value.includes(status)}
            onClick={() => toggle(status)}
          >
            <span>
              {status} <span class="quiet">{formatCount(counts[status])}</span>
            </span>
          </button>
        ))}
      </div>
      {count > 0 ? (
        <table class={pair.value ? 'table compared-nodes narrow' : 'table compared-nodes'}>
          <thead>
            <tr>
              <th>Status</th>
              <th>{comparison.titles[0]}</th>
              <th>{comparison.titles[1]}</th>
              <th class="number compared-figure">Multiply-adds</th>
              <th class="number compared-figure">Weights</th>
            </tr>
          </thead>
          {pieces.map((rows, i) => (
            <Piece key={i} comparison={comparison} rows={rows} />
          ))}
        </table>
      ) : (
        <p class="quiet">{nothingOf(wanted.value)}</p>
      )}
      {total > count && count > 0 && (
        <div class="row">
          <button
            type="button"
            class="button"
            onClick={() => {
              shown.value += PAGE;
            }}
          >
            Show more
          </button>
          <span class="quiet">
            {count} of {formatCount(total)}
          </span>
        </div>
      )}
    </section>
  );
}

/** The first rows of the chosen statuses, in pieces. */
interface Listed {
  readonly of: readonly Status[];
  readonly pieces: readonly (readonly NodeRow[])[];
}

/** Lists up to `count` rows of these statuses, appending a piece per frame to those already listed. */
async function list(
  { service }: Comparison,
  statuses: readonly Status[],
  count: number,
  listed: Signal<Listed>,
  signal: AbortSignal,
): Promise<void> {
  const { of, pieces } = listed.peek();
  const kept = of === statuses ? pieces : [];
  const begin = kept.length * PIECE;
  const rows = await service.rows(statuses, begin, count - begin);
  const more = Array.from({ length: Math.ceil(rows.length / PIECE) }, (_, i) => rows.slice(PIECE * i, PIECE * (i + 1)));
  for (let i = Math.min(1, more.length); i <= more.length && !signal.aborted; i++) {
    listed.value = { of: statuses, pieces: [...kept, ...more.slice(0, i)] };
    await new Promise(requestAnimationFrame);
  }
}

/** A memoized group of rows. */
function Piece({ comparison, rows }: { comparison: Comparison; rows: readonly NodeRow[] }) {
  return useMemo(
    () => (
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.before?.id}→${row.after?.id}`} row={row} onSelect={() => void select(comparison, row)} />
        ))}
      </tbody>
    ),
    [comparison, rows],
  );
}

const nothingOf = (wanted: readonly Status[]): string =>
  wanted.length === 0
    ? 'Choose above which nodes to list.'
    : `No ${wanted.join(', ').replace(/, (\w+)$/, ' or $1')} nodes.`;

const TONES: Readonly<Partial<Record<Status, string>>> = { added: 'badge good', removed: 'badge bad' };

function Row({ row, onSelect }: { row: NodeRow; onSelect: () => void }) {
  const { status, before, after, changes } = row;
  // If the operator has changed, attribute differences are meaningless.
  const isOther = before && after && before.operator !== after.operator;
  const told = changes.filter(({ part, change }) => (part === 'node' ? change === 'changed' : !isOther));
  return (
    <>
      <tr>
        <td>
          <span class={TONES[status] ?? 'badge'}>{status}</span>
        </td>
        <Cell cell={before} onSelect={onSelect} />
        <Cell cell={after} onSelect={onSelect} />
        <td class="number compared-figure">{both(before?.multiplyAdds, after?.multiplyAdds, formatCount)}</td>
        <td class="number compared-figure">{both(before?.weightBytes, after?.weightBytes, formatBytes)}</td>
      </tr>
      {told.map((change) => (
        <tr key={`${change.part} ${change.name}`}>
          <td />
          <td class="mono quiet">{labelOf(change) + (change.before ?? '')}</td>
          <td class="mono quiet">{change.weights ? weightsOf(change) : (change.after ?? 'none')}</td>
          <td class="compared-figure" colSpan={2} />
        </tr>
      ))}
    </>
  );
}

const Cell = ({ cell, onSelect }: { cell: NodeCell | null; onSelect: () => void }) =>
  cell ? (
    <td>
      <button type="button" class="link" onClick={onSelect}>
        {cell.name || cell.id}
      </button>{' '}
      <span class="quiet">{cell.operator}</span>
    </td>
  ) : (
    <td class="quiet">–</td>
  );

/** A single number if both are the same. */
function both(before: number | null | undefined, after: number | null | undefined, format: (x: number) => string) {
  const [left, right] = [before, after].map((x) => (x === null || x === undefined ? '–' : x === 0 ? '' : format(x)));
  return left === right || right === '–' ? left : left === '–' ? right : `${left || 0} → ${right || 0}`;
}

const labelOf = ({ part, name }: Change): string => (part === 'weight' ? `${name} ` : '');

const weightsOf = ({ weights }: Change): string =>
  weights
    ? `${formatCount(weights.count)} of ${formatCount(weights.of)} differ, by up to ${digitsOf(weights.maxAbs)}`
    : '';

const digitsOf = (x: number): string => `${Number(x.toPrecision(3))}`;
