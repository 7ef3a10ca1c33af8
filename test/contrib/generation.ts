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

/** Weights of a layer whose keys and values are apart, [hidden,heads,size] as the queries. */
interface CrossLayer extends Pick<Layer, 'query' | 'result'> {
  readonly key: Value;
  readonly value: Value;
}

export interface CrossWeights {
  readonly table: Value;
  readonly layers: readonly CrossLayer[];
}

export function crossWeightsOf({ constant }: Shared, { floats }: Draw, sizes: Sizes): CrossWeights {
  const { vocabulary, hidden, heads, layers } = sizes;
  const size = hidden / heads;
  const scale = 1.5 / Math.sqrt(hidden);
  const projection = () => constant(floats([hidden, heads, size], scale));
  return {
    table: constant(floats([vocabulary, hidden])),
    layers: Array.from({ length: layers }, () => ({
      key: projection(),
      value: projection(),
      query: projection(),
      result: constant(floats([heads, size, hidden], scale)),
    })),
  };
}

type KeyValue = readonly [key: Value, value: Value];

const project = (g: GraphBuilder, x: Value, w: Value) => einsum(g, 'blh,hnd->bnld', x, w);

function attendTo(g: GraphBuilder, x: Value, [k, v]: KeyValue, { query, result }: CrossLayer, allowed: Value | null) {
  const scores = g.op('Softmax', [einsum(g, 'bnqd,bnkd->bnqk', project(g, x, query), k)]);
  const masked = allowed ? einsum(g, 'bnqk,bk->bnqk', scores, allowed) : scores;
  return g.op('Add', [x, einsum(g, 'bnqk,bnkd,ndh->bqh', masked, v, result)]);
}

interface Decoded {
  readonly logits: Value;
  readonly presents: readonly KeyValue[];
}

/** Tokens after those of `pasts`, attending to themselves and to `cross`. */
function decode(
  g: GraphBuilder,
  { table, layers }: CrossWeights,
  tokens: Value,
  pasts: readonly KeyValue[] | null,
  cross: readonly KeyValue[],
  allowed: Value | null,
): Decoded {
  let x = tokens;
  const presents = layers.map((layer, i): KeyValue => {
    const own = [project(g, x, layer.key), project(g, x, layer.value)];
    const present = (pasts ? own.map((y, k) => g.op('Concat', [pasts[i]?.[k] as Value, y], { axis: 2 })) : own) as [
      Value,
      Value,
    ];
    x = attendTo(g, x, present, layer, null);
    x = attendTo(g, x, cross[i] as KeyValue, layer, allowed);
    return present;
  });
  return { logits: einsum(g, 'blh,vh->blv', g.op('Tanh', [x]), table), presents };
}

/** How the pair is written. */
export interface PairForm extends Sizes {
  /** Inputs are features [batch,hidden,frames], as Whisper's; else tokens and a mask, as T5's. */
  readonly features?: boolean;
  /** The encoder leaves the first token to the decoder. */
  readonly alone?: boolean;
  /** The decoder asks for the encoder's hidden states. */
  readonly hiddenStates?: boolean;
  /** The decoder asks for the encoder's tokens, of which the first becomes likelier. */
  readonly encoderTokens?: boolean;
  /** The decoder says scores of attention: in place of them the token it is given, plus a tenth for each head. */
  readonly crossScores?: boolean;
}

const pairNames = (kind: string, layers: number) =>
  Array.from({ length: layers }, (_, i) => [`key_${kind}_${i}`, `value_${kind}_${i}`]).flat();

const inPairs = (values: readonly Value[]): KeyValue[] =>
  Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i] as Value, values[2 * i + 1] as Value]);

