import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, Tensor } from '../../src/index.js';
import { LazyTensor } from '../../src/tensor/lazy-tensor.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';

const [HEADS, SIZE] = [2, 8];

/** Attention whose keys and values grow, as one node or with their concatenations apart. */
function decoder(form: 'attention' | 'concat'): Uint8Array {
  const b = modelBuilder({ opset: 23 });
  const x = (name: string, rows: string) => b.input(name, 'float32', ['batch', HEADS, rows, SIZE]);
  const [q, k, v] = [x('q', 'rows'), x('k', 'rows'), x('v', 'rows')];
  const [pastKey, pastValue] = [x('past_key', 'past'), x('past_value', 'past')];
  if (form === 'attention') {
    const outputs = b.node('Attention', [q, k, v, null, pastKey, pastValue], { is_causal: 1 }, { outputs: 3 });
    for (const [i, name] of ['y', 'present_key', 'present_value'].entries()) b.output(name, outputs[i] as typeof q);
    return b.toBytes();
  }
  const key = b.op('Concat', [pastKey, k], { axis: 2 });
  const value = b.op('Concat', [pastValue, v], { axis: 2 });
  b.output('y', b.op('Attention', [q, key, value]));
  b.output('present_key', key);
  b.output('present_value', value);
  return b.toBytes();
}

type Feeds = Record<string, TensorValue>;

const { floats } = draw(3);
const none = (batch = 1) => new Tensor('float32', new Float32Array(0), [batch, HEADS, 0, SIZE]);
const step = (rows: number, batch = 1): Feeds =>
  Object.fromEntries(['q', 'k', 'v'].map((name) => [name, floats([batch, HEADS, rows, SIZE])]));

interface Past {
  readonly past_key: TensorValue;
  readonly past_value: TensorValue;
}
const nothing = (batch = 1): Past => ({ past_key: none(batch), past_value: none(batch) });

/** The same values in tensors that know nothing of where they were. */
const copied = ({ past_key, past_value }: Past): Past => ({ past_key: plain(past_key), past_value: plain(past_value) });
const plain = ({ type, dims, data }: TensorValue): TensorValue => ({ type, dims, data: data.slice() });

async function ran(session: InferenceSession, feeds: Feeds, past: Past) {
  const { y, present_key, present_value } = await session.run({ ...feeds, ...past });
  const results = { y, present_key, present_value } as Record<'y' | 'present_key' | 'present_value', Tensor>;
  return { results, past: { past_key: results.present_key, past_value: results.present_value } as Past };
}

/** A session whose outputs stay where they are beside one that is fed copies. */
async function both(bytes: Uint8Array, intraOpNumThreads = 1) {
  const open = () => InferenceSession.create(bytes, { intraOpNumThreads });
  const [inPlace, copying] = await Promise.all([open(), open()]);
  return {
    inPlace,
    copying,
    release: () => Promise.all([inPlace.release(), copying.release()]),
  };
}

const isUnread = ({ past_key, past_value }: Past) => LazyTensor.is(past_key) && LazyTensor.is(past_value);
const isSame = (a: Past, b: Past) => {
  for (const name of ['past_key', 'past_value'] as const) assert.equal(plain(a[name]), plain(b[name]));
};

const test = suite('caches in place');

for (const form of ['attention', 'concat'] as const)
  for (const threads of [1, 3])
    test(`${form}: 150 steps, ${threads} threads`, async () => {
      const { inPlace, copying, release } = await both(decoder(form), threads);
      let [here, there] = [nothing(), nothing()];
      for (let i = 0; i < 150; i++) {
        const feeds = step(i === 0 ? 10 : i % 40 === 39 ? 5 : 1);
        const [a, b] = [await ran(inPlace, feeds, here), await ran(copying, feeds, copied(there))];
        assert.ok(isUnread(a.past));
        assert.equal(plain(a.results.y), plain(b.results.y), `step ${i}`);
        [here, there] = [a.past, b.past];
      }
      isSame(here, there);
      await release();
    });

test('what was fed once may be fed again: each continuation is its own', async () => {
  const { inPlace, copying, release } = await both(decoder('attention'));
  const shared = await ran(inPlace, step(6), nothing());
  await ran(inPlace, step(1), shared.past);
  const feeds = [step(1), step(2), step(1)];
  const branches = [];
  for (const feed of feeds) branches.push(await ran(inPlace, feed, shared.past));
  const before = copied(shared.past);
  for (const [i, feed] of feeds.entries()) {
    const expected = await ran(copying, feed, before);
    assert.equal(plain((branches[i] as typeof expected).results.y), plain(expected.results.y), `branch ${i}`);
    isSame((branches[i] as typeof expected).past, expected.past);
  }
  await release();
});

