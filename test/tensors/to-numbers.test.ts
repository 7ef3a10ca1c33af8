import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Tensor } from '../../src/index.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import { toNumbers } from '../../src/tensors/index.js';

const test = suite('tensors/to-numbers');

/** Codes and what they stand for, by the formats' definitions: IEEE 754, https://onnx.ai/onnx/technical/float8.html, float4.html. */
const CASES: readonly (readonly [
  type: ElementType,
  codes: readonly (number | bigint)[],
  numbers: readonly number[],
])[] = [
  [
    'float16',
    [0x3c00, 0xbc01, 0x7bff, 0x0001, 0x7c00],
    [1, -(1 + 2 ** -10), 65504, 2 ** -24, Number.POSITIVE_INFINITY],
  ],
  ['bfloat16', [0x3f80, 0xc040], [1, -3]],
  ['float8e4m3fn', [0x38, 0xb8, 0x7e, 0x01], [1, -1, 448, 2 ** -9]],
  ['float8e5m2', [0x3c, 0x7b], [1, 57344]],
  ['float8e8m0', [127, 130], [1, 8]],
  ['int64', [-1n, 2n ** 53n, -(2n ** 40n) - 3n], [-1, 2 ** 53, -(2 ** 40) - 3]],
  ['uint64', [2n ** 63n, 5n], [2 ** 63, 5]],
  ['uint32', [4294967295], [4294967295]],
  ['int8', [-128, 127], [-128, 127]],
  ['bool', [1, 0], [1, 0]],
];

for (const [type, codes, numbers] of CASES)
  test(type, () => {
    const { data } = new Tensor(type, new (arrayOf(type))(codes.length) as never, [codes.length]);
    for (const [i, code] of codes.entries()) (data as unknown as (number | bigint)[])[i] = code;
    assert.equal([...toNumbers({ type, dims: [codes.length], data })], numbers);
  });

const arrayOf = (type: ElementType) => new Tensor(type, [], [0]).data.constructor as new (length: number) => Uint8Array;

test('elements below a byte, low bits first', () => {
  assert.equal([...toNumbers(new Tensor('int4', Int8Array.of(0x8f, 0x07), [3]))], [-1, -8, 7]);
  assert.equal([...toNumbers(new Tensor('uint2', Uint8Array.of(0b11_10_01_00), [4]))], [0, 1, 2, 3]);
  assert.equal([...toNumbers(new Tensor('float4e2m1', Uint8Array.of(0xf1), [2]))], [0.5, -6]);
});

test('float32 is what is stored', () => {
  const data = Float32Array.of(1, 2);
  assert.is(toNumbers(new Tensor('float32', data, [2])), data);
});

test.run();
