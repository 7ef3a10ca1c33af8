import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { InferenceSession, type SessionOptions, type SessionState, Tensor } from '../../src/index.js';
import { writeModel } from '../../src/model/write-model.js';
import { LazyTensor } from '../../src/tensor/lazy-tensor.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { converted, type Dtype } from '../layouts/dtypes/index.js';
import { moonshine } from '../layouts/moonshine.js';
import { speaker } from '../layouts/whisper.js';
import { isAtLeast } from '../tier.js';
import { numbers } from './run-model.js';

const SHAPE = { vocabulary: 320, width: 32, inner: 64, heads: 4, layers: 2, targets: 256 };
const HEARD = 23;
const PARTS = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
const NAMES = [0, 1].flatMap((layer) => PARTS.map((part) => `${layer}.${part}`));

type Make = () => Model;
const LAYOUTS: Readonly<Record<string, Make>> = {
  whisper: () => speaker(SHAPE),
  moonshine: () => (moonshine({ ...SHAPE, turned: 4 }).models.decoder_model_merged as Make)(),
};
const bytesOf = (layout: string, dtype: Dtype = 'fp32') => writeModel(converted((LAYOUTS[layout] as Make)(), dtype));

const open = (bytes: Uint8Array, options: SessionOptions = {}) =>
  InferenceSession.create(bytes, { intraOpNumThreads: 1, ...options });

type Tensors = Record<string, TensorValue>;

const states = (seed: number, heard = HEARD) => numbers([1, heard, SHAPE.width], seed);
const plain = ({ type, dims, data }: TensorValue): TensorValue => ({ type, dims, data: data.slice() }) as TensorValue;

const none = () => new Tensor('float32', new Float32Array(0), [1, SHAPE.heads, 0, SHAPE.width / SHAPE.heads]);
const nothing = (): Tensors => Object.fromEntries(NAMES.map((name) => [`past_key_values.${name}`, none()]));

const said = (ids: readonly number[], heard: TensorValue, usesCache: boolean): Tensors => ({
  input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
  encoder_hidden_states: heard,
  use_cache_branch: new Tensor('bool', Uint8Array.of(Number(usesCache)), [1]),
});

/** What transformers.js feeds next: what was heard is what the first run has made. */
const fedNext = (past: Tensors, results: Tensors, usesCache: boolean): Tensors =>
  Object.fromEntries(
    NAMES.map((name) => {
      const input = `past_key_values.${name}`;
      return [input, (usesCache && name.includes('encoder') ? past[input] : results[`present.${name}`]) as TensorValue];
    }),
  );

/** A session that speaks, and keeps what it has said by itself. */
class Speaker {
  past = nothing();
  #tokens = 0;

  constructor(
    readonly session: InferenceSession,
    readonly heard: TensorValue,
    /** What is fed is what `seen` makes of what came out. */
    readonly seen: (past: Tensors) => Tensors = (past) => past,
  ) {}

  async say(...ids: number[]): Promise<Float32Array> {
    const usesCache = this.#tokens > 0;
    const results = (await this.session.run({
      ...said(ids, this.heard, usesCache),
      ...this.seen(this.past),
    } as never)) as Tensors;
    this.past = fedNext(this.past, results, usesCache);
    this.#tokens += ids.length;
    return (results.logits as TensorValue).data as Float32Array;
  }
}

const copies = (past: Tensors): Tensors =>
  Object.fromEntries(Object.entries(past).map(([name, tensor]) => [name, plain(tensor)]));

const isKept = (past: Tensors, part: RegExp) =>
  Object.entries(past).every(([name, tensor]) => !part.test(name) || LazyTensor.is(tensor));

const distance = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, x, i) => Math.max(most, Math.abs(x - (b[i] as number))), 0);

const test = suite('decoders with and without caches, merged into one');

