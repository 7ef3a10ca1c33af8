// Small language models for searches: random weights, plain ONNX operators, and the inputs and outputs that onnxruntime asks for.

import type { GraphBuilder } from '../../src/builder/index.js';
import { tensor } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Graph, Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import type { Draw } from './case.js';

/** The sizes of a model. */
export interface Sizes {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly heads: number;
  readonly layers: number;
}

/** Values that all graphs of a model share; captured, since onnxruntime counts what each of them captures alike. */
export interface Shared {
  readonly constant: (value: TensorValue) => Value;
}

export function shared(b: ModelBuilder): Shared {
  let count = 0;
  return { constant: (value) => b.constant(`w${count++}`, value) };
}

export interface Layer {
  /** Of keys and values, [2,hidden,heads,size]. */
  readonly caches: Value;
  /** [hidden,heads,size] */
  readonly query: Value;
  /** [heads,size,hidden] */
  readonly result: Value;
}

export interface Weights {
  readonly table: Value;
  readonly positions: Value;
  readonly layers: readonly Layer[];
}

export function weightsOf(
  { constant }: Shared,
  { floats }: Draw,
  { vocabulary, hidden, heads, layers }: Sizes,
): Weights {
  const size = hidden / heads;
  const scale = 1.5 / Math.sqrt(hidden);
  return {
    table: constant(floats([vocabulary, hidden])),
    positions: constant(floats([14, hidden])),
    layers: Array.from({ length: layers }, () => ({
      caches: constant(floats([2, hidden, heads, size], scale)),
      query: constant(floats([hidden, heads, size], scale)),
      result: constant(floats([heads, size, hidden], scale)),
    })),
  };
}

const einsum = (g: GraphBuilder, equation: string, ...operands: readonly Value[]) =>
  g.op('Einsum', operands, { equation });

/** Attention of `x` [rows,length,hidden] over keys and values [2,rows,heads,keys,size], and x; `allowed` [rows,keys] is 0 or 1. */
function attend(g: GraphBuilder, x: Value, cache: Value, allowed: Value, { query, result }: Layer): Value {
  const [k, v] = g.node('Split', [cache], { axis: 0, num_outputs: 2 }, { outputs: 2 });
  const scores = g.op('Softmax', [einsum(g, 'bnqd,tbnkd->bnqk', einsum(g, 'bqh,hnd->bnqd', x, query), k)]);
  return g.op('Add', [x, einsum(g, 'bnqk,tbnkd,ndh->bqh', einsum(g, 'bnqk,bk->bnqk', scores, allowed), v, result)]);
}

const float = (g: GraphBuilder, x: Value) => g.op('Cast', [x], { to: 1 });

const keysAndValues = (g: GraphBuilder, x: Value, { caches }: Layer) => einsum(g, 'blh,thnd->tbnld', x, caches);

/** Logits by the table of the tokens. */
const logitsOf = (g: GraphBuilder, x: Value, { table }: Weights, activation: string) =>
  einsum(g, 'blh,vh->blv', g.op(activation, [x]), table);

/** A decoder like GPT-2's: one attention a layer. */
export function gpt(b: ModelBuilder, name: string, weights: Weights, sizes: Sizes, activation = 'Tanh'): Graph {
  const { vocabulary, hidden, heads } = sizes;
  const cache = (length: string) => [2, 'batch', heads, length, hidden / heads];
  return b.subgraph(name, (g) => {
    const ids = g.input('input_ids', 'int32', ['batch', 'length']);
    const positions = g.input('position_ids', 'int32', ['batch', 'length']);
    const allowed = float(g, g.input('attention_mask', 'int32', ['batch', 'total']));
    const pasts = weights.layers.map((_, i) => g.input(`past_${i}`, 'float32', cache('past')));
    let x = g.op('Add', [g.op('Gather', [weights.table, ids]), g.op('Gather', [weights.positions, positions])]);
    const presents = weights.layers.map((layer, i) => {
      const present = g.op('Concat', [pasts[i] as Value, keysAndValues(g, x, layer)], { axis: 3 });
      x = attend(g, x, present, allowed, layer);
      return present;
    });
    g.output('logits', logitsOf(g, x, weights, activation), 'float32', ['batch', 'length', vocabulary]);
    presents.forEach((present, i) => {
      g.output(`present_${i}`, present, 'float32', cache('total'));
    });
  });
}

/** Token ids [rows,length], some at the left of a row being `pad`. */
export function prompt({ int }: Draw, rows: number, length: number, vocabulary: number, pad?: number): TensorValue {
  const ids = Array.from({ length: rows }, () => {
    const padding = pad === undefined ? 0 : int(0, length - 1);
    return Array.from({ length }, (_, i) => (i < padding ? (pad as number) : int(2, vocabulary - 1)));
  });
  return tensor('int32', [rows, length], ids.flat());
}

export const one = (type: 'int32' | 'float32', value: number): TensorValue => tensor(type, [1], [value]);

/** Zeros and ones, mostly ones, for each token; there is a one beside `always`. */
export const mask = ({ chance }: Draw, dims: readonly number[], zeros = 0.3): TensorValue => {
  const length = dims.reduce((n, d) => n * d, 1);
  return tensor(
    'int32',
    dims,
    Array.from({ length }, (_, i) => (i % (dims.at(-1) as number) === 2 || !chance(zeros) ? 1 : 0)),
  );
};
