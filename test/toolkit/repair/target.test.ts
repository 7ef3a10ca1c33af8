import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import {
  type Metric,
  type QuantizeProgress,
  quantizeRepaired,
  quantizeStatic,
  type Sensitivity,
  sensitivity,
} from '../../../src/tools/index.js';
import { byOutputs } from '../../../src/tools/quantize/repair/score.js';
import { expectRejection } from '../../expect-error.js';
import { checked, evenly, loaded, run } from '../quantize/runs.js';

const test = suite('sensitivity, and targets');

/** Three products, of whose weights the second has one that reaches far, and a Relu that costs nothing. */
function networkOf(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const weight = (name: string, seed: number) => {
    const numbers = evenly(256, seed).map((w, i) => (name === 'w2' && i === 7 ? 300 : w));
    return b.constant(name, tensor('float32', [16, 16], numbers));
  };
  const x = b.input('x', 'float32', ['n', 16]);
  const one = b.op('Relu', [b.op('MatMul', [x, weight('w1', 1)], {}, { name: 'one' })]);
  const two = b.op('MatMul', [one, weight('w2', 2)], {}, { name: 'two*' });
  b.output('y', b.op('MatMul', [b.op('Tanh', [two]), weight('w3', 3)], {}, { name: 'three' }), 'float32', ['n', 16]);
  return b.toBytes();
}

const feeds = [1, 2, 3].map((seed) => ({ x: tensor('float32', [8, 16], evenly(128, seed)) }));

const namesOf = (found: readonly Sensitivity[]) => found.map(({ name }) => name);

test('nodes are ranked by what they cost alone, what costs most first', async () => {
  const model = await loaded(networkOf());
  const stages = new Set<string>();
  const onProgress = ({ stage }: QuantizeProgress) => stages.add(stage);
  const found = await sensitivity(model, feeds, { onProgress });
  assert.is(found[0]?.name, 'two*');
  assert.equal(namesOf(found).sort(), ['one', 'three', 'two*']);
  const scores = found.map(({ score }) => score);
  assert.equal(
    scores,
    [...scores].sort((a, b) => a - b),
  );
  assert.ok((scores[0] as number) < (scores[1] as number) - 10, scores.join());
  assert.ok(stages.has('sensitivity'));
});

test('each score is that of the model in which only this is quantised', async () => {
  const model = await loaded(networkOf());
  const [, second] = await sensitivity(model, feeds);
  const alone = await quantizeStatic(model, feeds, { include: [second?.name as string] });
  assert.is(second?.score, await byOutputs(model, feeds, {})(alone));
});

test('types are ranked together', async () => {
  const found = await sensitivity(await loaded(networkOf()), feeds, { by: 'type' });
  assert.equal(namesOf(found), ['MatMul']);
});

test('a target leaves out what costs most, and no more', async () => {
  const model = await loaded(networkOf());
  const { score: whole } = await quantizeRepaired(model, feeds, { target: { sqnr: 0 } });
  const {
    excluded,
    score,
    model: made,
  } = await quantizeRepaired(model, feeds, { target: { sqnr: (whole ?? 0) + 10 } });
  assert.equal(excluded, ['two*']);
  assert.ok((score ?? 0) >= (whole ?? 0) + 10);
  assert.is(score, await byOutputs(model, feeds, {})(made));
  await checked(made);
});

test('what all nodes keep from is met by none quantised', async () => {
  const model = await loaded(networkOf());
  const { excluded, model: made, score } = await quantizeRepaired(model, feeds, { target: { sqnr: 300 } });
  assert.is(excluded.length, 3);
  assert.is(score, Number.POSITIVE_INFINITY);
  assert.equal(made.proto.graph?.node, model.proto.graph?.node);
});

test('a metric is the measure where there is one', async () => {
  const model = await loaded(networkOf());
  const exact = await Promise.all(feeds.map((feed) => run(networkOf(), feed)));
  const metric: Metric = async (session) => {
    let most = 0;
    for (const [i, feed] of feeds.entries()) {
      const { y } = await session(feed);
      const [a, b] = [exact[i]?.y?.data as Float32Array, (y as { data: Float32Array }).data];
      a.forEach((value, at) => {
        most = Math.max(most, Math.abs(value - (b[at] as number)));
      });
    }
    return 100 - most;
  };
  const { excluded, score } = await quantizeRepaired(model, feeds, { target: { metric, least: 99.9 } });
  assert.ok(excluded.includes('two*') && (score ?? 0) >= 99.9);
  const relative = await quantizeRepaired(model, feeds, { target: { metric, loss: 0.001 } });
  assert.ok((relative.score ?? 0) >= 99.9);
  await expectRejection(
    'INVALID_ARGUMENT',
    /even with no nodes quantized, the score is 100/,
    quantizeRepaired(model, feeds, { target: { metric, least: 101 } }),
  );
});

test('repairs are done as they are asked for', async () => {
  const model = await loaded(networkOf());
  const options = { perChannel: true } as const;
  const judge = byOutputs(model, feeds, {});
  const scoreOf = async (repair: ('adaround' | 'bias' | 'equalize' | 'smooth')[]) =>
    judge((await quantizeRepaired(model, feeds, { ...options, repair })).model);
  assert.is(await scoreOf([]), await judge(await quantizeStatic(model, feeds, options)));
  assert.ok((await scoreOf(['adaround'])) !== (await scoreOf([])));
});

test('refuses what it does not know', async () => {
  const model = await loaded(networkOf());
  const refused = [
    () => quantizeRepaired(model, feeds, { repair: ['polish' as 'bias'] }),
    () => quantizeRepaired(model, feeds, { target: { sqnr: Number.NaN } }),
    () => sensitivity(model, feeds, { by: 'layer' as 'node' }),
  ];
  for (const run of refused) await expectRejection('INVALID_ARGUMENT', /expected .*, got/, run());
  const stopped = sensitivity(model, feeds, { signal: AbortSignal.abort() });
  assert.is(await stopped.catch((error: Error) => error.name), 'AbortError');
});

test.run();