/** In smaller tiers the layouts share what each is tried with in tier all. */
const shareOf = <T>(layout: string, items: readonly T[]): readonly T[] =>
  items.filter((_, i) => isAtLeast('all') || i % 2 === Object.keys(LAYOUTS).indexOf(layout));

for (const layout of Object.keys(LAYOUTS))
  for (const intraOpNumThreads of shareOf(layout, [1, 3]))
    test(`${layout}: 70 tokens in place are those of copies, ${intraOpNumThreads} threads`, async () => {
      const [inPlace, copying] = await Promise.all([0, 1].map(() => open(bytesOf(layout), { intraOpNumThreads })));
      const heard = states(3);
      const here = new Speaker(inPlace as InferenceSession, heard);
      const there = new Speaker(copying as InferenceSession, heard, copies);
      for (let i = 0; i < 70; i++) {
        const ids = i === 0 ? [1, 7, 9] : i % 30 === 29 ? [i, 2, 5] : [i];
        assert.equal(await here.say(...ids), await there.say(...ids), `run ${i}`);
        assert.ok(isKept(here.past, i === 0 ? /encoder/ : /./), `run ${i}`);
      }
      for (const [name, tensor] of Object.entries(here.past))
        assert.equal(plain(tensor), plain(there.past[name] as TensorValue));
      await Promise.all([inPlace?.release(), copying?.release()]);
    });

for (const layout of Object.keys(LAYOUTS))
  for (const dtype of shareOf(layout, ['fp32', 'q8', 'fp16', 'q4'] as const))
    test(`${layout} in ${dtype}: optimized, it says what it says as it is`, async () => {
      const bytes = bytesOf(layout, dtype);
      const [optimized, asIs] = await Promise.all([open(bytes), open(bytes, { graphOptimizationLevel: 'disabled' })]);
      const heard = states(5);
      const [a, b] = [new Speaker(optimized, heard), new Speaker(asIs, heard)];
      for (let i = 0; i < 12; i++) {
        const ids = i === 0 ? [3, 1] : [40 + i];
        const [x, y] = [await a.say(...ids), await b.say(...ids)];
        const largest = y.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        assert.ok(
          distance(x, y) <= { fp32: 1e-5, q8: 1e-2, q4: 5e-4, fp16: 1e-2 }[dtype] * largest,
          `run ${i}: ${distance(x, y)} of ${largest}`,
        );
      }
      await Promise.all([optimized.release(), asIs.release()]);
    });

test('a token that was planned before plans nothing, and no cache has a place among what is copied', async () => {
  const session = await open(bytesOf('whisper'));
  const conversation = async () => {
    const speaker = new Speaker(session, states(1));
    for (let i = 0; i < 20; i++) await speaker.say(i);
  };
  // Of two conversations before, caches stay where they are; of others, until they are collected.
  for (let i = 0; i < 6; i++) await conversation();
  const { linearMemory, values } = session.memoryPlan as NonNullable<typeof session.memoryPlan>;
  assert.not.ok(values.some(({ name }) => name.startsWith('past_key_values')));
  assert.not.ok(values.some(({ name }) => name === 'encoder_hidden_states'));
  for (let i = 0; i < 3; i++) await conversation();
  assert.is(session.memoryPlan?.linearMemory, linearMemory);
  await session.release();
});

test('conversations in turn, more than stay in place, about things of other lengths', async () => {
  const [inPlace, copying] = (await Promise.all([0, 1].map(() => open(bytesOf('moonshine'))))) as [
    InferenceSession,
    InferenceSession,
  ];
  const heard = [11, 30, 17, 23].map((length, seed) => states(seed, length));
  const here = heard.map((tensor) => new Speaker(inPlace, tensor));
  const there = heard.map((tensor) => new Speaker(copying, tensor, copies));
  for (let i = 0; i < 32; i++) {
    const of = (i * 7) % 4;
    assert.equal(await here[of]?.say(i, i + 1), await there[of]?.say(i, i + 1), `run ${i}`);
  }
  await Promise.all([inPlace.release(), copying.release()]);
});

