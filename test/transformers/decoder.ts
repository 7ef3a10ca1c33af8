import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { Layers } from '../layouts/layers.js';

export const DECODER = { vocabulary: 48, width: 32, heads: 4, sharedHeads: 2, size: 8, layers: 2, positions: 96 };

/** A Llama of two layers: rotary positions, two heads of keys and values for four of queries, and a cache of those. */
export function decoder(): Uint8Array {
  const { vocabulary, width, heads, sharedHeads, size, layers } = DECODER;
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const l = new Layers(b, 5);
  const ids = b.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
  const mask = b.input('attention_mask', 'int64', ['batch_size', 'total_sequence_length']);
  const positions = b.input('position_ids', 'int64', ['batch_size', 'sequence_length']);
  const cache = (name: string) => b.input(name, 'float32', ['batch_size', sharedHeads, 'past_sequence_length', size]);
  const past = Array.from({ length: layers }, (_, i) =>
    ['key', 'value'].map((part) => cache(`past_key_values.${i}.${part}`)),
  ) as [Value, Value][];
  const rotate = rotary(l, positions);
  const bias = l.op('Add', [causalBias(l, ids, mask), l.maskBias(l.op('Unsqueeze', [mask, l.integers(1, 2)]))]);

  let x = l.op('Gather', [l.weight([vocabulary, width], 1), ids]);
  past.forEach(([pastKey, pastValue], i) => {
    const normal = l.rmsNorm(x, width);
    const projected = (count: number) =>
      l.splitHeads(l.op('MatMul', [normal, l.weight([width, count * size])]), count, size);
    const q = rotate(projected(heads));
    const k = l.op('Concat', [pastKey, rotate(projected(sharedHeads))], { axis: 2 });
    const v = l.op('Concat', [pastValue, projected(sharedHeads)], { axis: 2 });
    b.output(`present.${i}.key`, k, 'float32', ['batch_size', sharedHeads, 'total_sequence_length', size]);
    b.output(`present.${i}.value`, v, 'float32', ['batch_size', sharedHeads, 'total_sequence_length', size]);
    const attended = l.attention(q, repeatHeads(l, k), repeatHeads(l, v), bias, size);
    x = l.op('Add', [x, l.op('MatMul', [l.mergeHeads(attended, heads * size), l.weight([heads * size, width])])]);
    const inner = l.rmsNorm(x, width);
    const gate = l.silu(l.op('MatMul', [inner, l.weight([width, 3 * width])]));
    const up = l.op('MatMul', [inner, l.weight([width, 3 * width])]);
    x = l.op('Add', [x, l.op('MatMul', [l.op('Mul', [gate, up]), l.weight([3 * width, width])])]);
  });
  const logits = l.op('MatMul', [l.rmsNorm(x, width), l.weight([width, vocabulary], 1)]);
  b.output('logits', logits, 'float32', ['batch_size', 'sequence_length', vocabulary]);
  return b.toBytes();
}

/** Turns the pairs of entries of each head by angles that grow with the position. */
function rotary(l: Layers, positions: Value): (x: Value) => Value {
  const { size, positions: most } = DECODER;
  const angles = Array.from({ length: most * size }, (_, i) => {
    const [position, entry] = [Math.floor(i / size), i % (size / 2)];
    return position / 10000 ** ((2 * entry) / size);
  });
  const table = (name: string, f: (angle: number) => number) => {
    const values = l.b.constant(name, tensor('float32', [most, size], angles.map(f)));
    return l.op('Unsqueeze', [l.op('Gather', [values, positions]), l.integers(1)]);
  };
  const [cos, sin] = [table('cos', Math.cos), table('sin', Math.sin)];
  const part = (x: Value, from: number, to: number) =>
    l.op('Slice', [x, l.integers(from), l.integers(to), l.integers(3)]);
  return (x) => {
    const turned = l.op('Concat', [l.op('Neg', [part(x, size / 2, size)]), part(x, 0, size / 2)], { axis: 3 });
    return l.op('Add', [l.op('Mul', [x, cos]), l.op('Mul', [turned, sin])]);
  };
}

/** [sequence, total]: a large negative number where a key comes after the query. */
function causalBias(l: Layers, ids: Value, mask: Value): Value {
  const [sequence, total] = [l.sizeOf(ids, 1), l.sizeOf(mask, 1)];
  const keys = l.op('Range', [l.integer(0), total, l.integer(1)]);
  const queries = l.op('Range', [l.op('Sub', [total, sequence]), total, l.integer(1)]);
  const isLater = l.op('Greater', [keys, l.op('Unsqueeze', [queries, l.integers(1)])]);
  return l.op('Mul', [l.op('Cast', [isLater], { to: 1 }), l.number(-1e9)]);
}

function repeatHeads(l: Layers, x: Value): Value {
  const { heads, sharedHeads, size } = DECODER;
  const repeated = heads / sharedHeads;
  const tiled = l.op('Tile', [l.op('Unsqueeze', [x, l.integers(2)]), l.integers(1, 1, repeated, 1, 1)]);
  return l.op('Reshape', [tiled, l.integers(0, heads, -1, size)]);
}
