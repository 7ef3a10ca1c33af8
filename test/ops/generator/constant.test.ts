import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import { writeModel } from '../../../src/model/write-model.js';
import { openModel } from '../../../src/session/open-model.js';
import { parseModel, saveModel } from '../../../src/tools/index.js';
import { hasNative, runNatively } from '../../toolkit/quantize/runs.js';

const test = suite('Constant');

/** Integers between which a number is not, in a node, in a list, in a function and handed to one. */
const TEXT = `<ir_version: 10, opset_import: ["": 21, "own": 1]>
g () => (int64 a, int64[3] b, int64 c, int64[2] d) {
  a = Constant <value_int = 9007199254740993> ()
  b = Constant <value_ints = [-9223372036854775807, 9223372036854775807, 7]> ()
  c, d = own.given <one = -9007199254740995, many = [4611686018427387905, 0]> ()
}
<domain: "own", opset_import: ["": 21]>
given <one, many> () => (c, d) {
  c = Constant <value_int: int = @one> ()
  d = Constant <value_ints: ints = @many> ()
}`;

const EXPECTED = {
  a: [9007199254740993n],
  b: [-9223372036854775807n, 9223372036854775807n, 7n],
  c: [-9007199254740995n],
  d: [4611686018427387905n, 0n],
};

const listed = (results: Readonly<Record<string, { readonly data: unknown }>>) =>
  Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, Array.from(data as BigInt64Array)]));

test('integers beyond 2^53 are exact', async () => {
  const bytes = await saveModel(parseModel(TEXT));
  for (const graphOptimizationLevel of ['disabled', 'all'] as const) {
    const session = await InferenceSession.create(bytes, { graphOptimizationLevel });
    assert.equal(listed(await session.run({})), EXPECTED);
    await session.release();
  }
  if (hasNative) assert.equal(listed(await runNatively(bytes, {})), EXPECTED);
});

test('and written so', async () => {
  const model = await openModel(await saveModel(parseModel(TEXT)), {});
  const session = await InferenceSession.create(writeModel(model));
  assert.equal(listed(await session.run({})), EXPECTED);
  await session.release();
});

test.run();
