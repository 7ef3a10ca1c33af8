import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ints, tensor } from '../../../src/builder/index.js';
import { runNode } from '../one-node.js';

const test = suite('MeanVarianceNormalization');

for (const type of ['float32', 'float64'] as const)
  test(`adds 1e-9 to the deviation, which shows where it is small, in ${type}`, async () => {
    const inputs = [tensor(type, [2, 1], [1e-8, 3e-8])];
    const [y] = await runNode('MeanVarianceNormalization', { inputs, attributes: { axes: [0] } });
    const deviation = 1e-8;
    for (const [i, sign] of [-1, 1].entries())
      assert.ok(Math.abs((y?.data[i] as number) - (sign * deviation) / (deviation + 1e-9)) < 1e-6);
  });

test('is not misled by a mean that is large beside the deviation', async () => {
  const inputs = [tensor('float32', [3], [-1.296792984008789, -1.3065391778945923, -1.3065391778945923])];
  const [y] = await runNode('MeanVarianceNormalization', { inputs, attributes: { axes: [0] } });
  assert.ok(Math.abs((y?.data[0] as number) - Math.SQRT2) < 1e-6);
});

test('goes over all axes where it is given none, of a scalar too', async () => {
  const attributes = { axes: ints([]) };
  const [y] = await runNode('MeanVarianceNormalization', { inputs: [tensor('float32', [2], [1, 3])], attributes });
  assert.equal(y, tensor('float32', [2], [-1, 1]));
  const [zero] = await runNode('MeanVarianceNormalization', { inputs: [tensor('float32', [], [2])], attributes });
  assert.equal(zero, tensor('float32', [], [0]));
});

test.run();
