// biome-ignore-all lint/a11y/useSemanticElements: options in view are placed one by one
// biome-ignore-all lint/a11y/useFocusableInteractive: the field has the focus, and says which option is active
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { goTo } from '../../store/go-to.js';
import { finderOf, search } from '../../store/workers/find.js';
import { model, outline, setFound } from '../../store/workspace.js';
import { inOrder } from '../../ui/in-order.js';
import { formatCount } from '../../ui/quantities.js';
import { useVirtual } from '../../ui/use-virtual.js';
import type { OpenedDocument } from '../../workers/contracts/documents.js';
import type { FoundRow, Search } from '../../workers/contracts/find.js';
import { KINDS, type Kind } from '../../workers/contracts/search-index.js';
import { searched } from './searched.js';
import { takeTyped } from './shortcut.js';
import './find.css';

const ROW = 40;
/** The page renders the options, not a `<datalist>`. */
const COMBOBOX = { role: 'combobox', 'aria-controls': 'found', list: undefined } as const;
const TITLES: Readonly<Record<Kind, string>> = { node: 'Nodes', value: 'Values', weight: 'Weights' };

/** A search; `answered` resolves once it is complete. */
interface Asked {
  readonly document: OpenedDocument | null;
  readonly wanted: Search;
  readonly answered: Promise<void>;
}

/** Finds nodes, values and weights in all graphs of the model. */
export default function FindPanel() {
  const field = useRef<HTMLInputElement>(null);
  const count = useSignal(0);
  const message = useSignal('');
  const active = useSignal(-1);
  const asked = useRef<Asked>(null);
  const id = model.value?.id ?? 0;
  const { text, kinds } = searched.value;
  useEffect(() => {
    const typed = takeTyped();
    if (typed) searched.value = { ...searched.value, text: typed };
    if (typed) field.current?.focus();
    else field.current?.select();
  }, []);
  /** Runs the current search, once. Keys pressed before the page has rendered wait for it, too. */
  const ask = (): Promise<void> => {
    const [document, wanted] = [model.value, searched.value];
    if (asked.current?.document === document && asked.current.wanted === wanted) return asked.current.answered;
    const finish = (number: number, text: string) => {
      if (asked.current?.wanted !== wanted || asked.current.document !== document) return;
      count.value = number;
      active.value = -1;
      message.value = text;
      void highlight();
    };
    const answered = search(document?.id ?? 0, wanted).then(
      (number) => finish(number, wanted.text.trim() === '' ? '' : `${formatCount(number)} found`),
      (error: Error) => finish(0, error.message),
    );
    asked.current = { document, wanted, answered };
    return answered;
  };
  useSignalEffect(() => void ask());
  useEffect(() => void highlight(), [outline.value?.path]);
  useEffect(() => () => setFound(null), []);
  const walk = async (step: number) => {
    await ask();
    if (count.value === 0) return;
    active.value = (active.value + step + count.value) % count.value;
    const [row] = await finderOf(id).service.rows(active.value, active.value + 1);
    if (row) await show(row);
    field.current?.focus();
  };
  return (
    <div class="panel find-panel">
      <h2>Find</h2>
      <input
        ref={field}
        class="field"
        type="search"
        {...COMBOBOX}
        {...{ 'aria-expanded': count.value > 0 }}
        aria-label="Find in the model"
        aria-activedescendant={active.value >= 0 ? `found-${active.value}` : undefined}
        placeholder='Conv  kernel_shape=3  1,3,?  "exact"  /regular/'
        value={text}
        onInput={(event) => {
          searched.value = { ...searched.value, text: event.currentTarget.value };
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, Enter: event.shiftKey ? -1 : 1, ArrowUp: -1 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          void walk(step);
        }}
      />
      <div class="row" role="group" aria-label="Search in">
        {KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            class="button"
            aria-pressed={kinds.includes(kind)}
            onClick={() => {
              const others = kinds.filter((each) => each !== kind);
              searched.value = { text, kinds: others.length < kinds.length ? others : [...kinds, kind] };
            }}
          >
            {TITLES[kind]}
          </button>
        ))}
        <output aria-live="polite">{message.value}</output>
      </div>
      {text.trim() === '' && <Hints />}
      <Results key={`${id} ${text} ${kinds} ${message.value}`} id={id} count={count.value} active={active.value} />
    </div>
  );
}

const HINTS = [
  ['Conv', 'an operator or part of a name'],
  ['Conv relu', 'all words must match'],
  ['"layer1.0"', 'an exact phrase'],
  ['kernel_shape=3', 'an attribute'],
  ['1,3,?,?', 'a shape, ? matches any size'],
  ['/block\\d+$/', 'a regular expression'],
] as const;

/** Example searches; a click runs one. */
const Hints = () => (
  <dl class="facts hints">
    {HINTS.map(([example, says]) => (
      <>
        <dt>
          <button
            type="button"
            class="link mono"
            onClick={() => {
              searched.value = { ...searched.value, text: example };
            }}
          >
            {example}
          </button>
        </dt>
        <dd class="quiet">{says}</dd>
      </>
    ))}
  </dl>
);

interface ResultsProps {
  readonly id: number;
  readonly count: number;
  readonly active: number;
}

function Results({ id, count, active }: ResultsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { items, total, show: scrollTo } = useVirtual(frame, { count, size: ROW });
  const rows = useSignal<ReadonlyMap<number, FoundRow>>(new Map());
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(() => {
    if (active >= 0) scrollTo(active);
  }, [active]);
  useEffect(() => {
    if (last < first) return;
    void finderOf(id)
      .service.rows(first, last + 1)
      .then((read) => {
        rows.value = new Map(read.map((row, i) => [first + i, row]));
      });
  }, [id, first, last]);
  const shown = useComputed(() => rows.value).value;
  return (
    <div class="found" ref={frame}>
      <div id="found" role="listbox" aria-label="Results" style={{ height: `${total}px` }}>
        {items.map(({ index, start }) => (
          <Option
            key={index}
            index={index}
            count={count}
            row={shown.get(index)}
            top={start}
            isActive={index === active}
          />
        ))}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly index: number;
  readonly count: number;
  readonly row: FoundRow | undefined;
  readonly top: number;
  readonly isActive: boolean;
}

const Option = ({ index, count, row, top, isActive }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field walks the options by keys
  <div
    id={`found-${index}`}
    role="option"
    aria-selected={isActive}
    aria-setsize={count}
    aria-posinset={index + 1}
    class="found-row"
    style={{ top: `${top}px` }}
    onClick={() => row && void show(row)}
  >
    <span class="found-title">{row?.title}</span>
    <span class="quiet found-detail">
      <bdi>
        {row && inOrder(row.detail)}
        {row?.graph ? ` in ${row.graph}` : ''}
      </bdi>
    </span>
  </div>
);

const show = ({ kind, graph, subject }: FoundRow): Promise<void> =>
  goTo(graph, { kind: kind === 'node' ? 'node' : 'value', index: subject });

/** Marks the search results in the graph in view: nodes, and for values the nodes that produce or provide them. */
async function highlight(): Promise<void> {
  const [id, graph] = [model.value?.id, outline.value];
  if (id === undefined || !graph) return;
  const { nodes, values } = await finderOf(id).service.inGraph(graph.path);
  if (outline.value?.path === graph.path) setFound({ nodes: new Set(nodes), values: new Set(values) });
}
