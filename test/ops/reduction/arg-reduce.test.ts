import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { runNode } from '../one-node.js';

const test = suite('ArgMax and ArgMin');

/** Neighbours that are one number in double precision. */
const LARGE = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n];

const CASES: readonly [TensorValue, boolean][] = [
  [{ type: 'uint64', dims: [3], data: BigUint64Array.from(LARGE) }, false],
  [{ type: 'int64', dims: [3], data: BigInt64Array.from(LARGE) }, false],
  [{ type: 'int64', dims: [3], data: BigInt64Array.from(LARGE) }, true],
];

for (const [x, constant] of CASES)
  test(`${x.type}${constant ? ', constant' : ''} is compared exactly`, async () => {
    const placeOf = async (op: string, last: number) => {
      const attributes = { select_last_index: last, keepdims: 0 };
      return Number((await runNode(op, { inputs: [x], attributes, constant }))[0]?.data[0]);
    };
    assert.is(await placeOf('ArgMax', 0), 1);
    assert.is(await placeOf('ArgMax', 1), 1);
    assert.is(await placeOf('ArgMin', 0), 0);
    assert.is(await placeOf('ArgMin', 1), 2);
  });

test.run();
