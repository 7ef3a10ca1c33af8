import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type SardonyxError, type SessionState } from '../../src/index.js';
import { numbersOf } from '../../src/tensor/numbers.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { sampled } from '../tier.js';
import { drawRows, feedsOf, type Layer, layerModel, type Memory, plainly, type Rows, remember } from './attentions.js';
import { STORED } from './grouped-queries.js';

type StoredType = keyof typeof STORED;

/** Of int8, queries and weights are rounded to 16 bits. */
const BOUNDS: Record<StoredType, number> = { float32: 1e-5, float16: 1e-5, int8: 3e-4 };
/** Half of the last place of a result of float16. */
const HALF = 2 ** -11;

const SIZES = { heads: 4, shared: 4, size: 16, valueSize: 16 };

const LAYERS: Record<string, Omit<Layer, 'element'>> = {
  'Attention, causal, of shared keys': { ...SIZES, op: 'Attention', shared: 2, causal: true },
  'Attention of rank 4, softcap, scale, mask and wider values': {
    ...{ ...SIZES, op: 'Attention', isApart: true, valueSize: 24 },
    ...{ softcap: 0.8, scale: 0.4, hasBias: true },
  },
  'MultiHeadAttention, unidirectional': { ...SIZES, op: 'MultiHeadAttention', causal: true },
  'MultiHeadAttention with a bias, a scale and narrower values': {
    ...{ ...SIZES, op: 'MultiHeadAttention', valueSize: 8, scale: 0.3, hasBias: true },
  },
};

const test = sampled(suite('attention that reads caches as they are stored'), { quick: 1 / 3 });

/** A first prompt attends to keys and values as they come, before they are rounded. */
function assertAttended(y: TensorValue, layer: Layer, kept: StoredType, past: Memory | null, rows: Rows): Memory {
  const memory = remember(layer, past, rows, STORED[kept]);
  const seen = past ? memory : remember(layer, null, rows, STORED.float32);
  const [got, rounded] = [numbersOf(y), y.type === 'float16' ? HALF : 0];
  plainly(layer, seen, rows).forEach((x, i) => {
    const isNear = Math.abs((got[i] as number) - x) <= BOUNDS[kept] + rounded * Math.abs(x);
    assert.ok(isNear, `${memory.k[0]?.length} rows: ${got[i]} for ${x} at ${i}`);
  });
  return memory;
}

/** Runs steps of so many rows one after the other; what then is in the cache. */
async function go(
  session: InferenceSession,
  state: SessionState,
  [layer, kept]: readonly [Layer, StoredType],
  steps: readonly number[],
  { batch = 1, memory = null as Memory | null } = {},
): Promise<Memory> {
  let all = memory;
  for (const count of steps) {
    const rows = drawRows(layer, batch, count, state.length);
    const { y } = await session.run(feedsOf(rows, layer), { state, fetches: ['y'] });
    all = assertAttended(y as TensorValue, layer, kept, all, rows);
    assert.is(state.length, all.k[0]?.length);
  }
  return all as Memory;
}

/** From the start on, the cache has room for 30 rows. */
const STEPS = [13, 1, 1, 1, 15, 1, 1, 5, ...new Array<number>(14).fill(1)];

for (const [name, sizes] of Object.entries(LAYERS))
  for (const element of ['float32', 'float16'] as const)
    for (const type of [undefined, 'float32', 'float16', 'int8'] as const)
      test(`${name}, of ${element}, kept as ${type ?? 'the model says'}`, async () => {
        const layer: Layer = { ...sizes, element };
        const session = await InferenceSession.create(layerModel(layer));
        const state = session.createState({ capacity: 30, ...(type && { type }) });
        await go(session, state, [layer, type ?? element], STEPS, { batch: 2 });
        await session.release();
      });

for (const type of ['float32', 'float16', 'int8'] as const)
  test(`keys that are split, kept as ${type}`, async () => {
    const layer: Layer = { ...SIZES, op: 'Attention', shared: 2, causal: true, element: 'float32' };
    const session = await InferenceSession.create(layerModel(layer), { intraOpNumThreads: 3 });
    await go(session, session.createState({ type }), [layer, type], [254, 1, 1, 1, 1, 255, 1, 1], { batch: 2 });
    await session.release();
  });

for (const op of ['Attention', 'MultiHeadAttention', 'DecoderMaskedMultiHeadAttention'] as const)
  for (const type of ['float16', 'int8'] as const)
    test(`a token of ${op} goes through the kernel that reads ${type}, and nothing is widened`, async () => {
      const layer: Layer = { ...SIZES, op, element: 'float32' };
      const session = await InferenceSession.create(layerModel(layer));
      const state = session.createState({ type });
      const memory = await go(session, state, [layer, type], [1, 1]);
      session.startProfiling();
      await go(session, state, [layer, type], [1], { memory });
      const narrowing = type === 'int8' ? 'NarrowRows' : 'Cast';
      const appended = [narrowing, 'Concat', narrowing, 'Concat'];
      assert.equal(
        session.profile.map(({ operator }) => operator),
        [...appended, 'CachedAttention'],
      );
      assert.is(session.profile.at(-1)?.kernel, 'cachedAttention');
      await session.release();
    });

