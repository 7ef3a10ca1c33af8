import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession, type SardonyxError, type SessionState } from '../../src/index.js';
import { numbersOf, tensorOf } from '../../src/tensor/numbers.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';
import { int64s } from '../values.js';

const [WIDTH, HEADS, SIZE, TAPS] = [32, 2, 16, 4];
const { floats } = draw(31);

type Element = 'float32' | 'float16';

/** A layer of a hybrid decoder: of values [batch, rows, WIDTH], the states that it has being inputs and outputs of the model. */
type Layer = (b: GraphBuilder, x: Value, element: Element) => Value;

let constants = 0;
const ints = (b: GraphBuilder, n: number): Value => b.constant(`constant${constants++}`, int64s([n]));

const columns = (b: GraphBuilder, x: Value, from: number, to: number): Value =>
  b.op('Slice', [x, ints(b, from), ints(b, to), ints(b, -1)]);

const turned = (b: GraphBuilder, x: Value) => b.op('Transpose', [x], { perm: [0, 2, 1] });

const kernel = floats([WIDTH, 1, TAPS]);

/** As exporters write it for the newest operators. */
const convolution: Layer = (b, x, element) => {
  const past = b.input('past_conv.0', element, ['batch', WIDTH, TAPS - 1]);
  const weights = b.constant('kernel', tensorOf(element, kernel.dims, kernel.data as Float32Array));
  const [y, present] = b.node(
    'CausalConvWithState',
    [turned(b, x), weights, null, past],
    { activation: 'silu' },
    { domain: 'com.microsoft', outputs: 2 },
  );
  b.output('present_conv.0', present as Value);
  return turned(b, y as Value);
};

/** The same in plain operators, as LFM2 is published: what was seen last is cut from what is convolved. */
const convolutionInParts: Layer = (b, x, element) => {
  const past = b.input('past_conv.0', element, ['batch', WIDTH, TAPS - 1]);
  const weights = b.constant('kernel', tensorOf(element, kernel.dims, kernel.data as Float32Array));
  const seen = b.op('Concat', [past, turned(b, x)], { axis: 2 });
  b.output('present_conv.0', b.op('Slice', [seen, ints(b, 1 - TAPS), ints(b, 2 ** 31), ints(b, 2)]));
  const y = b.op('Conv', [seen, weights], { group: WIDTH, kernel_shape: [TAPS] });
  return turned(b, b.op('Mul', [y, b.op('Sigmoid', [y])]));
};

/** A gated delta rule, as Qwen3-Next has it. */
const recurrence: Layer = (b, x, element) => {
  const past = b.input('past_recurrent.1', element, ['batch', HEADS, SIZE, SIZE]);
  const decay = b.op('Neg', [b.op('Abs', [columns(b, x, 0, HEADS)])]);
  const beta = b.op('Sigmoid', [columns(b, x, HEADS, 2 * HEADS)]);
  const attributes = { update_rule: 'gated_delta', q_num_heads: HEADS, kv_num_heads: HEADS };
  const half = b.constant('half', tensorOf(element, [], [0.5]));
  const small = b.op('Mul', [x, half]);
  const [y, present] = b.node('LinearAttention', [small, small, x, past, decay, beta], attributes, {
    domain: 'com.microsoft',
    outputs: 2,
  });
  b.output('present_recurrent.1', present as Value);
  return y as Value;
};

const attention: Layer = (b, x, element) => {
  const mask = b.input('attention_mask', 'int64', ['batch', 'total']);
  const one = b.constant('one', tensor('int64', [], [1n]));
  const counted = b.op('Sub', [b.op('ReduceSum', [mask, b.constant('axes', int64s([1]))], { keepdims: 0 }), one]);
  const lengths = b.op('Cast', [counted], { to: 6 });
  const total = b.op('Cast', [b.op('Gather', [b.op('Shape', [mask]), one])], { to: 6 });
  const pasts = ['key', 'value'].map((part) =>
    b.input(`past_key_values.2.${part}`, element, ['batch', 1, 'past', SIZE]),
  );
  const operands = [x, columns(b, x, 0, SIZE), columns(b, x, SIZE, 2 * SIZE), ...pasts, lengths, total];
  const [y, ...presents] = b.node(
    'GroupQueryAttention',
    operands,
    { num_heads: HEADS, kv_num_heads: 1 },
    { domain: 'com.microsoft', outputs: 3 },
  );
  for (const [i, part] of ['key', 'value'].entries()) b.output(`present.2.${part}`, presents[i] as Value);
  return y as Value;
};

function hybrid(layers: readonly Layer[], element: Element): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const x = b.input('x', element, ['batch', 'rows', WIDTH]);
  b.output(
    'y',
    layers.reduce((value, layer) => layer(b, value, element), x as Value),
  );
  return b.toBytes();
}

const MODELS: Record<string, readonly Layer[]> = {
  'convolution, delta rule and attention': [convolution, recurrence, attention],
  'convolution in parts and attention, as LFM2': [convolutionInParts, attention],
  'states of one size alone': [convolution, recurrence],
};

type Feeds = Record<string, TensorValue>;

/** Rows of two sequences behind `past` others. */
function feedsOf(session: InferenceSession, element: Element, rows: number, past: number): Feeds {
  const { dims, data } = floats([2, rows, WIDTH]);
  const x = tensorOf(element, dims, data as Float32Array);
  const total = past + rows;
  const mask = { type: 'int64', dims: [2, total], data: new BigInt64Array(2 * total).fill(1n) } as TensorValue;
  return session.inputNames.includes('attention_mask') ? { x, attention_mask: mask } : { x };
}

const presentOf = (name: string) => name.replace('past_key_values', 'present').replace(/^past/, 'present');

