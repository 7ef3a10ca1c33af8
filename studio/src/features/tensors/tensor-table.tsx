// biome-ignore-all lint/a11y/useSemanticElements: cells in view are placed one by one, which elements of tables cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the table is scrolled as a whole
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { SeenTensor } from '../../store/seen-tensor.js';
import { useVirtual } from '../../ui/use-virtual.js';
import type { TensorLook } from '../../workers/contracts/tensors.js';
import { cellCache } from './cell-cache.js';
import { type Cell, CellField } from './cell-field.js';

const [ROW, COLUMN, HEAD] = [24, 132, 64];

interface TensorTableProps {
  readonly look: TensorLook;
  readonly dims: readonly number[];
  readonly write: SeenTensor['write'];
}

/** All elements of a tensor, as matrices of its last two dims; fields choose the matrix. Only the visible cells are read. */
export function TensorTable({ look, dims, write }: TensorTableProps) {
  const place = useSignal<readonly number[]>(dims.slice(0, -2).map(() => 0));
  const [rows, columns] = [dims.at(dims.length < 2 ? -1 : -2) ?? 1, dims.length < 2 ? 1 : (dims.at(-1) as number)];
  const matrix = place.value.reduce((index, at, axis) => index * (dims[axis] as number) + at, 0);
  if (dims.includes(0)) return <p class="quiet">This tensor is empty.</p>;
  return (
    <div class="stack tensor-table">
      {dims.length > 2 && (
        <fieldset class="row slices">
          <legend class="quiet">Slice</legend>
          {place.value.map((at, axis) => (
            <label class="label" key={axis}>
              Dim {axis}
              <input
                class="field"
                type="number"
                min={0}
                max={(dims[axis] as number) - 1}
                value={at}
                onInput={(event) => {
                  const wanted = Math.trunc(Number(event.currentTarget.value));
                  const within = Math.max(0, Math.min((dims[axis] as number) - 1, wanted || 0));
                  place.value = place.value.map((before, other) => (other === axis ? within : before));
                }}
              />
            </label>
          ))}
        </fieldset>
      )}
      <Matrix key={matrix} look={look} write={write} offset={matrix * rows * columns} rows={rows} columns={columns} />
    </div>
  );
}

interface MatrixProps {
  readonly look: TensorLook;
  readonly write: SeenTensor['write'];
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
}

function Matrix({ look, write, offset, rows, columns }: MatrixProps) {
  const frame = useRef<HTMLDivElement>(null);
  const down = useVirtual(frame, { count: rows, size: ROW, lead: ROW });
  const across = useVirtual(frame, { count: columns, size: COLUMN, lead: HEAD, isHorizontal: true });
  const changed = useSignal(0);
  const cache = useMemo(() => cellCache(look, { offset, rows, columns }, () => changed.value++), [look, offset]);
  const chosen = useSignal<Cell>({ row: 0, column: 0 });
  void changed.value;
  return (
    <>
      {write && (
        <CellField
          cell={chosen.value}
          within={{ row: rows, column: columns }}
          text={cache.text(chosen.value.row, chosen.value.column)}
          onChoose={(cell) => {
            chosen.value = cell;
          }}
          onWrite={(text) => write(offset + chosen.value.row * columns + chosen.value.column, text)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div class="cells" ref={frame} tabIndex={0} role="region" aria-label={`Table of ${rows} × ${columns}`}>
        <div
          role="table"
          aria-rowcount={rows + 1}
          aria-colcount={columns + 1}
          style={{ width: `${across.total}px`, height: `${down.total}px` }}
        >
          <div role="row" class="cells-head" aria-rowindex={1}>
            <span role="columnheader" class="cell corner">
              <span class="sr-only">Row</span>
            </span>
            {across.items.map(({ index, start }) => (
              <span key={index} role="columnheader" class="cell" style={{ left: `${start}px` }}>
                {index}
              </span>
            ))}
          </div>
          {down.items.map(({ index: row, start: top }) => (
            <div key={row} role="row" aria-rowindex={row + 2} class="cells-row" style={{ top: `${top}px` }}>
              <span role="rowheader" class="cell side-head">
                {row}
              </span>
              {across.items.map(({ index: column, start }) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the fields above choose cells by keys
                <span
                  key={column}
                  role="cell"
                  class={
                    write && row === chosen.value.row && column === chosen.value.column
                      ? 'cell mono chosen'
                      : 'cell mono'
                  }
                  style={{ left: `${start}px` }}
                  onClick={() => {
                    chosen.value = { row, column };
                  }}
                >
                  {cache.text(row, column)}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}