test('a cache of halves that is fed back without a state stays where it is', async () => {
  const layer: Layer = { ...SIZES, op: 'MultiHeadAttention', element: 'float16' };
  const session = await InferenceSession.create(layerModel(layer));
  const empty = { type: 'float16', dims: [1, 4, 0, 16], data: new Uint16Array(0) } as TensorValue;
  let [key, value]: (TensorValue | undefined)[] = [empty, empty];
  let memory: Memory | null = null;
  const steps: Rows[] = [];
  for (let past = 0; past < 70; past++) {
    const rows = drawRows(layer, 1, 1, past);
    const pasts = { 'past_key_values.0.key': key as TensorValue, 'past_key_values.0.value': value as TensorValue };
    const results: Record<string, TensorValue> = await session.run({ ...feedsOf(rows, layer), ...pasts });
    memory = assertAttended(results.y as TensorValue, layer, 'float16', memory, rows);
    [key, value] = [results['present.0.key'], results['present.0.value']];
    steps.push(rows);
  }
  const { data, dims, type } = key as TensorValue;
  assert.equal([type, dims], ['float16', [1, 4, 70, 16]]);
  const keys = steps.flatMap(({ k }) => Array.from((k.data as Uint16Array).subarray(0, 16)));
  assert.equal(Array.from(data as Uint16Array).slice(0, 70 * 16), keys);
  await session.release();
});

for (const queries of [1, 20])
  test(`halves of an encoder, which come in order with each run, are ${queries === 1 ? 'read as they are' : 'widened'} for ${queries} queries`, async () => {
    const layer: Layer = { ...SIZES, op: 'MultiHeadAttention', element: 'float16' };
    const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
    const kept = (name: string) => b.input(name, 'float16', ['batch', 4, 'keys', 16]);
    const operands = [b.input('q', 'float16', ['batch', 'rows', 64]), kept('k'), kept('v')];
    b.output('y', b.op('MultiHeadAttention', operands, { num_heads: 4 }, { domain: 'com.microsoft' }));
    const session = await InferenceSession.create(b.toBytes(), { enableProfiling: true });
    const { q } = drawRows(layer, 2, queries, 0);
    const apart = { ...layer, isApart: true };
    const encoded = drawRows(apart, 2, 70, 0);
    const { y } = await session.run({ q, k: encoded.k, v: encoded.v });
    const expected = plainly(layer, remember(apart, null, encoded, STORED.float32), { ...encoded, q });
    const got = numbersOf(y as TensorValue);
    expected.forEach((x, i) => {
      assert.ok(Math.abs((got[i] as number) - x) <= 1e-5 + HALF * Math.abs(x), `${got[i]} for ${x} at ${i}`);
    });
    const casts = session.profile.filter(({ operator }) => operator === 'Cast').length;
    assert.is(casts, queries === 1 ? 2 : 4, 'of queries and results, and of keys and values');
    await session.release();
  });

test('steps back, twins, and what was saved', async () => {
  const layer: Layer = { ...SIZES, op: 'Attention', shared: 2, causal: true, element: 'float32' };
  const of = [layer, 'int8'] as const;
  const session = await InferenceSession.create(layerModel(layer));
  const state = session.createState({ type: 'int8' });
  const prompt = await go(session, state, of, [5]);
  const memory = await go(session, state, of, [1, 2], { memory: prompt });
  const file = state.save();
  const twin = state.clone();
  await go(session, twin, of, [1, 1], { memory });
  state.truncate(5);
  await go(session, state, of, [3], { memory: prompt });
  const again = session.createState({ type: 'int8' });
  again.load(file);
  assert.equal(again.save(), file);
  await go(session, again, of, [1, 2], { memory });
  await session.release();
});

test('a model whose caches are of another type than what is attended to is refused when it is read', async () => {
  for (const op of ['Attention', 'MultiHeadAttention', 'DecoderMaskedMultiHeadAttention'] as const)
    for (const caches of ['float16', 'int8'] as const) {
      const model = layerModel({ ...SIZES, op, element: 'float32', caches });
      const refusal = await InferenceSession.create(model).catch((error: SardonyxError) => error);
      assert.is((refusal as SardonyxError).code, 'INVALID_TYPE', `${op} of ${caches}`);
      assert.match((refusal as SardonyxError).message, caches);
    }
});

test.run();
