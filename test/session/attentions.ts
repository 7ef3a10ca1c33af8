import { type AttributeInputs, float, modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { numbersOf, tensorOf } from '../../src/tensor/numbers.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';

const { floats } = draw(23);

/** Attention with a past, as one of the operators that have one says it. */
export interface Layer {
  readonly op: 'Attention' | 'MultiHeadAttention' | 'DecoderMaskedMultiHeadAttention';
  readonly element: 'float32' | 'float16';
  /** What the model says that its caches are, which must be `element`. */
  readonly caches?: 'float32' | 'float16' | 'int8';
  readonly heads: number;
  readonly shared: number;
  readonly size: number;
  readonly valueSize: number;
  /** Operands of [batch, heads, rows, columns], where the operator takes them. */
  readonly isApart?: boolean;
  readonly causal?: boolean;
  readonly scale?: number;
  readonly softcap?: number;
  /** What is added to the scores, a row for each query and a column for each key. */
  readonly hasBias?: boolean;
}

interface Form {
  readonly domain: string;
  /** Places of the inputs: q, k, v, bias, and the past of keys and of values. */
  readonly places: readonly [number, number, number, number, number, number];
  attributes(layer: Layer): AttributeInputs;
}

const scaled = ({ scale }: Layer): AttributeInputs => ({ scale: scale ? float(scale) : undefined });

const OPERATORS: Record<Layer['op'], Form> = {
  Attention: {
    domain: '',
    places: [0, 1, 2, 3, 4, 5],
    attributes: (layer) => ({
      ...scaled(layer),
      softcap: layer.softcap ? float(layer.softcap) : undefined,
      is_causal: layer.causal ? 1 : 0,
      ...(!layer.isApart && { q_num_heads: layer.heads, kv_num_heads: layer.shared }),
    }),
  },
  MultiHeadAttention: {
    domain: 'com.microsoft',
    places: [0, 1, 2, 5, 6, 7],
    attributes: (layer) => ({ ...scaled(layer), num_heads: layer.heads, unidirectional: layer.causal ? 1 : 0 }),
  },
  DecoderMaskedMultiHeadAttention: {
    domain: 'com.microsoft',
    places: [0, 1, 2, 4, 5, 6],
    attributes: (layer) => ({ ...scaled(layer), num_heads: layer.heads }),
  },
};

const columnsOf = (layer: Layer) =>
  ({
    q: [layer.heads, layer.size],
    k: [layer.shared, layer.size],
    v: [layer.shared, layer.valueSize],
  }) as const;

export function layerModel(layer: Layer): Uint8Array {
  const { op, element, caches = element, shared, size, valueSize } = layer;
  const { domain, places, attributes } = OPERATORS[op];
  const b = modelBuilder({ opset: 24, ...(domain && { opsets: { [domain]: 1 } }) });
  const operand = ([name, [heads, columns]]: [string, readonly [number, number]]) =>
    b.input(name, element, layer.isApart ? ['batch', heads, 'rows', columns] : ['batch', 'rows', heads * columns]);
  const own = Object.entries(columnsOf(layer)).map(operand);
  const bias = layer.hasBias ? b.input('bias', element, [1, 1, 'rows', 'total']) : null;
  const pasts = [size, valueSize].map((columns, i) =>
    b.input(`past_key_values.0.${i ? 'value' : 'key'}`, caches, ['batch', shared, 'past', columns]),
  );
  const inputs: (Value | null)[] = new Array(Math.max(...places) + 1).fill(null);
  for (const [i, value] of [...own, bias, ...pasts].entries()) inputs[places[i] as number] = value;
  const outputs = b.node(op, inputs, attributes(layer), { domain, outputs: 3 });
  for (const [i, name] of ['y', 'present.0.key', 'present.0.value'].entries()) b.output(name, outputs[i] as Value);
  return b.toBytes();
}

/** New rows of queries, keys and values, and the bias of all keys so far. */
export type Rows = Readonly<Record<'q' | 'k' | 'v' | 'bias', TensorValue>>;

/** Rows of 2 at most, which is in each: then no number of float16 but 1 is half way between two integers of 8 bits with their scale. */
const clearOfHalves = (data: ArrayLike<number>, size: number): number[] =>
  Array.from(data, (x, i) => (i % size === 0 ? 2 : x === 1 || x === -1 ? 0 : Math.max(-1.75, Math.min(1.75, x))));

export function drawRows(layer: Layer, batch: number, rows: number, past: number): Rows {
  const made = (name: 'q' | 'k' | 'v') => {
    const [heads, size] = columnsOf(layer)[name];
    const { dims, data } = floats(layer.isApart ? [batch, heads, rows, size] : [batch, rows, heads * size]);
    return tensorOf(layer.element, dims, clearOfHalves(data as Float32Array, size));
  };
  const { dims, data } = floats([1, 1, rows, past + rows]);
  return { q: made('q'), k: made('k'), v: made('v'), bias: tensorOf(layer.element, dims, data as Float32Array) };
}

export const feedsOf = ({ q, k, v, bias }: Rows, { hasBias }: Layer): Record<string, TensorValue> =>
  hasBias ? { q, k, v, bias } : { q, k, v };

export const rowsIn = ({ q }: Rows, { isApart }: Layer): number => q.dims[isApart ? 2 : 1] as number;

type Row = readonly number[];
type Stored = (row: Row) => Row;

/** The rows of each sequence and head, in double precision. */
function rowsOfHeads(layer: Layer, x: TensorValue, name: 'q' | 'k' | 'v'): Row[][] {
  const [heads, size] = columnsOf(layer)[name];
  const rows = x.dims[layer.isApart ? 2 : 1] as number;
  const numbers = Array.from(numbersOf(x));
  return Array.from({ length: (x.dims[0] as number) * heads }, (_, n) =>
    Array.from({ length: rows }, (_, row) => {
      const place = layer.isApart ? n * rows + row : (Math.floor(n / heads) * rows + row) * heads + (n % heads);
      return numbers.slice(place * size, (place + 1) * size);
    }),
  );
}

/** All rows so far of the keys and values of each sequence and head. */
export interface Memory {
  readonly k: readonly Row[][];
  readonly v: readonly Row[][];
}

export function remember(layer: Layer, memory: Memory | null, rows: Rows, stored: Stored): Memory {
  const grown = (name: 'k' | 'v') =>
    rowsOfHeads(layer, rows[name], name).map((own, n) => [...(memory?.[name][n] ?? []), ...own.map(stored)]);
  return { k: grown('k'), v: grown('v') };
}

/** What attention makes of the last queries, by loops in double precision, laid out as the operator lays it out. */
export function plainly(layer: Layer, { k, v }: Memory, last: Rows): Float64Array {
  const { heads, shared, size, valueSize, isApart, causal, softcap, scale = 1 / Math.sqrt(size) } = layer;
  const rows = rowsIn(last, layer);
  const bias = numbersOf(last.bias);
  const queries = rowsOfHeads(layer, last.q, 'q');
  const y = new Float64Array(queries.length * rows * valueSize);
  for (const [n, ofHead] of queries.entries()) {
    const [b, h] = [Math.floor(n / heads), n % heads];
    const own = b * shared + Math.floor(h / (heads / shared));
    const [keys, values] = [k[own] as Row[], v[own] as Row[]];
    for (const [i, query] of ofHead.entries()) {
      const seen = causal ? keys.length - rows + i + 1 : keys.length;
      const weights = keys.slice(0, seen).map((key, j) => {
        const score = scale * key.reduce((sum, x, d) => sum + x * (query[d] as number), 0);
        const capped = softcap ? softcap * Math.tanh(score / softcap) : score;
        return Math.exp(capped + (layer.hasBias ? (bias[i * keys.length + j] as number) : 0));
      });
      const total = weights.reduce((a, w) => a + w, 0);
      const at = isApart ? (n * rows + i) * valueSize : ((b * rows + i) * heads + h) * valueSize;
      for (let d = 0; d < valueSize; d++)
        y[at + d] = weights.reduce((a, w, j) => a + (w * ((values[j] as Row)[d] as number)) / total, 0);
    }
  }
  return y;
}
