import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../src/session/inference-session.js';
import { saveModel } from '../../src/tools/save-model.js';
import { parseModel } from '../../src/tools/text.js';
import { f32 } from '../values.js';

const test = suite('sizes that nobody knows');

/** Both have numbers for names; the second that is found is no more that of "a" than the first. */
const TEXT = `<ir_version: 10, opset_import: ["" : 21]>
g (float[?] a, float[?] b) => (float[?] y, float[?] z) <int64[1] flat = {-1}> {
  some = NonZero (a)
  first = Reshape (some, flat)
  others = NonZero (b)
  second = Reshape (others, flat)
  shape = Shape (first)
  wide = Shape (second)
  y = Expand (a, shape)
  z = Expand (a, wide)
}`;

test('those of the model and those that are found are never taken for each other', async () => {
  const bytes = await saveModel(parseModel(TEXT));
  for (const graphOptimizationLevel of ['disabled', 'all'] as const) {
    const session = await InferenceSession.create(bytes, { graphOptimizationLevel });
    const { y, z } = await session.run({ a: f32([1], [7]), b: f32([4], [1, 2, 0, 3]) });
    assert.equal([y?.dims, z?.dims], [[1], [3]], graphOptimizationLevel);
    await session.release();
  }
});

test.run();
