import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fromBfloat16, fromFloat16 } from '../../../src/tensor/half.js';
import { clampedIn, narrowed, type Range } from '../../../src/tools/float16/narrow.js';

const test = suite('rounding to halves');

const golden = JSON.parse(readFileSync(new URL('rounding.json', import.meta.url), 'utf8')) as Record<string, string>;

const bufferOf = (name: string): ArrayBuffer => new Uint8Array(Buffer.from(golden[name] as string, 'base64')).buffer;

const NUMBERS = new Float32Array(bufferOf('numbers'));

const CASES: Readonly<Record<string, Range>> = {
  float16: { to: 'float16', minPositive: 0, maxFinite: 3.4028234663852886e38 },
  bfloat16: { to: 'bfloat16', minPositive: 0, maxFinite: 3.4028234663852886e38 },
  clampedFloat16: { to: 'float16', minPositive: 2 ** -24, maxFinite: 65504 },
  clampedBfloat16: { to: 'bfloat16', minPositive: 2 ** -133, maxFinite: 3.3895313892515355e38 },
  clampedNarrowly: { to: 'float16', minPositive: Math.fround(1e-7), maxFinite: 1e4 },
};

for (const [name, range] of Object.entries(CASES))
  test(`${name}: numpy's and torch's bits`, () => {
    const [found, expected] = [narrowed(NUMBERS, range), new Uint16Array(bufferOf(name))];
    const isNaNAt = (i: number) => Number.isNaN(NUMBERS[i]);
    const widen = range.to === 'float16' ? fromFloat16 : fromBfloat16;
    const wrong = [...found.keys()].filter((i) =>
      isNaNAt(i) ? !Number.isNaN(widen(found[i] as number)) : found[i] !== expected[i],
    );
    assert.equal(
      wrong.slice(0, 5).map((i) => [NUMBERS[i], found[i], expected[i]]),
      [],
    );
  });

test('every half is itself', () => {
  const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
  for (const [to, widen] of [
    ['float16', fromFloat16],
    ['bfloat16', fromBfloat16],
  ] as const) {
    const values = Float32Array.from(all, widen);
    const found = narrowed(values, { to, minPositive: 0, maxFinite: 3.4028234663852886e38 });
    const wrong = all.filter((half, i) => found[i] !== half && !Number.isNaN(values[i]));
    assert.equal([...wrong.slice(0, 5)], []);
  }
});

test('counts what is clamped: no infinities, no zeros, not NaN', () => {
  const values = Float32Array.of(0, -0, 1e-9, -1e-9, 65504, 65505, -1e30, Infinity, -Infinity, Number.NaN, 1);
  assert.equal(clampedIn(values, CASES.clampedFloat16 as Range), { above: 2, below: 2 });
});

test.run();
