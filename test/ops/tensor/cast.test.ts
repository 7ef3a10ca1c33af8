import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { runNode } from '../one-node.js';

const test = suite('Cast');
const BOOL = 9;
const UINT8 = 2;

for (const constant of [true, false]) {
  const where = constant ? 'of the file' : 'fed';
  test(`a negative index ${where} is true, not 255`, async () => {
    const inputs = [tensor('int64', [3], [-1n, 0n, 2n ** 32n])];
    const [y] = await runNode('Cast', { inputs, attributes: { to: BOOL }, constant });
    assert.equal(y, tensor('bool', [3], [1, 0, 1]));
  });

  test(`an index ${where} wraps in fewer bits`, async () => {
    const inputs = [tensor('int64', [1], [300n])];
    const [y] = await runNode('Cast', { inputs, attributes: { to: UINT8 }, constant });
    assert.equal(y, tensor('uint8', [1], [44]));
  });
}

test.run();
