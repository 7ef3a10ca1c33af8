import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float, modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { runNode } from '../one-node.js';

const test = suite('attention');

test('keys that a mask does not reach are hidden, though it has but one column', async () => {
  const q = tensor('float32', [1, 1, 2, 2], [1, 0, 0, 1]);
  const k = tensor('float32', [1, 1, 3, 2], [1, 2, 3, 4, 5, 6]);
  const v = tensor('float32', [1, 1, 3, 1], [7, 8, 9]);
  const mask = tensor('float32', [2, 1], [0, 0.5]);
  assert.equal(await runNode('Attention', { inputs: [q, k, v, mask], opset: 23 }), [
    tensor('float32', [1, 1, 2, 1], [7, 7]),
  ]);
});

/** Dims of q and of k and v, and those of y and the scores. */
const WITHOUT_ELEMENTS: readonly (readonly [q: number[], k: number[], y: number[], scores: number[]])[] = [
  [
    [1, 2, 0, 4],
    [1, 2, 3, 4],
    [1, 2, 0, 4],
    [1, 2, 0, 3],
  ],
  [
    [1, 4, 2, 4],
    [1, 2, 0, 4],
    [1, 4, 2, 4],
    [1, 4, 2, 0],
  ],
  [
    [0, 4, 3, 4],
    [0, 2, 3, 4],
    [0, 4, 3, 4],
    [0, 4, 3, 3],
  ],
];

test('no queries, no keys and no batch, where the scores are asked for', async () => {
  const b = modelBuilder({ opset: 24 });
  const inputs = ['q', 'k', 'v'].map((name) => b.input(name, 'float32'));
  const [y, , , scores] = b.node('Attention', inputs, {}, { outputs: ['y', null, null, 'scores'] });
  b.output('y', y as NonNullable<typeof y>);
  b.output('scores', scores as NonNullable<typeof scores>);
  const ones = (dims: readonly number[]) => tensor('float32', dims, new Array(dims.reduce((n, d) => n * d, 1)).fill(1));
  for (const options of [{}, { graphOptimizationLevel: 'disabled' }] as const) {
    await using session = await InferenceSession.create(b.toBytes(), options);
    for (const [q, k, wanted, wantedScores] of WITHOUT_ELEMENTS) {
      const results = await session.run({ q: ones(q), k: ones(k), v: ones(k) });
      assert.equal([results.y?.dims, results.scores?.dims], [wanted, wantedScores]);
      assert.ok(
        [...(results.y?.data ?? [])].every((value) => value === 0),
        'no key has a value',
      );
    }
  }
});

test('no heads are refused', async () => {
  const b = modelBuilder({ opset: 24 });
  const inputs = ['q', 'k', 'v'].map((name) => b.input(name, 'float32'));
  const [, , , scores] = b.node('Attention', inputs, {}, { outputs: [null, null, null, 'scores'] });
  b.output('scores', scores as NonNullable<typeof scores>);
  await using session = await InferenceSession.create(b.toBytes());
  const none = tensor('float32', [1, 0, 3, 4], []);
  await expectRejection('INVALID_SHAPE', /Attention/, session.run({ q: none, k: none, v: none }));
});

test('RotaryEmbedding in double precision', async () => {
  const x = tensor('float64', [1, 1, 1, 4], [1, 2, 3, 4]);
  const [cos, sin] = [tensor('float64', [1, 1, 2], [0.6, 0.8]), tensor('float64', [1, 1, 2], [0.8, 0.6])];
  const [y] = (await runNode('RotaryEmbedding', { inputs: [x, cos, sin], opset: 23 })) as [TensorValue];
  const expected = [0.6 - 2.4, 1.6 - 2.4, 0.8 + 1.8, 1.2 + 3.2];
  assert.ok(expected.every((value, i) => Math.abs((y.data[i] as number) - value) < 1e-12));
});

const zeros = (dims: readonly number[], type: 'float32' | 'int64' = 'float32') => {
  const length = dims.reduce((n, size) => n * size, 1);
  return type === 'int64'
    ? tensor('int64', dims, new BigInt64Array(length))
    : tensor('float32', dims, new Float32Array(length));
};

for (const symbolic of [false, true])
  for (const [batch, rows] of [
    [0, 3],
    [2, 0],
  ] as const)
    test(`heads side by side, ${batch} sequences of ${rows} rows${symbolic ? ', of sizes not known before' : ''}`, async () => {
      const [q, k, v] = [zeros([batch, rows, 16]), zeros([batch, rows, 8]), zeros([batch, rows, 4])];
      const heads = { q_num_heads: 4, kv_num_heads: 2 };
      const attended = await runNode('Attention', { inputs: [q, k, v], attributes: heads, opset: 23, symbolic });
      assert.equal(attended, [zeros([batch, rows, 8])]);
      const angles = [zeros([5, 2]), zeros([5, 2]), zeros([batch, rows], 'int64')];
      const turned = { inputs: [q, ...angles], attributes: { num_heads: 4 }, opset: 23, symbolic };
      assert.equal(await runNode('RotaryEmbedding', turned), [q]);
    });

interface Stored {
  readonly type: 'float32' | 'int64' | 'bool';
  readonly dims: readonly number[];
  readonly data: readonly (number | '-inf')[];
}

