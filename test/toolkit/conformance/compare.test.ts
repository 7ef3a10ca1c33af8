import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import type { Tolerance } from '../../../src/tools/conformance/index.js';
import { compare } from '../../../src/tools/difference.js';
import { f32, i64 } from '../../values.js';

const test = suite('what counts as the same output');

interface Closeness {
  readonly numbers: readonly string[];
  /** For each expected number, a digit for each actual one: whether NumPy finds them close. */
  readonly tolerances: readonly (Tolerance & { readonly close: readonly string[] })[];
}

const { numbers, tolerances } = JSON.parse(
  readFileSync(new URL('closeness.json', import.meta.url), 'utf8'),
) as Closeness;

const values: Readonly<Record<string, number>> = { inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY };
const numberOf = (text: string) => values[text] ?? Number(text);

for (const { relative, absolute, close } of tolerances)
  test(`numbers are close as NumPy has it, rtol ${relative}, atol ${absolute}`, () => {
    const actual = f32([numbers.length], numbers.map(numberOf));
    const found = numbers.map((text) => {
      const same = Array.from(actual.data as Float32Array, (x) => {
        const { outside } = compare(f32([1], [x]), f32([1], [numberOf(text)]), { relative, absolute });
        return outside === 0 ? 1 : 0;
      });
      return same.join('');
    });
    assert.equal(found, close);
  });

/** The small floats and integers, as a model file has them: 1 in each type, and another number. */
const SMALL: readonly (readonly [type: ElementType, one: number, other: number])[] = [
  ['float16', 1, 1.5],
  ['bfloat16', 1, 1.5],
  ['float8e4m3fn', 1, 1.125],
  ['float8e4m3fnuz', 1, 1.125],
  ['float8e5m2', 1, 1.25],
  ['float8e5m2fnuz', 1, 1.25],
  ['float8e8m0', 1, 2],
  ['float4e2m1', 1, 1.5],
  ['int4', 1, -8],
  ['uint4', 1, 15],
  ['int2', 1, -2],
  ['uint2', 1, 3],
];

for (const [type, one, other] of SMALL)
  test(`an element of ${type} that differs is found and shown as a number`, () => {
    const expected = tensor(type, [3], [one, one, one]);
    const same = compare(tensor(type, [3], [one, one, one]), expected);
    assert.is(same.outside, 0);
    assert.is(same.mismatch, undefined);
    const { outside, mismatch, at } = compare(tensor(type, [3], [one, one, other]), expected);
    assert.ok(outside === 1 || mismatch === '1 of 3 elements differ', mismatch);
    assert.equal(at, { index: [2], actual: other, expected: one });
  });

test('what is most out of tolerance is shown, not what is off most', () => {
  const { at, outside, maxAbs } = compare(f32([2], [1e6 + 500, 0.5]), f32([2], [1e6, 0]), {
    relative: 1e-3,
    absolute: 1e-7,
  });
  assert.equal(at, { index: [1], actual: 0.5, expected: 0 });
  assert.is(outside, 1);
  assert.is(maxAbs, 500);
});

test('a complex number is one element', () => {
  const at = ([re, im]: readonly [number, number]): HostValue => ({
    type: 'complex64',
    dims: [2],
    data: Float32Array.of(1, 2, re, im),
  });
  const tolerance = { relative: 0, absolute: 0 };
  assert.equal(compare(at([3, 5]), at([3, 4]), tolerance).at, { index: [1], actual: 5, expected: 4 });
});

const MISMATCHES: readonly (readonly [actual: HostValue, expected: HostValue, what: RegExp])[] = [
  [f32([1], [1]), f32([], [1]), /expected float32\[\], got float32\[1\]/],
  [f32([0, 2], []), f32([2, 0], []), /expected float32\[2,0\], got float32\[0,2\]/],
  [i64([1], [1]), f32([1], [1]), /expected float32\[1\], got int64\[1\]/],
  [i64([2], [1, 2n ** 53n]), i64([2], [1, 2n ** 53n + 1n]), /1 of 2 elements differ/],
  [tensor('string', [1], ['a']), tensor('string', [1], ['b']), /1 of 1 elements differ/],
  [[], [f32([1], [1])], /expected 1 items, got 0/],
  [null, f32([1], [1]), /expected a tensor, got nothing/],
  [f32([1], [1]), null, /expected nothing, got a tensor/],
  [f32([1], [1]), [], /expected a sequence, got a tensor/],
  [new Map([['a', 1]]), new Map([['b', 1]]), /key b is missing/],
];

test('types, shapes, lengths and keys must be equal, and so integers beyond 2^53', () => {
  for (const [actual, expected, what] of MISMATCHES) assert.match(compare(actual, expected).mismatch ?? '', what);
});

test('values in sequences and maps are compared', () => {
  const one = [f32([1], [1]), new Map<bigint, number>([[7n, 1]])];
  const other = [f32([1], [1]), new Map<bigint, number>([[7n, 2]])];
  assert.is(compare(one, one).outside, 0);
  assert.is(compare(other, one).outside, 1);
});

test.run();
