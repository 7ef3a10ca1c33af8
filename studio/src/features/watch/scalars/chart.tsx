import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { download } from '../../../ui/download.js';
import { counted, digits } from '../../../ui/quantities.js';
import { theme } from '../../../ui/theme.js';
import type { Table, TableLine } from '../../../workers/contracts/logs.js';
import { chosenColors } from '../colors.js';
import { inTurn } from '../in-turn.js';
import { logs } from '../logs.js';
import { Swatch } from '../runs-list.js';
import { axis, isLogarithmic, nameOf, overview, pinned, smoothing, togglePin } from '../state.js';
import { useSeen } from '../use-seen.js';
import { type Plot, plot } from './plot.js';
import { pointAt } from './point-at.js';

type Range = readonly [from: number, to: number];

/** One tag in all visible runs. Dragging zooms in, a double click shows everything. */
export function Chart({ tag, runs }: { tag: string; runs: readonly string[] }) {
  const figure = useRef<HTMLElement>(null);
  const isSeen = useSeen(figure);
  const shown = useSignal(runs);
  const key = runs.join('\n');
  useEffect(() => {
    shown.value = runs;
  }, [key]);
  const range = useSignal<Range | undefined>(undefined);
  const table = useTable(tag, shown, range, isSeen);
  const point = useSignal<number | null>(null);
  return (
    <figure class="chart" ref={figure} aria-label={tag}>
      <figcaption class="chart-head">
        <h3>{tag}</h3>
        {range.value && (
          <button
            type="button"
            class="link"
            onClick={() => {
              range.value = undefined;
            }}
          >
            Show all
          </button>
        )}
        <button
          type="button"
          class="link"
          aria-label={`Pin ${tag}`}
          aria-pressed={pinned.value.has(tag)}
          onClick={() => togglePin(tag)}
        >
          {pinned.value.has(tag) ? 'Unpin' : 'Pin'}
        </button>
        <button type="button" class="link" aria-label={`CSV of ${tag}`} onClick={() => void save(tag, runs)}>
          CSV
        </button>
      </figcaption>
      <Canvas
        table={table.value}
        onSelect={(from, to) => {
          range.value = [from, to];
        }}
        onAll={() => {
          range.value = undefined;
        }}
        onPoint={(index) => {
          point.value = index;
        }}
      />
      {table.value && <Values table={table.value} point={point} />}
    </figure>
  );
}

const save = async (tag: string, runs: readonly string[]) =>
  download(`${tag.replaceAll(/[^\w.-]+/g, '-')}.csv`, await logs.csv(tag, runs));

/** Maximum number of points of a line. */
const BUCKETS = 400;

/** The worker's table of the tag, updated on changes; late answers are dropped. */
function useTable(
  tag: string,
  runs: { readonly value: readonly string[] },
  range: { readonly value: Range | undefined },
  isSeen: { readonly value: boolean },
) {
  const table = useSignal<Table | null>(null);
  const asked = useRef(0);
  useSignalEffect(() => {
    const query = { tag, runs: runs.value, axis: axis.value, smoothing: smoothing.value, range: range.value };
    void overview.value;
    if (!isSeen.value) return;
    const mine = ++asked.current;
    void logs.scalars({ ...query, buckets: BUCKETS }).then((made) => {
      if (mine === asked.current) table.value = made;
    });
  });
  return table;
}

interface CanvasProps {
  readonly table: Table | null;
  readonly onSelect: (from: number, to: number) => void;
  readonly onAll: () => void;
  readonly onPoint: (index: number | null) => void;
}

function Canvas({ table, onSelect, onAll, onPoint }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<{ readonly plot: Plot; readonly of: string } | null>(null);
  const look = useComputed(
    () => `${theme.value} ${axis.value} ${isLogarithmic.value} ${[...chosenColors.value]}`,
  ).value;
  const of = `${look}\n${table?.lines.map(({ run }) => run).join('\n')}`;
  useEffect(() => {
    const element = place.current;
    if (!element || !table) return;
    return inTurn(() => {
      if (made.current?.of === of) made.current.plot.show(table);
      else {
        made.current?.plot.destroy();
        const given = { axis: axis.value, isLogarithmic: isLogarithmic.value, onSelect, onPoint };
        made.current = { plot: plot(element, table, given), of };
      }
      element.dataset.drawn = `${table.x[0]} ${table.x.at(-1)} ${table.lines.length}`;
    });
  }, [table, of]);
  useEffect(() => {
    const element = place.current as HTMLElement;
    const resized = new ResizeObserver(() => made.current?.plot.resize(element.clientWidth));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.current?.plot.destroy();
    };
  }, []);
  // biome-ignore lint/a11y/noStaticElementInteractions: "Show all" does the same for the keyboard
  return <div class="plot" ref={place} onDblClick={onAll} />;
}

interface ValuesProps {
  readonly table: Table;
  readonly point: ReadonlySignal<number | null>;
}

/** Number of runs that the legend of a chart lists at first. */
const FIRST = 5;

/** Values under the pointer, or at the end: the legend of the chart, and its alternative for screen readers. */
function Values({ table, point }: ValuesProps) {
  const isWhole = useSignal(false);
  const { lines } = table;
  const shown = isWhole.value ? lines : lines.slice(0, FIRST);
  return (
    <>
      <table class="table values">
        <caption class="sr-only">Values at the pointer, or the last values</caption>
        <tbody>
          {shown.map((line) => (
            <tr key={line.run}>
              <th scope="row">
                <Swatch run={line.run} /> {nameOf(line.run)}
              </th>
              <td class="number">
                <At line={line} point={point} />
              </td>
              <td class="number quiet">
                {line.notFinite > 0 ? `${line.notFinite} not finite` : counted(line.points, 'point')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > FIRST && (
        <button
          type="button"
          class="link"
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? `Show the first ${FIRST} runs` : `Show all ${lines.length} runs`}
        </button>
      )}
    </>
  );
}

function At({ line, point }: { readonly line: TableLine; readonly point: ReadonlySignal<number | null> }) {
  const shown = useSignal(line);
  shown.value = line;
  return <>{useComputed(() => digits(pointAt(shown.value, point.value)))}</>;
}