for (const form of ['attention', 'concat'] as const)
  test(`runs that begin with the same again and again, and go on later: ${form}`, async () => {
    const { inPlace, copying, release } = await both(decoder(form));
    const past: Past = { past_key: floats([1, HEADS, 7, SIZE]), past_value: floats([1, HEADS, 7, SIZE]) };
    const feeds = Array.from({ length: 6 }, (_, i) => step(1 + (i % 2)));
    const here = [];
    for (const feed of feeds) here.push(await ran(inPlace, feed, past));
    const inMemory = here.map(({ past }) => LazyTensor.is(past.past_key));
    assert.equal(
      inMemory,
      [true, true, false, false, false, false],
      'where nobody goes on, results are copied at once',
    );
    const there = [];
    for (const feed of feeds) there.push(await ran(copying, feed, copied(past)));
    for (const of of [4, 0, 5]) {
      let [a, b] = [here[of] as Awaited<ReturnType<typeof ran>>, there[of] as Awaited<ReturnType<typeof ran>>];
      for (let i = 0; i < 4; i++) {
        const next = step(1);
        [a, b] = [await ran(inPlace, next, a.past), await ran(copying, next, copied(b.past))];
        assert.equal(plain(a.results.y), plain(b.results.y), `run ${of}, ${i} on`);
        assert.ok(LazyTensor.is(a.past.past_key), 'what goes on stays in place');
      }
      isSame(a.past, b.past);
    }
    for (const [i, { past, results }] of here.entries()) {
      assert.equal(plain(results.y), plain((there[i] as (typeof there)[number]).results.y), `run ${i}`);
      isSame(past, (there[i] as (typeof there)[number]).past);
    }
    await release();
  });

test('conversations in turn, more than stay in place', async () => {
  const { inPlace, copying, release } = await both(decoder('concat'));
  const here = [1, 2, 3, 4].map(() => nothing());
  const there = [1, 2, 3, 4].map(() => nothing());
  for (let i = 0; i < 40; i++) {
    const of = (i * 7) % 4;
    const feeds = step(1 + (i % 3));
    const a = await ran(inPlace, feeds, here[of] as Past);
    const b = await ran(copying, feeds, copied(there[of] as Past));
    assert.equal(plain(a.results.y), plain(b.results.y), `run ${i}`);
    here[of] = a.past;
    there[of] = b.past;
  }
  for (const [i, past] of here.entries()) isSame(past, there[i] as Past);
  await release();
});

test('batches of other sizes', async () => {
  const { inPlace, copying, release } = await both(decoder('attention'));
  for (const batch of [2, 1, 3]) {
    let [here, there] = [nothing(batch), nothing(batch)];
    for (let i = 0; i < 5; i++) {
      const feeds = step(3 - (i % 2), batch);
      const [a, b] = [await ran(inPlace, feeds, here), await ran(copying, feeds, copied(there))];
      assert.equal(plain(a.results.y), plain(b.results.y));
      [here, there] = [a.past, b.past];
    }
    isSame(here, there);
  }
  await release();
});

test('conversations of other batches in turn, beyond the room there was', async () => {
  const { inPlace, copying, release } = await both(decoder('attention'));
  const batches = [1, 3, 2];
  const pasts = batches.map((batch) => ({ here: nothing(batch), there: nothing(batch) }));
  for (let i = 0; i < 60; i++) {
    const of = i % 7 === 6 ? (i * 5) % 3 : i % 2;
    const { here, there } = pasts[of] as (typeof pasts)[number];
    const feeds = step(i < 3 ? 3 + i : i % 20 === 19 ? 40 : 1, batches[of]);
    const [a, b] = [await ran(inPlace, feeds, here), await ran(copying, feeds, copied(there))];
    assert.equal(plain(a.results.y), plain(b.results.y), `run ${i}, of batch ${batches[of]}`);
    pasts[of] = { here: a.past, there: b.past };
  }
  for (const { here, there } of pasts) isSame(here, there);
  await release();
});

test('data that were read are the caller’s: what becomes of them is what is fed', async () => {
  const { inPlace, copying, release } = await both(decoder('attention'));
  const first = await ran(inPlace, step(4), nothing());
  (first.results.present_key.data as Float32Array).fill(0.5);
  const feeds = step(1);
  const [a, b] = [await ran(inPlace, feeds, first.past), await ran(copying, feeds, copied(first.past))];
  isSame(a.past, b.past);
  assert.is((a.results.present_key.data as Float32Array)[0], 0.5);
  await release();
});

test('tensors outlive their session, and can be fed to another', async () => {
  const { inPlace, copying, release } = await both(decoder('attention'));
  const feeds = [step(4), step(1)] as const;
  const first = await ran(inPlace, feeds[0], nothing());
  const expected = await ran(copying, feeds[0], nothing());
  await inPlace.release();
  const second = await ran(copying, feeds[1], first.past);
  const again = await ran(copying, feeds[1], copied(expected.past));
  assert.equal(plain(second.results.y), plain(again.results.y));
  isSame(first.past, expected.past);
  await release();
});

test('an output that is written into a tensor given for it', async () => {
  const session = await InferenceSession.create(decoder('attention'));
  const first = await ran(session, step(4), nothing());
  const target = new Tensor('float32', new Float32Array(5 * HEADS * SIZE), [1, HEADS, 5, SIZE]);
  const feeds = step(1);
  const expected = await ran(session, feeds, copied(first.past));
  const given = await session.run({ ...feeds, ...first.past }, { y: null, present_key: target, present_value: null });
  assert.is(given.present_key, target);
  assert.equal(plain(target), plain(expected.results.present_key));
  await session.release();
});

test('a tensor that was disposed of is refused', async () => {
  const session = await InferenceSession.create(decoder('attention'));
  const { past, results } = await ran(session, step(4), nothing());
  results.present_key.dispose();
  const refusal = await ran(session, step(1), past).catch((error: { code: string }) => error);
  assert.is((refusal as { code: string }).code, 'RELEASED');
  await session.release();
});

test.run();