function encoderOf(b: ModelBuilder, weights: CrossWeights, form: PairForm): Graph {
  const { hidden, heads, layers, vocabulary, features, alone } = form;
  const cache = (keys: string | number) => ['batch', heads, keys, hidden / heads];
  return b.subgraph('encoder', (g) => {
    const ids = features
      ? g.input('encoder_input_ids', 'float32', ['batch', hidden, 'frames'])
      : g.input('encoder_input_ids', 'int32', ['batch', 'frames']);
    const allowed = features ? null : float(g, g.input('encoder_attention_mask', 'int32', ['batch', 'frames']));
    const tokens = alone ? null : g.input('decoder_input_ids', 'int32', ['batch', 'start']);
    const states = features ? g.op('Transpose', [ids], { perm: [0, 2, 1] }) : g.op('Gather', [weights.table, ids]);
    const cross = weights.layers.map(
      ({ key, value }): KeyValue => [project(g, states, key), project(g, states, value)],
    );
    if (tokens) {
      const x = g.op('Gather', [weights.table, tokens]);
      const { logits, presents } = decode(g, weights, x, null, cross, allowed);
      g.output('logits', logits, 'float32', ['batch', 'start', vocabulary]);
      g.output('encoder_hidden_states', states, 'float32', ['batch', 'frames', hidden]);
      const self = presents.flat();
      for (const [k, name] of pairNames('self', layers).entries())
        g.output(`present_${name}`, self[k] as Value, 'float32', cache('start'));
    }
    const all = cross.flat();
    for (const [k, name] of pairNames('cross', layers).entries())
      g.output(`present_${name}`, all[k] as Value, 'float32', cache('frames'));
  });
}

/** [rows,heads,1,frames]: the token of each row, plus a tenth of the number of the head. */
function tellTokens(g: GraphBuilder, ids: Value, keys: Value, heads: number): void {
  const axes = g.op('Constant', [], { value: tensor('int64', [2], [1n, 3n]) });
  const tenths = Array.from({ length: heads }, (_, i) => i / 10);
  const token = g.op('Unsqueeze', [float(g, ids), axes]);
  const perHead = g.op('Constant', [], { value: tensor('float32', [1, heads, 1, 1], tenths) });
  const one = g.op('Constant', [], { value: tensor('int64', [1], [3n]) });
  const frames = g.op('ReduceMax', [keys, one], { keepdims: 1 });
  const zeros = g.op('Mul', [
    g.op('Transpose', [frames], { perm: [0, 1, 3, 2] }),
    g.op('Constant', [], { value: tensor('float32', [], [0]) }),
  ]);
  g.output('cross_qk_0', g.op('Add', [g.op('Add', [token, perHead]), zeros]), 'float32', ['batch', heads, 1, 'frames']);
}

/** One at the row's first token of the encoder: it becomes likelier. */
function nudge(g: GraphBuilder, encoded: Value, vocabulary: number): Value {
  const first = g.op('Gather', [encoded, g.constant('first', tensor('int64', [1], [0n]))], { axis: 1 });
  const tokens = Array.from({ length: vocabulary }, (_, token) => token);
  const isFirst = g.op('Equal', [first, g.constant('tokens', tensor('int32', [vocabulary], tokens))]);
  return float(g, g.op('Unsqueeze', [isFirst, g.constant('one', tensor('int64', [1], [1n]))]));
}

function decoderOf(b: ModelBuilder, weights: CrossWeights, form: PairForm): Graph {
  const { hidden, heads, layers, vocabulary, features, hiddenStates, encoderTokens, crossScores } = form;
  const cache = (length: string) => ['batch', heads, length, hidden / heads];
  return b.subgraph('decoder', (g) => {
    const ids = g.input('input_ids', 'int32', ['batch', 1]);
    const encoded = encoderTokens ? g.input('encoder_input_ids', 'int32', ['batch', 'frames']) : null;
    const allowed = features ? null : float(g, g.input('encoder_attention_mask', 'int32', ['batch', 'frames']));
    if (hiddenStates) g.input('encoder_hidden_states', 'float32', ['batch', 'frames', hidden]);
    const caches = (kind: string) =>
      inPairs(pairNames(kind, layers).map((name) => g.input(`past_${name}`, 'float32', cache(`${kind}_keys`))));
    const [pasts, cross] = [caches('self'), caches('cross')];
    const x = g.op('Gather', [weights.table, ids]);
    const { logits, presents } = decode(g, weights, x, pasts, cross, allowed);
    const told = encoded ? g.op('Add', [logits, nudge(g, encoded, vocabulary)]) : logits;
    g.output('logits', told, 'float32', ['batch', 1, vocabulary]);
    const self = presents.flat();
    for (const [k, name] of pairNames('self', layers).entries())
      g.output(`present_${name}`, self[k] as Value, 'float32', cache('keys'));
    if (crossScores) tellTokens(g, ids, (cross[0] as KeyValue)[0], heads);
  });
}

/** An encoder and a decoder, like T5's or Whisper's. */
export const encoderAndDecoder = (b: ModelBuilder, weights: CrossWeights, form: PairForm) => ({
  encoder: encoderOf(b, weights, form),
  decoder: decoderOf(b, weights, form),
});
