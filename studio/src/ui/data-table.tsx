// biome-ignore-all lint/a11y/useSemanticElements: rows in view are placed one by one, which elements of tables cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: each row has a button
import './data-table.css';
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { useVirtual } from './use-virtual.js';

/** A column of rows of T, with its sort key and display text. */
export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => string | number;
  /** The text shown, if it isn't `of`. */
  readonly text?: (row: T) => string;
  /** Relative width; 1 by default. */
  readonly width?: number;
  /** Whether it contains paths such as `/encoder/layer.0/MatMul`, which differ at their ends. */
  readonly isPath?: boolean;
  /** Hidden if the table is as narrow as a phone. */
  readonly isMinor?: boolean;
}

interface Props<T> {
  readonly title: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** The column initially sorted by, largest first; -1 keeps the order of the rows. */
  readonly sortedBy?: number;
  readonly onChoose?: ((row: T) => void) | undefined;
  readonly isChosen?: ((row: T) => boolean) | undefined;
}

const ROW = 28;

/** Fits 3.30e-4. */
const NUMBER = '4.5em';

/** A table for any number of rows; a click on a column header sorts it. */
export function DataTable<T>({ title, columns, rows, sortedBy = -1, onChoose, isChosen }: Props<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const order = useSignal({ by: sortedBy, isDown: true });
  const { items, total } = useVirtual(frame, { count: rows.length, size: ROW, lead: ROW });
  const { by, isDown } = order.value;
  const sorted = useMemo(() => sortedRows(rows, columns[by], isDown), [rows, columns, by, isDown]);
  if (rows.length === 0) return <p class="quiet">{title}: none.</p>;
  const isNumber = columns.map(({ of }) => typeof of(rows[0] as T) === 'number');
  const tracks = columns.map(({ width = 1 }, i) => `minmax(${isNumber[i] ? NUMBER : 0}, ${width}fr)`);
  const few = tracks.filter((_, i) => !columns[i]?.isMinor);
  const template = { '--all': tracks.join(' '), '--few': few.join(' ') };
  const classes = columns.map(({ isMinor, isPath }, i) =>
    [isNumber[i] ? 'number' : '', isMinor ? 'minor' : '', isPath ? 'path' : ''].filter(Boolean).join(' '),
  );
  return (
    <div
      class="data-table"
      style={{ height: `min(56vh, ${total + 2}px)` }}
      ref={frame}
      role="table"
      aria-label={title}
      aria-rowcount={rows.length + 1}
    >
      <div role="row" class="data-row head" aria-rowindex={1} style={template}>
        {columns.map((column, i) => (
          <span
            key={column.title}
            role="columnheader"
            class={classes[i]}
            aria-sort={by === i ? (isDown ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              class="head-button"
              onClick={() => {
                order.value = { by: i, isDown: by === i ? !isDown : isNumber[i] === true };
              }}
            >
              {column.title}
              <span aria-hidden="true">{by === i ? (isDown ? ' ↓' : ' ↑') : ''}</span>
            </button>
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: `${Math.max(0, total - ROW)}px` }}>
        {items.map(({ index, start }) => {
          const row = sorted[index];
          if (row === undefined) return null;
          const place = { ...template, top: `${start}px` };
          return (
            <div
              key={index}
              role="row"
              class={isChosen?.(row) ? 'data-row chosen' : 'data-row'}
              aria-rowindex={index + 2}
              style={place}
            >
              {columns.map((column, i) => (
                <span key={column.title} role="cell" class={classes[i]} title={textOf(column, row) || undefined}>
                  {i === 0 && onChoose ? (
                    <button type="button" class="link" onClick={() => onChoose(row)}>
                      <bdi>{textOf(column, row) || '–'}</bdi>
                    </button>
                  ) : (
                    <bdi>{textOf(column, row)}</bdi>
                  )}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const textOf = <T,>({ of, text }: Column<T>, row: T): string => (text ? text(row) : `${of(row)}`);

function sortedRows<T>(rows: readonly T[], column: Column<T> | undefined, isDown: boolean): readonly T[] {
  if (!column) return rows;
  const sign = isDown ? -1 : 1;
  return [...rows].sort((a, b) => sign * inOrder(column.of(a), column.of(b)));
}

/** Treats NaN as the smallest number; sorting it last in both directions would move rows that are already sorted. */
const inOrder = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number'
    ? (Number.isNaN(a) ? -Infinity : a) - (Number.isNaN(b) ? -Infinity : b) || 0
    : `${a}`.localeCompare(`${b}`, 'en', { numeric: true });

/** Comma-separated values, quoted where necessary: https://www.rfc-editor.org/rfc/rfc4180 */
export function csvOf<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const cell = (value: string | number) =>
    /[",\n\r]/.test(`${value}`) ? `"${`${value}`.replaceAll('"', '""')}"` : value;
  const lines = [columns.map(({ title }) => cell(title)), ...rows.map((row) => columns.map(({ of }) => cell(of(row))))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}