interface WindowCase {
  readonly attributes: Readonly<Record<string, number>>;
  readonly inputs: readonly (Stored | null)[];
  readonly outputs: readonly Stored[];
}

const numbers = ({ data }: Stored): number[] => data.map((x) => (x === '-inf' ? Number.NEGATIVE_INFINITY : Number(x)));
const restored = (stored: Stored): TensorValue => {
  const data = stored.type === 'int64' ? stored.data.map((x) => BigInt(x)) : numbers(stored);
  return tensor(stored.type, stored.dims, data as number[]);
};

/** By ONNX's own reference: attention-windows.py. */
const windows: WindowCase[] = JSON.parse(readFileSync(new URL('./attention-windows.json', import.meta.url), 'utf8'));

for (const { attributes, inputs, outputs } of windows)
  for (const symbolic of [false, true])
    test(`windows: ${JSON.stringify(attributes)}, ${symbolic ? 'fed' : 'known'} sizes`, async () => {
      const tensors = inputs.map((input) => input && restored(input));
      const typed = { ...attributes, softcap: float(attributes.softcap as number) };
      const asked = { inputs: tensors, attributes: typed, outputs: outputs.length > 1 ? 4 : 1, opset: 25, symbolic };
      const found = await runNode('Attention', asked);
      for (const [i, expected] of outputs.entries()) {
        const { dims, data } = found[i === 0 ? 0 : 3] as TensorValue;
        assert.equal(dims, expected.dims);
        for (const [j, x] of numbers(expected).entries())
          assert.ok(x === data[j] || Math.abs((data[j] as number) - x) < 2e-6, `${j}: ${data[j]} for ${x}`);
      }
    });

test('a window over a cache that grows by a token sees what it sees of all tokens at once', async () => {
  const [TOKENS, HEADS, SIZE] = [24, 2, 8];
  const types = { q: [1, HEADS, 'n', SIZE], k: [1, HEADS, 'n', SIZE], v: [1, HEADS, 'n', SIZE] } as const;
  const b = modelBuilder({ opset: 25 });
  const own = Object.entries(types).map(([name, dims]) => b.input(name, 'float32', dims));
  const past = ['pk', 'pv'].map((name) => b.input(name, 'float32', [1, HEADS, 'past', SIZE]));
  const outputs = b.node('Attention', [...own, null, ...past], { is_causal: 1, left_window_size: 3 }, { outputs: 3 });
  for (const [i, name] of ['y', 'presentKey', 'presentValue'].entries())
    b.output(name, outputs[i] as (typeof outputs)[number]);
  const session = await InferenceSession.create(b.toBytes());
  const state = (i: number) => Math.sin(i * i + 1);
  const all = (seed: number) => Float32Array.from({ length: TOKENS * HEADS * SIZE }, (_, i) => state(i + seed));
  const [q, k, v] = [all(0), all(1000), all(2000)] as const;
  const rows = (data: Float32Array, from: number, to: number) => {
    const heads = [0, 1].flatMap((h) => [...data.subarray((h * TOKENS + from) * SIZE, (h * TOKENS + to) * SIZE)]);
    return tensor('float32', [1, HEADS, to - from, SIZE], heads);
  };
  const none = tensor('float32', [1, HEADS, 0, SIZE], []);
  const feeds = (from: number, to: number) => ({ q: rows(q, from, to), k: rows(k, from, to), v: rows(v, from, to) });
  const whole = (await session.run({ ...feeds(0, TOKENS), pk: none, pv: none })).y as TensorValue;
  let [pk, pv]: [TensorValue, TensorValue] = [none, none];
  for (let t = 0; t < TOKENS; t++) {
    const { y, presentKey, presentValue } = await session.run({ ...feeds(t, t + 1), pk, pv });
    [pk, pv] = [presentKey as TensorValue, presentValue as TensorValue];
    for (let i = 0; i < HEADS * SIZE; i++) {
      const expected = whole.data[(Math.floor(i / SIZE) * TOKENS + t) * SIZE + (i % SIZE)] as number;
      assert.ok(Math.abs(((y as TensorValue).data[i] as number) - expected) < 2e-6, `token ${t}`);
    }
  }
  await session.release();
});

const three = () => tensor('float32', [1, 1, 2, 2], [1, 0, 0, 1]);
for (const [code, what, attributes, inputs] of [
  [
    'INVALID_ATTRIBUTE',
    'left_window_size must be -1, for all keys, or a number of keys, not -2',
    { left_window_size: -2 },
    [],
  ],
  ['INVALID_MODEL', 'past_key and past_value must be given together', {}, [null, three()]],
  [
    'INVALID_MODEL',
    'past_key and nonpad_kv_seqlen must not be given together',
    {},
    [null, three(), three(), tensor('int64', [1], [1n])],
  ],
  ['INVALID_ATTRIBUTE', 'must not have q_num_heads and kv_num_heads', { q_num_heads: 1, kv_num_heads: 1 }, []],
] as const)
  test(`refused: ${what}`, () =>
    expectRejection(
      code,
      new RegExp(what),
      runNode('Attention', { inputs: [three(), three(), three(), ...inputs], attributes, opset: 25 }),
    ));

test.run();
