import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { draw } from '../case.js';
import type { ModelRuns } from '../model-runs.js';

const [LAYERS, HEADS, SHARED, SIZE, INNER, WORDS, PLACES] = [2, 4, 2, 16, 40, 12, 24];
const HIDDEN = HEADS * SIZE;
const PROMPT = 5;
const TOKENS = 10;
/** Of the caches that have room from the start. */
const ROOM = 20;

type Growth = 'grows' | 'has room';

/** A decoder of two layers as Llama's are written: RMS norms, shared key heads, rotations, a gated product. */
function decoder(growth: Growth): Uint8Array {
  const { floats } = draw(7);
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  let counted = 0;
  const microsoft = { domain: 'com.microsoft' };
  const weights = (name: string, dims: readonly number[], scale = 0.2, mean = 0) =>
    b.constant(`${name}${counted++}`, floats(dims, scale, mean));
  const constant = (value: TensorValue) => b.constant(`constant${counted++}`, value);
  const ids = b.input('input_ids', 'int64', ['batch', 'rows']);
  const mask = b.input('attention_mask', 'int64', ['batch', 'total']);
  const lengths = b.op('Sub', [
    b.op('ReduceSum', [mask, constant(tensor('int64', [1], [1n]))]),
    constant(tensor('int64', [], [1n])),
  ]);
  const seqlens = b.op('Cast', [lengths], { to: 6 });
  const total = b.op('Cast', [b.op('Gather', [b.op('Shape', [mask]), constant(tensor('int64', [], [1n]))])], { to: 6 });
  const angles = ['cos', 'sin'].map((name) =>
    b.constant(
      name,
      tensor(
        'float32',
        [PLACES, SIZE / 2],
        Array.from({ length: (PLACES * SIZE) / 2 }, (_, i) => {
          const angle = Math.floor(i / (SIZE / 2)) * 0.7 ** (i % (SIZE / 2));
          return name === 'cos' ? Math.cos(angle) : Math.sin(angle);
        }),
      ),
    ),
  );
  const linear = (x: Value, name: string, from: number, to: number) => b.op('MatMul', [x, weights(name, [from, to])]);
  const scale = () => weights('scale', [HIDDEN], 0.1, 1);
  let sum: Value = b.op('Gather', [weights('embedding', [WORDS, HIDDEN], 1), ids]);
  let x: Value = b.op('SimplifiedLayerNormalization', [sum, scale()], { axis: -1, epsilon: 1e-5, stash_type: 1 });
  for (let layer = 0; layer < LAYERS; layer++) {
    const past = ['key', 'value'].map((kind) =>
      b.input(`past_key_values.${layer}.${kind}`, 'float32', [
        'batch',
        SHARED,
        growth === 'grows' ? 'past' : ROOM,
        SIZE,
      ]),
    );
    const operands = [
      linear(x, 'q', HIDDEN, HIDDEN),
      linear(x, 'k', HIDDEN, SHARED * SIZE),
      linear(x, 'v', HIDDEN, SHARED * SIZE),
    ];
    const attributes = { num_heads: HEADS, kv_num_heads: SHARED, do_rotary: 1 };
    const attended = b.node('GroupQueryAttention', [...operands, ...past, seqlens, total, ...angles], attributes, {
      ...microsoft,
      outputs: 3,
    });
    for (const [i, kind] of ['key', 'value'].entries()) b.output(`present.${layer}.${kind}`, attended[i + 1] as Value);
    const norm = (added: Value) => {
      const [y, , , joined] = b.node(
        'SkipSimplifiedLayerNormalization',
        [sum, added, scale()],
        { epsilon: 1e-5 },
        { ...microsoft, outputs: 4 },
      );
      sum = joined as Value;
      return y as Value;
    };
    x = norm(linear(attended[0] as Value, 'o', HIDDEN, HIDDEN));
    const gate = linear(x, 'gate', HIDDEN, INNER);
    const gated = b.op('Mul', [b.op('Mul', [gate, b.op('Sigmoid', [gate])]), linear(x, 'up', HIDDEN, INNER)]);
    x = norm(linear(gated, 'down', INNER, HIDDEN));
  }
  b.output('logits', linear(x, 'head', HIDDEN, WORDS));
  return b.toBytes();
}

/** A prompt, then tokens one by one, each with the caches of the run before. */
function runsOf(growth: Growth) {
  const { ints } = draw(8);
  const cache = tensor(
    'float32',
    [1, SHARED, growth === 'grows' ? 0 : ROOM, SIZE],
    new Float32Array(growth === 'grows' ? 0 : SHARED * ROOM * SIZE),
  );
  const names = Array.from({ length: LAYERS }, (_, layer) => ['key', 'value'].map((kind) => `${layer}.${kind}`)).flat();
  const feeds = (rows: number, total: number) => ({
    input_ids: ints('int64', [1, rows], 0, WORDS - 1),
    attention_mask: tensor('int64', [1, total], new Array<bigint>(total).fill(1n)),
  });
  const first = {
    ...feeds(PROMPT, PROMPT),
    ...Object.fromEntries(names.map((name) => [`past_key_values.${name}`, cache])),
  };
  const rest = Array.from({ length: TOKENS }, (_, i) => feeds(1, PROMPT + i + 1));
  return {
    runs: [first, ...rest],
    carried: Object.fromEntries(names.map((name) => [`past_key_values.${name}`, `present.${name}`])),
  };
}

const named = (growth: Growth): ModelRuns => ({
  name: `a decoder of two layers whose cache ${growth}`,
  bytes: () => decoder(growth),
  ...runsOf(growth),
  compared: ['logits'],
});

export const models: readonly ModelRuns[] = [named('grows'), named('has room')];
