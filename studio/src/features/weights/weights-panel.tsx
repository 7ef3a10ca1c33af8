// biome-ignore-all lint/a11y/useSemanticElements: rows in view are placed one by one, which elements of tables cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: each row has a button
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { task } from '../../store/notices.js';
import { useAnswer } from '../../store/use-answer.js';
import { documents } from '../../store/workers/documents.js';
import { model, outline } from '../../store/workspace.js';
import { shareText } from '../../ui/number-text.js';
import { formatBytes, formatCount } from '../../ui/quantities.js';
import { useVirtual } from '../../ui/use-virtual.js';
import { see } from '../tensors/tensor-button.js';
import { type Order, sortedRows, WEIGHT_COLUMNS, type WeightColumn, type WeightRow } from './weight-rows.js';
import './weights.css';
import type { Summary, TensorFacts } from '../../workers/contracts/tensors.js';

const ROW = 28;

/** Weights up to this number of bytes are read without asking. */
const AT_ONCE = 64e6;

/** The initializers and constants of the graph in view, with statistics once they are read. */
export default function WeightsPanel() {
  const [document, path] = [model.value, outline.value?.path ?? ''];
  const facts = useAnswer(async () => documents.weights(document?.id ?? 0, path), [document, path]);
  const summaries = useSignal<ReadonlyMap<TensorFacts, Summary>>(new Map());
  const bytes = (facts ?? []).reduce((sum, each) => sum + (each.bytes || 0), 0);
  useEffect(() => {
    summaries.value = new Map();
    if (facts && facts.length > 0 && bytes <= AT_ONCE) void read(facts);
  }, [facts]);
  const read = (all: readonly TensorFacts[]) =>
    task('Reading weights', async ({ signal, progress }) => {
      for (const [i, each] of all.entries()) {
        if (signal.aborted || model.value !== document) return;
        const summary = await documents.summary(document?.id ?? 0, each.at);
        if (summary) summaries.value = new Map(summaries.value).set(each, summary);
        progress((i + 1) / all.length);
      }
    });
  if (!facts) return null;
  const rows = facts.map((each) => ({ name: each.name ?? '', facts: each, summary: summaries.value.get(each) }));
  const isRead = summaries.value.size > 0 || facts.length === 0;
  return (
    <div class="panel weights-panel">
      <div class="row">
        <h2>Weights</h2>
        <span class="quiet">
          {formatCount(facts.length)}, {formatBytes(bytes)}
        </span>
        {!isRead && bytes > AT_ONCE && (
          <button type="button" class="button" onClick={() => void read(facts)}>
            Read all {formatBytes(bytes)}
          </button>
        )}
      </div>
      {facts.length === 0 ? <p class="quiet">This graph has no weights.</p> : <Rows rows={rows} />}
    </div>
  );
}

function Rows({ rows }: { rows: readonly WeightRow[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const order = useSignal<Order>({ by: 'bytes', isDown: true });
  const { items, total } = useVirtual(frame, { count: rows.length, size: ROW, lead: ROW });
  const sorted = sortedRows(rows, order.value);
  const { by, isDown } = order.value;
  return (
    <div class="weights" ref={frame} role="table" aria-label="Weights" aria-rowcount={rows.length + 1}>
      <div role="row" class="weight head" aria-rowindex={1}>
        {WEIGHT_COLUMNS.map(({ id, title, isNumber, style }) => (
          <span
            key={id}
            role="columnheader"
            class={style}
            aria-sort={by === id ? (isDown ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              class="button plain"
              onClick={() => {
                order.value = { by: id, isDown: by === id ? !isDown : isNumber };
              }}
            >
              {title}
              <span aria-hidden="true">{by === id ? (isDown ? '↓' : '↑') : ''}</span>
            </button>
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: `${total - ROW}px` }}>
        {items.map(({ index, start }) => (
          <Row key={index} row={sorted[index] as WeightRow} index={index} top={start} />
        ))}
      </div>
    </div>
  );
}

const FIGURES = WEIGHT_COLUMNS.filter(({ id }) => id !== 'name');

function textOf(column: WeightColumn['id'], facts: TensorFacts, summary: Summary | undefined): string {
  switch (column) {
    case 'shape':
      return facts.dims.join(', ');
    case 'bytes':
      return Number.isNaN(facts.bytes) ? '' : formatBytes(facts.bytes);
    case 'zeros':
    case 'outliers':
      return summary ? shareText(summary[column], summary.count) : '';
    default:
      return facts.type;
  }
}

const Row = ({ row: { name, facts, summary }, index, top }: { row: WeightRow; index: number; top: number }) => (
  <div role="row" class="weight" aria-rowindex={index + 2} style={{ top: `${top}px` }}>
    <span role="cell">
      <button type="button" class="link" title={name} onClick={() => see(facts, name)}>
        {name}
      </button>
    </span>
    {FIGURES.map(({ id, style }) => (
      <span key={id} role="cell" class={style}>
        {textOf(id, facts, summary)}
      </span>
    ))}
  </div>
);