test('what was heard may be read, changed, fed to another session, and outlives its own', async () => {
  const [first, second, copying] = (await Promise.all([0, 1, 2].map(() => open(bytesOf('whisper'))))) as [
    InferenceSession,
    InferenceSession,
    InferenceSession,
  ];
  const here = new Speaker(first, states(2));
  const there = new Speaker(copying, states(2), copies);
  await here.say(4);
  await there.say(4);
  for (const { past } of [here, there])
    (past['past_key_values.0.encoder.key'] as TensorValue<'float32'>).data.fill(0.25);
  assert.equal(await here.say(5), await there.say(5));
  const moved = new Speaker(second, states(2));
  await moved.say(4);
  moved.past = here.past;
  const stays = new Speaker(copying, states(2), copies);
  await stays.say(4);
  stays.past = there.past;
  assert.equal(await moved.say(6), await stays.say(6));
  await first.release();
  assert.equal(await moved.say(7), await stays.say(7));
  assert.equal(
    plain(here.past['past_key_values.1.encoder.value'] as TensorValue),
    plain(there.past['past_key_values.1.encoder.value'] as TensorValue),
  );
  await Promise.all([second.release(), copying.release()]);
});

/** A state in place of what is fed back. */
async function say(session: InferenceSession, state: SessionState, heard: TensorValue, ...ids: number[]) {
  const { logits } = (await session.run(said(ids, heard, state.length > 0) as never, { state } as never)) as Tensors;
  return (logits as TensorValue).data as Float32Array;
}

test('states: tokens, clones, steps back, and what was saved', async () => {
  const session = await open(bytesOf('whisper'));
  const copying = await open(bytesOf('whisper'));
  const heard = states(8);
  const plainly = async (...tokens: number[]) => {
    const speaker = new Speaker(copying, heard, copies);
    let last = new Float32Array(0);
    for (const token of tokens) last = (await speaker.say(token)) as never;
    return last;
  };
  const state = session.createState({ capacity: 40 });
  await say(session, state, heard, 1);
  await say(session, state, heard, 2);
  assert.is(state.length, 2);
  const twin = state.clone();
  assert.equal(await say(session, state, heard, 3), await plainly(1, 2, 3));
  assert.equal(await say(session, twin, heard, 4), await plainly(1, 2, 4));
  state.truncate(2);
  assert.equal(await say(session, state, heard, 5), await plainly(1, 2, 5));
  const later = session.createState();
  later.load(state.save());
  assert.is(later.length, 3);
  assert.equal(await say(session, later, heard, 6), await plainly(1, 2, 5, 6));
  state.truncate(0);
  assert.equal(await say(session, state, heard, 9), await plainly(9));
  for (const used of [state, twin, later]) used.release();
  await Promise.all([session.release(), copying.release()]);
});

test('going back leaves what was heard, though it be as long', async () => {
  const session = await open(bytesOf('whisper'));
  const copying = await open(bytesOf('whisper'));
  const heard = states(8, 3);
  const state = session.createState();
  for (const token of [1, 2, 3]) await say(session, state, heard, token);
  state.truncate(2);
  const speaker = new Speaker(copying, heard, copies);
  for (const token of [1, 2]) await speaker.say(token);
  assert.equal(await say(session, state, heard, 5), await speaker.say(5));
  await Promise.all([session.release(), copying.release()]);
});

test('weights that both branches use are packed once', async () => {
  const sizes = await Promise.all(
    [1, 2].map(async (ways) => {
      const session = await open(writeModel(speaker({ ...SHAPE, width: 256, inner: 1024 })));
      const speaking = { ...SHAPE, width: 256 };
      const heard = numbers([1, 5, speaking.width], 1);
      const empty = new Tensor('float32', new Float32Array(0), [1, 4, 0, 64]);
      const past = Object.fromEntries(NAMES.map((name) => [`past_key_values.${name}`, empty as TensorValue]));
      const first = (await session.run({ ...said([1], heard, false), ...past } as never)) as Tensors;
      if (ways === 2) await session.run({ ...said([1], heard, true), ...fedNext(past, first, false) } as never);
      const { linearMemory } = session.memoryPlan as NonNullable<typeof session.memoryPlan>;
      await session.release();
      return linearMemory;
    }),
  );
  const [one, two] = sizes as [number, number];
  assert.ok(two - one < 1 << 20, `${one} bytes with one branch, ${two} with both`);
});

