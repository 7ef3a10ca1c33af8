import type { At, Content, Curve, Entry } from '../../contracts/log-entries.js';
import { bucketsOf } from '../entry.js';
import { hyperParametersIn } from './hyper-parameters.js';
import { event, type HistogramMessage, type TensorMessage, type ValueMessage } from './messages.js';
import { dimsOf, numbersOf } from './tensor.js';

/** The panel of each tag, which the writer specifies only with the tag's first value. */
type Plugins = Map<string, string>;

/** Reads the records of a file one by one. Throws a RangeError if one is not an event. */
export function tfeventsReader(): (record: Uint8Array) => Entry[] {
  const plugins: Plugins = new Map();
  return (record) => {
    const { wallTime: wall, step, summary, graph } = event(record);
    const at = { step, wall };
    const entries = (summary?.values ?? []).flatMap((value) => entriesOf(value, at, plugins));
    return graph ? [...entries, { tag: '', ...at, kind: 'other', what: 'graph' }] : entries;
  };
}

function entriesOf(value: ValueMessage, at: Omit<At, 'tag'>, plugins: Plugins): Entry[] {
  const tag = value.tag || value.nodeName;
  const { name: plugin, content } = value.metadata?.plugin ?? {};
  if (plugin) plugins.set(tag, plugin);
  const found = plugin === 'hparams' && content ? hyperParametersIn(content) : contentOf(value, plugins.get(tag) ?? '');
  return found ? [{ tag: shownAs(tag, found), ...at, ...found }] : [];
}

/** Removes the suffix that PyTorch's writer adds to text tags. */
const shownAs = (tag: string, { kind }: Content) => (kind === 'text' ? tag.replace(/\/text_summary$/, '') : tag);

function contentOf(value: ValueMessage, plugin: string): Content | undefined {
  const { simpleValue, image, histogram, audio, tensor } = value;
  if (simpleValue !== undefined) return { kind: 'scalar', value: simpleValue };
  if (image) return { kind: 'image', files: [image.encoded] };
  if (histogram) return { kind: 'histogram', buckets: oldBuckets(histogram) };
  if (audio) return { kind: 'audio', type: audio.type, sounds: [audio.encoded] };
  if (tensor) return (PLUGINS[plugin] ?? (() => other(plugin || 'tensor')))(tensor);
  return plugin ? other(plugin) : undefined;
}

const other = (what: string): Content => ({ kind: 'other', what });

/** The content of a tensor, by panel. */
const PLUGINS: Readonly<Record<string, (tensor: TensorMessage) => Content | undefined>> = {
  scalars(tensor) {
    const [value] = Array.from(numbersOf(tensor));
    return value === undefined ? undefined : { kind: 'scalar', value };
  },
  histograms: (tensor) => ({ kind: 'histogram', buckets: trimmed(numbersOf(tensor)) }),
  images: ({ strings }) => ({ kind: 'image', files: strings.slice(2) }),
  text: ({ strings }) => ({ kind: 'text', texts: strings.map((bytes) => utf8.decode(bytes)) }),
  /** Files, each followed by a label if there are two dimensions. */
  audio: (tensor) => {
    const isLabelled = dimsOf(tensor).length === 2;
    return { kind: 'audio', type: 'audio/wav', sounds: tensor.strings.filter((_, i) => !isLabelled || i % 2 === 0) };
  },
  pr_curves: curveOf,
};

const utf8 = new TextDecoder();

/** Buckets from rows of left edge, right edge and count. */
function trimmed(rows: ArrayLike<number>): Float64Array {
  const count = Math.floor(rows.length / 3);
  const column = (i: number) => Float64Array.from({ length: count }, (_, row) => rows[row * 3 + i] as number);
  const rights = column(1);
  return bucketsOf([rows[0] as number, ...rights], column(2));
}

/** Replaces the outer edges, which may be as large as numbers get, with the smallest and largest values counted. */
function oldBuckets({ least, largest, edges, counts }: HistogramMessage): Float64Array {
  const buckets = bucketsOf([least, ...edges], counts);
  if (buckets.length === 0) return buckets;
  buckets[0] = least;
  buckets[buckets.length - 2] = largest;
  return buckets;
}

function curveOf(tensor: TensorMessage): Curve<'pr'> | undefined {
  const numbers = Float64Array.from(Array.from(numbersOf(tensor)));
  const count = Math.floor(numbers.length / 6);
  if (count === 0) return undefined;
  const row = (i: number) => numbers.slice(i * count, (i + 1) * count);
  const [truePositives, falsePositives, trueNegatives, falseNegatives] = [row(0), row(1), row(2), row(3)];
  const counts = { truePositives, falsePositives, trueNegatives, falseNegatives };
  return { kind: 'pr', x: row(5), y: row(4), counts };
}
