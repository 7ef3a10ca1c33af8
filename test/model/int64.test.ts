import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillInt64, fromNumber, Long, toBigInt, toNumber } from '../../src/model/int64.js';

const int64 = suite('64-bit integers');

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];
const EXACT = [0n, 1n, -1n, 2n ** 31n, 2n ** 32n, -(2n ** 32n), 2n ** 53n + 1n, -(2n ** 53n) - 3n, LEAST, MOST];

for (const value of [...EXACT, 2n ** 64n - 1n]) {
  int64(`${value} as two words`, () => {
    const unsigned = value > MOST;
    const words = Long.fromBits(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)), unsigned);
    assert.is(toBigInt(words), value);
    assert.is(toNumber(words), Number(value));
    const target = unsigned ? new BigUint64Array(2) : new BigInt64Array(2);
    fillInt64(target, [words, 7]);
    assert.equal([...target], [value, 7n]);
  });
}

const NUMBERS: [value: number, expected: bigint][] = [
  [12, 12n],
  [-12, -12n],
  [2 ** 53, 2n ** 53n],
  [-(2 ** 62), -(2n ** 62n)],
  [2 ** 63, MOST],
  [1e300, MOST],
  [-1e300, LEAST],
  [Number.POSITIVE_INFINITY, MOST],
  [Number.NEGATIVE_INFINITY, LEAST],
  [Number.NaN, 0n],
  [1.75, 1n],
  [-1.75, -1n],
];

for (const [value, expected] of NUMBERS)
  int64(`${value} becomes ${expected}`, () => assert.is(toBigInt(fromNumber(value)), expected));

int64.run();
