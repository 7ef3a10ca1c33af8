import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { runNode } from '../one-node.js';

const test = suite('Resize of integers');

async function resized(values: readonly number[], size: number, attributes: Record<string, string>) {
  const inputs = [tensor('uint8', [values.length], values), null, null, tensor('int64', [1], [size])];
  return runNode('Resize', { inputs, attributes, opset: 19 });
}

test('rounds to the nearest', async () => {
  assert.equal(await resized([1, 2], 4, { mode: 'linear' }), [tensor('uint8', [4], [1, 1, 2, 2])]);
});

/** Halfway between 0 and 255 lies 127.5, which is nearest to the even 128; between 255 and 255 lies 302.8. */
test('saturates what a cubic overshoots', async () => {
  const attributes = { mode: 'cubic', coordinate_transformation_mode: 'align_corners' };
  assert.equal(await resized([0, 255, 255, 0], 7, attributes), [tensor('uint8', [7], [0, 128, 255, 255, 255, 128, 0])]);
});

test.run();
