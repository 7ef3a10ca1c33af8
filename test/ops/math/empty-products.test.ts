import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { runNode } from '../one-node.js';

const test = suite('products over nothing');

for (const type of ['int64', 'uint64'] as const)
  test(`of ${type} are zeros of that type`, async () => {
    const inputs = [tensor(type, [1, 0], []), tensor(type, [0, 2], [])];
    const [y] = await runNode('MatMul', { inputs });
    assert.equal(y, tensor(type, [1, 2], [0n, 0n]));
  });

test.run();