/** States by hand: those of the beginning are zeros, or no rows. */
function noStates({ inputMetadata }: InferenceSession, element: Element): Feeds {
  const states = inputMetadata.filter(({ name }) => name.startsWith('past'));
  return Object.fromEntries(
    states.map((metadata) => {
      const dims = (metadata as { shape: readonly (string | number)[] }).shape.map((d) =>
        d === 'batch' ? 2 : d === 'past' ? 0 : Number(d),
      );
      const count = dims.reduce((n, d) => n * d, 1);
      return [metadata.name, tensorOf(element, dims, new Float32Array(count))];
    }),
  );
}

/** The run without a state object, on copies of what the one before has left. */
async function byHand(session: InferenceSession, feeds: Feeds, states: Feeds): Promise<[TensorValue, Feeds]> {
  const results: Record<string, TensorValue> = await session.run({ ...feeds, ...states });
  const next = Object.keys(states).map((name) => {
    const { type, dims, data } = results[presentOf(name)] as TensorValue;
    return [name, { type, dims, data: data.slice() }];
  });
  return [results.y as TensorValue, Object.fromEntries(next)];
}

const test = suite('states of one size, of convolutions and state spaces');

const bits = ({ dims, data }: TensorValue) => [dims, Array.from(data as Float32Array)];

for (const [name, layers] of Object.entries(MODELS))
  for (const element of ['float32', 'float16'] as const) {
    const open = async () => {
      const session = await InferenceSession.create(hybrid(layers, element));
      let hand = noStates(session, element);
      let past = 0;
      /** Runs on with and without a state object. */
      const go = async (state: SessionState, rows: number) => {
        const feeds = feedsOf(session, element, rows, past);
        const [expected, next] = await byHand(session, feeds, hand);
        const { y } = await session.run(feeds, { state, fetches: ['y'] });
        assert.equal(bits(y as TensorValue), bits(expected), `${rows} rows behind ${past}`);
        [hand, past] = [next, past + rows];
      };
      const mark = () => {
        const [was, rows] = [hand, past];
        return () => {
          [hand, past] = [was, rows];
        };
      };
      return { session, go, mark };
    };

    test(`${name}, of ${element}: bit for bit as by hand; clones, and what was saved`, async () => {
      const { session, go, mark } = await open();
      const state = session.createState({ capacity: 20 });
      for (const rows of [7, 1, 1, 5, 1]) await go(state, rows);
      const back = mark();
      const file = state.save();
      const twin = state.clone();
      for (const rows of [1, 3]) await go(twin, rows);
      back();
      for (const rows of [2, 1]) await go(state, rows);
      back();
      const again = session.createState();
      again.load(file);
      assert.equal(again.save(), file);
      for (const rows of [1, 1]) await go(again, rows);
      await session.release();
    });

    test(`${name}, of ${element}: goes back to the beginning, and nowhere else`, async () => {
      const { session, go, mark } = await open();
      const state = session.createState();
      const start = mark();
      for (const rows of [4, 1]) await go(state, rows);
      const refusal = () => {
        try {
          state.truncate(2);
        } catch (error) {
          return error as SardonyxError;
        }
        return assert.unreachable('truncate(2)') as never;
      };
      const { code, message } = refusal();
      assert.is(code, 'INVALID_ARGUMENT');
      assert.match(message, /"past_conv\.0" does not grow by rows: only truncate\(0\) is possible/);
      if (state.length > 0) state.truncate(state.length);
      await go(state, 1);
      state.truncate(0);
      start();
      for (const rows of [3, 1]) await go(state, rows);
      await session.release();
    });

    test(`${name}, of ${element}: in steps as at once`, async () => {
      const { session } = await open();
      const all = feedsOf(session, element, 9, 0);
      const { y } = await session.run(all, { state: session.createState(), fetches: ['y'] });
      const state = session.createState();
      const wanted = numbersOf(y as TensorValue);
      const [x, largest] = [all.x as TensorValue, Math.max(...Array.from(wanted, Math.abs))];
      for (let row = 0; row < 9; row++) {
        const own = [0, 1].flatMap((batch) =>
          Array.from(numbersOf(x)).slice((batch * 9 + row) * WIDTH, (batch * 9 + row + 1) * WIDTH),
        );
        const feeds = { ...feedsOf(session, element, 1, row), x: tensorOf(element, [2, 1, WIDTH], own) };
        const step = numbersOf((await session.run(feeds, { state, fetches: ['y'] })).y as TensorValue);
        for (let i = 0; i < 2 * WIDTH; i++) {
          const expected = wanted[(Math.floor(i / WIDTH) * 9 + row) * WIDTH + (i % WIDTH)] as number;
          // In halves each step rounds what it leaves.
          const bound = (element === 'float16' ? 4e-3 : 2e-6) * largest;
          assert.ok(Math.abs((step[i] as number) - expected) <= bound, `row ${row}: ${step[i]} for ${expected}`);
        }
      }
      await session.release();
    });
  }

test('what is not there is not loaded: states of other sizes or types', async () => {
  const [one, two] = await Promise.all([
    InferenceSession.create(hybrid(MODELS['states of one size alone'] as Layer[], 'float32')),
    InferenceSession.create(hybrid(MODELS['states of one size alone'] as Layer[], 'float16')),
  ]);
  const [state, other] = [one.createState(), two.createState()];
  await one.run(feedsOf(one, 'float32', 2, 0), { state });
  assert.throws(
    () => other.load(state.save()),
    ({ code, message }: SardonyxError) => code === 'INVALID_VALUE' && /past_conv\.0|float16/.test(message),
  );
  await Promise.all([one.release(), two.release()]);
});

test.run();