test('a weight that the branches read in different forms is there for both', async () => {
  const b = modelBuilder({ opset: 21 });
  const [x, c] = [b.input('x', 'float32', [64, 64]), b.input('c', 'bool', [])];
  const weights = b.constant('w', numbers([64, 64], 7));
  const branch = (name: string, op: string) => b.subgraph(name, (g) => g.output(name, g.op(op, [x, weights])));
  const graphs = { then_branch: branch('product', 'MatMul'), else_branch: branch('sum', 'Add') };
  b.output('y', b.op('If', [c], graphs));
  for (const order of [
    [1, 0, 1],
    [0, 1, 0],
  ]) {
    const session = await open(b.toBytes());
    const fed = numbers([64, 64], 8);
    for (const way of order) {
      const { y } = (await session.run({ x: fed, c: new Tensor('bool', Uint8Array.of(way), []) })) as Tensors;
      const [rows, w] = [fed.data as Float32Array, numbers([64, 64], 7).data as Float32Array];
      let sum = 0;
      for (let k = 0; k < 64; k++) sum += (rows[k] as number) * (w[64 * k + 5] as number);
      const expected = way ? sum : (rows[5] as number) + (w[5] as number);
      assert.ok(Math.abs((((y as TensorValue).data as Float32Array)[5] as number) - expected) < 1e-5, `way ${way}`);
    }
    await session.release();
  }
});

/** y = 2x or −x, as `condition` says of the input c. */
function chosen(condition: (b: GraphBuilder, c: Value) => Value): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const [x, c] = [b.input('x', 'float32', ['n']), b.input('c', 'bool', [1])];
  const branch = (name: string, op: (g: GraphBuilder) => Value) => b.subgraph(name, (g) => g.output(name, op(g)));
  const graphs = {
    then_branch: branch('doubled', (g) => g.op('Add', [x, x])),
    else_branch: branch('negated', (g) => g.op('Neg', [x])),
  };
  b.output('y', b.op('If', [condition(b, c)], graphs));
  b.output('same', b.op('Identity', [c]));
  return b.toBytes();
}

const CONDITIONS: Readonly<
  Record<string, readonly [condition: (b: GraphBuilder, c: Value) => Value, isNegated: boolean]>
> = {
  'what is fed': [(_, c) => c, false],
  'its opposite': [(b, c) => b.op('Not', [b.op('Identity', [c])]), true],
  'a number made of it': [(b, c) => b.op('Cast', [b.op('Cast', [c], { to: 1 })], { to: 9 }), false],
};

for (const [what, [condition, isNegated]] of Object.entries(CONDITIONS))
  test(`a condition that is ${what} may be another in each run`, async () => {
    const session = await open(chosen(condition));
    for (const [i, isTrue] of [true, false, false, true, true, false].entries()) {
      const x = new Tensor('float32', Float32Array.of(i, 1, -2), [3]);
      const { y, same } = (await session.run({
        x,
        c: new Tensor('bool', Uint8Array.of(Number(isTrue)), [1]),
      })) as Tensors;
      const expected = isTrue === isNegated ? [-i, -1, 2] : [2 * i, 2, -4];
      assert.equal(
        [...((y as TensorValue).data as Float32Array)].map((v) => v + 0),
        expected.map((v) => v + 0),
      );
      assert.equal([...((same as TensorValue).data as Uint8Array)], [Number(isTrue)]);
    }
    await session.release();
  });

test.run();
