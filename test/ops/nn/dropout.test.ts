import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { tensorOf } from '../../../src/tensor/numbers.js';
import { runNode } from '../one-node.js';

const test = suite('Dropout');

for (const type of ['float32', 'float16', 'float64'] as const)
  test(`of opset 7 masks nothing, in ${type}`, async () => {
    const x = tensorOf(type, [2], [3, 4]);
    const outputs = await runNode('Dropout', { inputs: [x], outputs: 2, opset: 7 });
    assert.equal(outputs, [x, tensorOf(type, [2], [1, 1])]);
  });

for (const constant of [false, true])
  test(`of opset 13 says so in bools${constant ? ' of constants' : ''}`, async () => {
    const x = tensor('float32', [2], [3, 4]);
    const [, mask] = await runNode('Dropout', { inputs: [x], outputs: 2, opset: 13, constant });
    assert.equal(mask, tensor('bool', [2], [1, 1]));
  });

test.run();
