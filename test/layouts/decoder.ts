import { float, modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { transposedName } from './dtypes/four-bits.js';
import { Layers } from './layers.js';
import { positionTable } from './rotary.js';

export interface DecoderShape {
  readonly type: 'llama' | 'qwen2';
  readonly vocabulary: number;
  readonly width: number;
  readonly inner: number;
  readonly layers: number;
  readonly heads: number;
  /** Heads of keys and values. */
  readonly sharedHeads: number;
  /** Entries of a head. */
  readonly size: number;
  /** The most positions, and the base of their angles. */
  readonly positions: number;
  readonly base: number;
  /** Whether GroupQueryAttention turns queries and keys itself (do_rotary), or nodes of RotaryEmbedding before it. */
  readonly rotary: 'inside' | 'outside';
  /** Whether one table embeds tokens and scores them. */
  readonly isTied?: boolean;
}

/**
 * A decoder as onnxruntime-genai's builder writes it, and most language models for the web are published:
 * GroupQueryAttention, SimplifiedLayerNormalization, SkipSimplifiedLayerNormalization.
 */
export function decoder(shape: DecoderShape, seed = 5): Model {
  const { vocabulary, width, layers } = shape;
  const b = modelBuilder({ opset: 14, opsets: { 'com.microsoft': 1 }, irVersion: 8, name: 'main_graph' });
  const l = new Layers(b, seed);
  const ids = b.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
  const mask = b.input('attention_mask', 'int64', ['batch_size', 'total_sequence_length']);
  const angles = positions(l, shape);
  const lengths = lengthsOf(l, mask);

  // A table that scores what it has embedded would say the same token again and again, if the layers added less than it.
  const table = l.weight([vocabulary, width], shape.isTied ? 0.1 : 1);
  let skip = l.op('Gather', [table, ids]);
  let x = l.op('SimplifiedLayerNormalization', [skip, normWeight(l, width)], NORM);
  for (let i = 0; i < layers; i++) {
    [x, skip] = addNormalized(l, skip, attention(l, shape, i, { x, lengths, ...angles }), width);
    [x, skip] = addNormalized(l, skip, gated(l, shape, x), width);
  }
  const logits = shape.isTied ? l.op('MatMul', [x, transposed(l, table)]) : l.project(x, width, vocabulary);
  b.output('logits', logits, 'float32', ['batch_size', 'sequence_length', vocabulary]);
  return b.toModel();
}

/** [rows, columns] as [columns, rows], under the name by which converters know the two as one. */
function transposed(l: Layers, { name, constant }: Value): Value {
  const { dims, data } = constant as TensorValue<'float32'>;
  const [rows, columns] = dims as [number, number];
  const turned = Float32Array.from(data, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)] as number);
  return l.b.constant(transposedName(name), { type: 'float32', dims: [columns, rows], data: turned });
}

const NORM = { axis: -1, epsilon: 1e-5, stash_type: 1 };

const normWeight = (l: Layers, width: number) => l.weight([width], 0.2, 1);

function addNormalized(l: Layers, skip: Value, x: Value, width: number): [normalized: Value, sum: Value] {
  const inputs = [skip, x, normWeight(l, width)];
  const [normalized, , , sum] = l.microsoft('SkipSimplifiedLayerNormalization', inputs, { epsilon: 1e-5 }, [
    `normalized_${inputs[2]?.name}`,
    null,
    null,
    `sum_${inputs[2]?.name}`,
  ]);
  return [normalized, sum];
}

interface Positions {
  readonly ids: Value | null;
  readonly cos: Value;
  readonly sin: Value;
}

function positions(l: Layers, { rotary, size, positions, base }: DecoderShape): Positions {
  const ids = rotary === 'outside' ? l.b.input('position_ids', 'int64', ['batch_size', 'sequence_length']) : null;
  const table = (name: string, f: (angle: number) => number) =>
    l.b.constant(name, positionTable({ positions, size, base }, f));
  return { ids, cos: table('cos_cache', Math.cos), sin: table('sin_cache', Math.sin) };
}

interface Lengths {
  /** Of each row, less one. */
  readonly rows: Value;
  readonly total: Value;
}

function lengthsOf(l: Layers, mask: Value): Lengths {
  const counted = l.op('ReduceSum', [mask, l.integers(1)], { keepdims: 0 });
  const rows = l.op('Cast', [l.op('Sub', [counted, l.integers(1)])], { to: 6 });
  return { rows, total: l.op('Cast', [l.sizeOf(mask, 1)], { to: 6 }) };
}

interface AttentionInputs extends Positions {
  readonly x: Value;
  readonly lengths: Lengths;
}

function attention(l: Layers, shape: DecoderShape, layer: number, inputs: AttentionInputs): Value {
  const { type, width, heads, sharedHeads, size, rotary } = shape;
  const { x, ids, cos, sin, lengths } = inputs;
  const cacheDims = (length: string) => ['batch_size', sharedHeads, length, size];
  const past = ['key', 'value'].map((part) =>
    l.b.input(`past_key_values.${layer}.${part}`, 'float32', cacheDims('past_sequence_length')),
  );
  const projected = (count: number) =>
    type === 'qwen2' ? l.linear(x, width, count * size) : l.project(x, width, count * size);
  const turned = (value: Value) =>
    rotary === 'inside' ? value : l.microsoft('RotaryEmbedding', [value, ids, cos, sin], { interleaved: 0 })[0];
  const [q, k, v] = [turned(projected(heads)), turned(projected(sharedHeads)), projected(sharedHeads)];
  const [attended, ...present] = l.microsoft(
    'GroupQueryAttention',
    [q, k, v, ...past, lengths.rows, lengths.total, ...(rotary === 'inside' ? [cos, sin] : [])],
    {
      ...{ num_heads: heads, kv_num_heads: sharedHeads, scale: float(1 / Math.sqrt(size)) },
      ...{ do_rotary: Number(rotary === 'inside'), rotary_interleaved: 0, local_window_size: -1 },
    },
    [`attention_${layer}`, `present.${layer}.key`, `present.${layer}.value`],
  );
  for (const value of present) l.b.output(value.name, value, 'float32', cacheDims('total_sequence_length'));
  return l.project(attended, heads * size, width);
}

function gated(l: Layers, { width, inner }: DecoderShape, x: Value): Value {
  const gate = l.silu(l.project(x, width, inner));
  return l.project(l.op('Mul', [gate, l.project(x, width, inner)]), inner, width);
}
